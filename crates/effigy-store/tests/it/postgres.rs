//! Tests of PostgreSQL alone: servers that stop, hang, refuse, or are shared.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use effigy_player::Edition::{Bedrock, Java};
use effigy_store::{
    HealthLog as _, LIFETIME, Pictures as _, RenderCount, SqlStore, StoreError, StoreOptions,
    Writes as _,
};
use sqlx::PgPool;

use crate::support::{PostgresServer, Proxy, create_database, shared_server};
use crate::{StoreExt, assert_says, chain, counts, image, open, pictures, renders};

/// Time limit of any single call, in every state of the server.
const SOON: Duration = Duration::from_secs(8);

/// Waits for the outcome of a call, which must succeed or fail soon.
async fn soon<T>(call: impl Future<Output = T>) -> T {
    let outcome = tokio::time::timeout(SOON, call).await;
    outcome.expect("the call ends soon")
}

/// Creates a database on the shared server, if this machine has PostgreSQL.
async fn shared_database(name: &str) -> Option<(Arc<PostgresServer>, String)> {
    let server = shared_server()?;
    let url = create_database(&server, name).await;
    Some((server, url))
}

/// Opens a server that must be there.
async fn open_existing(url: &str) -> Result<SqlStore, StoreError> {
    let options = StoreOptions {
        must_exist: true,
        ..StoreOptions::default()
    };
    soon(SqlStore::open_with(url, options)).await
}

async fn execute(pool: &PgPool, statement: &'static str) {
    sqlx::query(statement).execute(pool).await.unwrap();
}

/// Locks the counters until the transaction ends.
async fn lock_counters(pool: &PgPool) -> sqlx::PgTransaction<'static> {
    let mut lock = pool.begin().await.unwrap();
    let update = sqlx::query("UPDATE counts SET count = count");
    update.execute(&mut *lock).await.unwrap();
    lock
}

