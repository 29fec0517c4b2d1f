//! Tests of PostgreSQL alone: servers that stop, hang, refuse, or are shared.

use std::net::{Ipv4Addr, TcpListener};
use std::time::{Duration, Instant, UNIX_EPOCH};

use effigy_player::Edition;
use effigy_store::{HEALTH_LOG_LENGTH, SqlStore, Store, StoreError};

use crate::support::{PostgresServer, Proxy, create_database, shared_server};
use crate::{StoreExt, chain, image, open};

/// Time limit of any single call, whatever the state of the server.
const SOON: Duration = Duration::from_secs(8);

/// Waits for the outcome of a call, which must come soon, be it success or failure.
async fn soon<T>(call: impl Future<Output = T>) -> T {
    let outcome = tokio::time::timeout(SOON, call).await;
    outcome.expect("the call ends soon")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_server_fails_soon_and_a_restarted_one_serves_again() {
    let Some(mut server) = PostgresServer::start() else {
        return;
    };
    let store = open(&server.url("postgres")).await;
    store.put("key", &image(vec![7; 10])).await.expect("put");
    store.increment(Edition::Java, 2).await.expect("increment");

    server.stop();
    for _ in 0..2 {
        soon(store.find("key", UNIX_EPOCH))
            .await
            .expect_err("the server is down");
        soon(store.put("key", &image(vec![7; 1])))
            .await
            .expect_err("the server is down");
    }
    let reopened = soon(SqlStore::open(&server.url("postgres"))).await;
    let error = reopened.expect_err("the server is down");
    assert!(chain(&error).contains("refused"), "{}", chain(&error));

    server.restart();
    let found = soon(store.find("key", UNIX_EPOCH)).await.expect("lookup");
    assert_eq!(found, Some(image(vec![7; 10])));
    assert_eq!(soon(store.count(Edition::Java)).await.expect("count"), 2);
    soon(store.put("key", &image(vec![7; 1])))
        .await
        .expect("put");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_out_of_reach_fails_soon_and_holds_no_connection() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let proxy = Proxy::start(server.port()).expect("a port is free");
    let direct = format!(":{}/", server.port());
    let proxied = server
        .url("postgres")
        .replace(&direct, &format!(":{}/", proxy.port()));
    let store = open(&proxied).await;
    store.put("key", &image(vec![7; 10])).await.expect("put");
    store.increment(Edition::Java, 1).await.expect("increment");

    // No answer comes, neither to a small statement nor to one that exceeds all buffers.
    proxy.freeze();
    let large = image(vec![7; 24 << 20]);
    let (small, large) = tokio::join!(
        soon(store.find("key", UNIX_EPOCH)),
        soon(store.put("large", &large)),
    );
    small.expect_err("the server is out of reach");
    large.expect_err("the server is out of reach");
    soon(SqlStore::open(&proxied))
        .await
        .expect_err("the server is out of reach");
    proxy.thaw();
    soon(store.find("key", UNIX_EPOCH))
        .await
        .expect("the server is back");

    leave_statements_hanging(&server, &store, &proxy).await;
    let found = soon(store.find("key", UNIX_EPOCH))
        .await
        .expect("new connections work");
    assert_eq!(found, Some(image(vec![7; 10])));
}

/// Cuts off every connection of the store's pool in the middle of a statement.
async fn leave_statements_hanging(server: &PostgresServer, store: &SqlStore, proxy: &Proxy) {
    let other = sqlx::PgPool::connect(&server.url("postgres"))
        .await
        .expect("connect");
    let mut lock = other.begin().await.expect("begin");
    sqlx::query("UPDATE counts SET count = count")
        .execute(&mut *lock)
        .await
        .expect("update");
    let increments: Vec<_> = (0..10)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { soon(store.increment(Edition::Java, 1)).await })
        })
        .collect();
    let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted";
    let all_wait = async {
        while sqlx::query_scalar::<_, i64>(waiting)
            .fetch_one(&other)
            .await
            .expect("count")
            < 10
        {
            tokio::task::yield_now().await;
        }
    };
    soon(all_wait).await;
    proxy.strand_connections();
    for increment in increments {
        let outcome = increment.await.expect("no panic");
        let error = outcome.expect_err("no answer can come");
        assert!(matches!(error, StoreError::TimedOut { .. }), "{error:?}");
    }
    lock.rollback().await.expect("rollback");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_takes_too_long_ends_on_the_server_too() {
    let Some(server) = shared_server() else {
        return;
    };
    let url = create_database(&server, "slow").await;
    let store = open(&url).await;
    store.increment(Edition::Java, 1).await.expect("increment");
    let other = sqlx::PgPool::connect(&url).await.expect("connect");
    let mut lock = other.begin().await.expect("begin");
    sqlx::query("UPDATE counts SET count = count")
        .execute(&mut *lock)
        .await
        .expect("update");

    let error = soon(store.increment(Edition::Java, 1))
        .await
        .expect_err("the row is locked");
    assert!(matches!(error, StoreError::Database { .. }), "{error:?}");
    assert!(
        chain(&error).contains("statement timeout"),
        "{}",
        chain(&error)
    );
    lock.rollback().await.expect("rollback");
    store.increment(Edition::Java, 1).await.expect("increment");
    assert_eq!(store.count(Edition::Java).await.expect("count"), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_accepts_but_never_answers_fails_the_opening_soon() {
    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    let port = silent.local_addr().expect("it is bound").port();
    let url = format!("postgres://user:hunter2@127.0.0.1:{port}/db");
    let begun = Instant::now();
    let error = soon(SqlStore::open(&url))
        .await
        .expect_err("the server is silent");
    assert!(
        begun.elapsed() > Duration::from_millis(500),
        "a slow server gets some time"
    );
    assert!(matches!(error, StoreError::Open { .. }), "{error:?}");
    assert!(chain(&error).contains("timed out"), "{}", chain(&error));
    assert!(!format!("{error:?}").contains("hunter2"));
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_say_what_is_wrong_and_never_the_password() {
    let Some(server) = shared_server() else {
        return;
    };
    let good = create_database(&server, "errors").await;
    let table = [
        (
            server.url_with_password("wr0ng-passw0rd", "postgres"),
            "authentication failed",
        ),
        (server.url("nowhere"), "\"nowhere\" does not exist"),
        (format!("{good}?sslmode=require"), "TLS"),
        (format!("{good}?sslmode=sometimes"), "sometimes"),
        (
            good.replace("postgres:", "postgresql:")
                .replace("127.0.0.1:", "127.0.0.1:9"),
            "invalid port",
        ),
        (good.replace("postgres:", "mysql:"), "is neither"),
    ];
    for (url, reason) in table {
        let error = soon(SqlStore::open(&url)).await.expect_err(&url);
        let text = chain(&error);
        assert!(text.contains(reason), "{url}: {text}");
        for shown in [text, format!("{error:?}")] {
            assert!(!shown.contains(server.password()), "{shown}");
            assert!(!shown.contains("wr0ng-passw0rd"), "{shown}");
        }
    }
    let store = open(&good).await;
    let shown = format!("{store:?}");
    assert!(shown.contains("Postgres"), "{shown}");
    assert!(!shown.contains(server.password()), "{shown}");
}

/// A password that is not encoded makes another URL.
#[tokio::test(flavor = "multi_thread")]
async fn errors_of_malformed_urls_never_show_the_password() {
    for url in [
        "postgres://user:hun@ter2@localhost:1/db",
        "postgres://user:hun/ter2@localhost/db",
        "postgres://user:hun?ter2@localhost/db",
        "postgres://user:hun#ter2@localhost/db",
        "postgres://user:12/hunter2@localhost/db",
        "postgres://:hunter2@localhost:1/db",
        "postgres://localhost:1/db?user=u&password=hunter2",
        "mysql://root:hunter2@host/db",
        "root:hunter2@host",
        "host=db Password=hunter2 user=x",
        "jdbc:postgresql://h/db?user=u&password=hunter2",
    ] {
        let error = soon(SqlStore::open(url)).await.expect_err(url);
        for shown in [chain(&error), format!("{error:?}")] {
            assert!(!shown.contains("hun") && !shown.contains("ter2"), "{shown}");
        }
    }
}

/// A connection pooler that pools transactions loses prepared statements.
#[tokio::test(flavor = "multi_thread")]
async fn an_error_of_a_connection_pooler_says_what_to_set() {
    let Some(server) = shared_server() else {
        return;
    };
    let url = create_database(&server, "pooler").await;
    let store = open(&url).await;
    let pool = sqlx::PgPool::connect(&url).await.expect("connect");
    for statement in [
        "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION USING ERRCODE = '26000'; END $$",
        "CREATE TRIGGER fail BEFORE INSERT ON images EXECUTE FUNCTION fail()",
    ] {
        sqlx::query(statement).execute(&pool).await.expect("create");
    }
    let error = store.put("key", &image("x")).await.expect_err("it fails");
    let text = chain(&error);
    assert!(text.contains("`pool_mode = session`"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn several_processes_open_share_and_close_one_database() {
    let Some(server) = shared_server() else {
        return;
    };
    let url = create_database(&server, "several").await;
    let openings: Vec<_> = (0..8)
        .map(|_| {
            let url = url.clone();
            tokio::spawn(async move { SqlStore::open(&url).await })
        })
        .collect();
    let mut stores = Vec::new();
    for opening in openings {
        stores.push(
            opening
                .await
                .expect("no panic")
                .expect("each of them opens"),
        );
    }

    for store in &stores {
        store
            .increment(Edition::Bedrock, 1)
            .await
            .expect("increment");
    }
    stores[0].put("key", &image(vec![7; 3])).await.expect("put");
    for store in &stores {
        assert_eq!(store.count(Edition::Bedrock).await.expect("count"), 8);
        assert_eq!(
            store.find("key", UNIX_EPOCH).await.expect("lookup"),
            Some(image(vec![7; 3]))
        );
    }

    stores[0].close().await;
    stores[0]
        .count(Edition::Bedrock)
        .await
        .expect_err("it is closed");
    assert_eq!(stores[1].count(Edition::Bedrock).await.expect("count"), 8);
    let socket = server
        .socket_directory()
        .display()
        .to_string()
        .replace('/', "%2F");
    let by_socket = format!("postgres://effigy@{socket}:{}/several", server.port());
    assert_eq!(
        open(&by_socket)
            .await
            .count(Edition::Bedrock)
            .await
            .expect("count"),
        8
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn opening_prunes_a_log_of_any_length() {
    let Some(server) = shared_server() else {
        return;
    };
    let url = create_database(&server, "prunes").await;
    let store = open(&url).await;
    let pool = sqlx::PgPool::connect(&url).await.expect("connect");
    let fill = "INSERT INTO health_log (recorded_at, status, message, response_time)
        SELECT n, 'green', n::text, 1 FROM generate_series(1, 33000) AS n";
    sqlx::query(fill).execute(&pool).await.expect("insert");

    open(&url).await;
    let kept = store.recent(u32::MAX).await.expect("recent");
    assert_eq!(u32::try_from(kept.len()), Ok(HEALTH_LOG_LENGTH));
    assert_eq!(kept[kept.len() - 1].message, "23001");

    sqlx::query("UPDATE health_log SET status = 'mauve'")
        .execute(&pool)
        .await
        .expect("update");
    let error = store.recent(1).await.expect_err("there is no such status");
    assert!(chain(&error).contains("`mauve`"), "{}", chain(&error));
}
