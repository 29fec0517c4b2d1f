//! A database that is locked, full or gone: pictures are served, the log says so once, and the
//! service recovers.

use std::ops::Range;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{LOG_TO_FILE, PostgresServer, Server, assert_refused, run};
use effigy_player::Edition;
use effigy_store::{Counts, SqlStore};
use fixtures::{assert_within, until};
use sqlx::{Connection, SqliteConnection};

/// The longest time for a picture on a busy machine.
const SOON: Duration = Duration::from_secs(20);

/// Requests pictures that are not in the cache.
fn draw(server: &Server, sizes: Range<u32>) {
    for size in sizes {
        let begun = Instant::now();
        let reply = server.get(&format!("/head/Gwendolin/{size}"));
        assert_eq!(reply.status, 200, "{size}");
        assert_within(SOON, begun);
    }
}

/// Asserts that a picture was drawn before.
#[track_caller]
fn assert_hit(server: &Server, size: u32) {
    let reply = server.get(&format!("/head/Gwendolin/{size}"));
    assert_eq!(reply.header("x-cache"), Some("hit"), "{size}");
}

fn count(server: &Server) -> Option<u64> {
    server.get("/allstats").json()["count"].as_u64()
}

/// Waits until the database takes writes again, and asserts that the log is short.
fn wait_for_recovery(server: &Server) {
    until("the database takes writes again", || {
        server.metric("effigy_database_writes_down") == 0.0
    });
    let log = server.log();
    assert!(log.lines().count() < 20, "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn locked_files_delay_writes() {
    let server = Server::start_with(&LOG_TO_FILE);
    draw(&server, 1..5);
    let url = format!("sqlite:{}", server.database().display());
    let mut other = SqliteConnection::connect(&url).await.unwrap();
    let lock = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    draw(&server, 5..30);
    // The count includes renders that are not written yet.
    assert_eq!(count(&server), Some(29));
    server.wait_for_log("accepts no writes");
    draw(&server, 30..50);
    assert_eq!(count(&server), Some(49));
    lock.rollback().await.unwrap();

    wait_for_recovery(&server);
    assert_eq!(count(&server), Some(49));
    let server = server.restart();
    assert_eq!(count(&server), Some(49));
    assert_hit(&server, 40);
}

#[test]
fn full_disks_delay_writes() {
    // A limit on the size of files has the effect of a full disk. With `trap` a write fails with an
    // error instead of a signal.
    let limited = "trap '' XFSZ; ulimit -S -f 900; exec \"$@\"";
    let server = Server::start_by(&["sh", "-c", limited, "sh"], &LOG_TO_FILE);
    let mut size = 1;
    until("the disk is full", || {
        draw(&server, size..size + 1);
        size += 1;
        server.log().contains("accepts no writes")
    });
    draw(&server, size..size + 50);
    size += 50;
    let process = server.process().to_string();
    let mut prlimit = Command::new("prlimit");
    prlimit.args(["--pid", &process, "--fsize=unlimited"]);
    assert!(prlimit.status().unwrap().success());
    wait_for_recovery(&server);
    assert_eq!(count(&server), Some(u64::from(size) - 1));
    let server = server.restart();
    assert_eq!(count(&server), Some(u64::from(size) - 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_served_while_postgres_is_stopped() {
    let Some(mut postgres) = PostgresServer::start() else {
        return;
    };
    let url = postgres.url("postgres");
    let server = Server::start_with(&[LOG_TO_FILE[0], LOG_TO_FILE[1], "--database-url", &url]);
    draw(&server, 1..20);
    postgres.stop();
    draw(&server, 20..120);
    server.wait_for_log("accepts no writes");
    server.wait_for_log("served without the database");
    // Pictures in memory are served, but the count needs the database.
    assert_hit(&server, 5);
    assert_eq!(server.get("/allstats").status, 500);

    postgres.restart();
    wait_for_recovery(&server);
    draw(&server, 120..130);
    // Reads are tried again after a moment.
    thread::sleep(Duration::from_millis(1_100));
    draw(&server, 130..140);
    assert_eq!(server.metric("effigy_database_reads_down"), 0.0);
    wait_for_recovery(&server);
    assert_eq!(count(&server), Some(139));
    let server = server.restart_with(&["--database-url", &url]);
    assert_hit(&server, 70);
    let store = SqlStore::open(&url).await.unwrap();
    assert_eq!(store.counts().await.unwrap()[0], (Edition::Java, 139));
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_start_while_postgres_is_down() {
    let Some(mut postgres) = PostgresServer::start() else {
        return;
    };
    let url = postgres.url("postgres");
    postgres.stop();
    let server = Server::start_with(&[LOG_TO_FILE[0], LOG_TO_FILE[1], "--database-url", &url]);
    server.wait_for_log("nothing is stored until the database is there");
    server.wait_for_log("Connection refused");
    draw(&server, 1..20);
    assert_eq!(server.get("/readyz").status, 200);
    assert_eq!(server.get("/health").status, 503);
    assert_eq!(server.get("/allstats").status, 500);
    server.wait_for_log("accepts no writes");

    postgres.restart();
    server.wait_for_log("the database is open");
    wait_for_recovery(&server);
    assert_eq!(count(&server), Some(19));
    let server = server.restart_with(&["--database-url", &url]);
    assert_hit(&server, 7);
    // The command doesn't wait for a database: its caller wants rows deleted now.
    postgres.stop();
    let pruned = run(&["prune", "--database-url", &url]);
    assert_refused(&pruned, 1, &["cannot open the database", "refused"]);
}