/// Starts a proxy of a server. Returns it with the URL of a database through it.
fn proxied(server: &PostgresServer, url: &str) -> (Proxy, String) {
    let proxy = Proxy::start(server.port()).unwrap();
    let direct = format!(":{}/", server.port());
    let through = format!(":{}/", proxy.port());
    let url_through = url.replace(&direct, &through);
    (proxy, url_through)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_down_at_first_is_opened_later() {
    let Some(mut server) = PostgresServer::start() else {
        return;
    };
    let url = server.url("postgres");
    let image = image("kept");
    server.stop();
    let opened = open_existing(&url).await;
    assert_says(&opened.expect_err("the server is down"), "refused");
    let store = soon(SqlStore::open(&url)).await.unwrap();
    for _ in 0..2 {
        let found = store.lookup("key", UNIX_EPOCH, LIFETIME).await;
        assert!(matches!(found, Err(StoreError::NotOpen)), "{found:?}");
        let written = store.write(&pictures(&[("key", &image)])).await;
        assert!(matches!(written, Err(StoreError::NotOpen)), "{written:?}");
    }
    // A store that is not open yet has nothing to close.
    soon(store.close()).await;
    server.restart();
    soon(store.opens()).await;
    store.put("key", &image).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_succeed_again_after_the_server_was_down() {
    let Some(mut server) = PostgresServer::start() else {
        return;
    };
    let store = open(&server.url("postgres")).await;
    let image = image("kept");
    store.put("key", &image).await;
    store.increment(Java, 2).await;
    server.stop();
    for _ in 0..2 {
        let found = soon(store.lookup("key", UNIX_EPOCH, LIFETIME)).await;
        found.expect_err("the server is down");
        let written = soon(store.write(&pictures(&[("key", &image)]))).await;
        written.expect_err("the server is down");
    }
    server.restart();
    assert_eq!(soon(store.find("key", UNIX_EPOCH)).await, Some(image));
    assert_eq!(soon(store.count(Java)).await, 2);
    soon(store.increment(Java, 1)).await;
}

/// No answer comes, neither to a small statement nor to one that exceeds all buffers.
#[tokio::test(flavor = "multi_thread")]
async fn calls_to_a_server_out_of_reach_fail_soon() {
    let Some((server, url)) = shared_database("out_of_reach").await else {
        return;
    };
    let (proxy, through) = proxied(&server, &url);
    let store = open(&through).await;
    store.put("key", &image("kept")).await;
    proxy.freeze();
    let large_image = image(vec![7; 24 << 20]);
    let large_pictures = [("large", &large_image)];
    let large_batch = pictures(&large_pictures);
    let (found, written, opened) = tokio::join!(
        soon(store.lookup("key", UNIX_EPOCH, LIFETIME)),
        soon(store.write(&large_batch)),
        open_existing(&through),
    );
    found.expect_err("the server is out of reach");
    written.expect_err("the server is out of reach");
    let error = opened.expect_err("the server is out of reach");
    assert!(matches!(error, StoreError::Database { .. }), "{error:?}");
    assert_says(&error, "timed out");
    proxy.thaw();
    soon(store.find("key", UNIX_EPOCH)).await.unwrap();
}

/// Returns the number of statements that wait for a lock.
async fn waiting_statements(pool: &PgPool) -> i64 {
    let count = "SELECT count(*) FROM pg_locks WHERE NOT granted";
    sqlx::query_scalar(count).fetch_one(pool).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_were_cut_off_are_replaced() {
    let Some((server, url)) = shared_database("cut_off").await else {
        return;
    };
    let (proxy, through) = proxied(&server, &url);
    let store = open(&through).await;
    store.put("key", &image("kept")).await;
    store.increment(Java, 1).await;
    // Every connection of the pool is cut off in the middle of a statement.
    let other = PgPool::connect(&url).await.unwrap();
    let lock = lock_counters(&other).await;
    let mut increments = Vec::new();
    for _ in 0..10 {
        let clone = store.clone();
        let increment = async move { soon(clone.write(&counts(&[renders(Java, 1)]))).await };
        increments.push(tokio::spawn(increment));
    }
    soon(async { while waiting_statements(&other).await < 10 {} }).await;
    proxy.strand_connections();
    for increment in increments {
        let error = increment.await.unwrap().expect_err("no answer can come");
        // The answer is late, or the connection on which it would come.
        let is_late = matches!(error, StoreError::TimedOut(_));
        assert!(is_late || chain(&error).contains("timed out"), "{error:?}");
    }
    lock.rollback().await.unwrap();
    let found = soon(store.find("key", UNIX_EPOCH)).await;
    assert_eq!(found, Some(image("kept")));
}

#[tokio::test(flavor = "multi_thread")]
async fn renders_of_an_unacknowledged_commit_count_once() {
    let Some((server, url)) = shared_database("swallowed").await else {
        return;
    };
    let (proxy, through) = proxied(&server, &url);
    let store = open(&through).await;
    let other = open(&url).await;
    let mut count = renders(Java, 3);
    proxy.swallow_next_commit();
    let outcome = soon(store.write(&counts(&[count]))).await;
    outcome.expect_err("the acknowledgement does not come");
    let committed = async {
        while other.count(Java).await == 0 {
            tokio::task::yield_now().await;
        }
    };
    soon(committed).await;
    // The renders since then are counted with the next write.
    count.total += 2;
    soon(store.write(&counts(&[count]))).await.unwrap();
    assert_eq!(other.count(Java).await, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_takes_too_long_ends_on_the_server_too() {
    let Some((_server, url)) = shared_database("slow").await else {
        return;
    };
    let store = open(&url).await;
    store.increment(Java, 1).await;
    let other = PgPool::connect(&url).await.unwrap();
    let lock = lock_counters(&other).await;
    let count: RenderCount = renders(Java, 1);
    let written = soon(store.write(&counts(&[count]))).await;
    let error = written.expect_err("the row is locked");
    assert!(matches!(error, StoreError::Database { .. }), "{error:?}");
    assert_says(&error, "statement timeout");
    lock.rollback().await.unwrap();
    store.write(&counts(&[count])).await.unwrap();
    assert_eq!(store.count(Java).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_say_what_is_wrong_and_never_the_password() {
    let Some((server, good)) = shared_database("errors").await else {
        return;
    };
    let wrong = server.url_with_password("wr0ng-passw0rd", "postgres");
    let scheme = good.replace("postgres:", "postgresql:");
    let table = [
        (wrong, "authentication failed"),
        (server.url("nowhere"), "\"nowhere\" does not exist"),
        (format!("{good}?sslmode=require"), "TLS"),
        (format!("{good}?sslmode=sometimes"), "sometimes"),
        (scheme.replace("127.0.0.1:", "127.0.0.1:9"), "invalid port"),
    ];
    for (url, reason) in table {
        let error = soon(SqlStore::open(&url)).await.expect_err(&url);
        let text = chain(&error);
        assert!(text.contains(reason), "{url}: {text}");
        assert!(!text.contains("at line"), "{url}: {text}");
        for shown in [text, format!("{error:?}")] {
            assert!(!shown.contains(server.password()), "{shown}");
            assert!(!shown.contains("wr0ng-passw0rd"), "{shown}");
        }
    }
    let shown = format!("{:?}", open(&good).await);
    assert!(shown.contains("Postgres"), "{shown}");
    assert!(!shown.contains(server.password()), "{shown}");
}

/// A server that is down may start later, but a file that is missing does not appear.
#[tokio::test]
async fn a_certificate_that_cannot_be_read_is_a_mistake_in_the_url() {
    for name in ["sslrootcert", "sslcert", "ssl-key"] {
        let url = format!("postgres://localhost:1/db?{name}=%2Fnowhere%2Ffile");
        let error = SqlStore::open(&url).await.expect_err(name);
        assert!(matches!(error, StoreError::Url(_)), "{error:?}");
        let expected = format!("the {name} `/nowhere/file` cannot be read: No such file");
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
}

/// A password that is not encoded changes how the rest of the URL is read.
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
        let error = open_existing(url).await.expect_err(url);
        for shown in [chain(&error), format!("{error:?}")] {
            assert!(!shown.contains("hun") && !shown.contains("ter2"), "{shown}");
        }
    }
}

/// The tables exist, so a role without the rights to create or write them can open them.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_only_read_is_opened() {
    let Some((server, url)) = shared_database("only_read").await else {
        return;
    };
    open(&url).await.put("key", &image("kept")).await;
    let pool = PgPool::connect(&url).await.unwrap();
    for statement in [
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        "CREATE ROLE reader LOGIN PASSWORD 'read'",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
        "ALTER DATABASE only_read SET default_transaction_read_only = on",
    ] {
        execute(&pool, statement).await;
    }
    let reader = url
        .replace("effigy:", "reader:")
        .replace(server.password(), "read");
    for role_url in [&url, &reader] {
        let store = open_existing(role_url).await.unwrap();
        let found = store.find("key", UNIX_EPOCH).await;
        assert_eq!(found, Some(image("kept")));
        let written = store.write(&counts(&[renders(Java, 1)])).await;
        written.expect_err("it is only read");
    }
    // An entry that is missing is a migration to apply.
    let forget = "BEGIN; SET TRANSACTION READ WRITE;
        DELETE FROM _effigy_additions WHERE version = 2; COMMIT";
    sqlx::raw_sql(forget).execute(&pool).await.unwrap();
    let error = open_existing(&url).await.expect_err("it is missing");
    assert_says(&error, "read-only");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_reached_over_its_socket_too() {
    let Some((server, url)) = shared_database("socket").await else {
        return;
    };
    open(&url).await.increment(Bedrock, 8).await;
    let directory = server.socket_directory().display().to_string();
    let host = directory.replace('/', "%2F");
    let port = server.port();
    let store = open(&format!("postgres://effigy@{host}:{port}/socket")).await;
    assert_eq!(store.count(Bedrock).await, 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_of_the_database_come_with_advice() {
    let Some((_server, url)) = shared_database("errors_later").await else {
        return;
    };
    let store = open(&url).await;
    let pool = PgPool::connect(&url).await.unwrap();
    // A connection pooler that pools transactions loses prepared statements.
    let function = "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION USING ERRCODE = '26000'; END $$";
    execute(&pool, function).await;
    let trigger = "CREATE TRIGGER fail BEFORE INSERT ON images EXECUTE FUNCTION fail()";
    execute(&pool, trigger).await;
    let image = image("x");
    let written = store.write(&pictures(&[("key", &image)])).await;
    assert_says(&written.expect_err("it fails"), "`pool_mode = session`");

    let unknown = "INSERT INTO health_log VALUES (1, 1, 'mauve', '', 1)";
    execute(&pool, unknown).await;
    let error = store.recent(1).await.expect_err("there is no such status");
    assert_says(&error, "`mauve`");
}
