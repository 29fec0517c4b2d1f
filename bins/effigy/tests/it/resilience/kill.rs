//! The database after the process was killed at any moment, and after a restart.

use std::env;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::support::{Server, drawn, head};
use bytes::Bytes;
use effigy_render::Layers;
use effigy_store::{CachedImage, Counts, LIFETIME, Pictures, SqlStore, WriteBatch, Writes};
use fixtures::{PATIENCE, client::try_get};

/// The number of kills, unless `EFFIGY_KILL_ROUNDS` is set.
const ROUNDS: usize = 5;

/// The time until a kill.
const ROUND: Duration = Duration::from_millis(1_200);

/// The time before the kill at which a served picture is written for certain. The writer waits for
/// 10 ms; the rest is for a busy machine.
const WRITTEN: Duration = Duration::from_secs(1);

/// A picture that was served.
struct Served {
    /// The size, which no other request has.
    size: u32,
    time: Instant,
}

fn key(size: u32) -> String {
    format!("head_gwendolin_{size}_default")
}

/// The number of clients that request pictures.
const CLIENTS: usize = 3;

/// Requests one new picture after the other until the server is gone.
fn ask_until_killed(address: &str, next: &AtomicU32) -> Vec<Served> {
    let mut served = Vec::new();
    loop {
        let size = next.fetch_add(1, Ordering::SeqCst);
        let Some(reply) = try_get(address, &format!("/head/Gwendolin/{size}")) else {
            return served;
        };
        assert_eq!(reply.status, 200);
        served.push(Served {
            size,
            time: Instant::now(),
        });
    }
}

/// Kills the server under load, and returns the pictures that it served.
fn kill_under_load(server: &Server, next: &AtomicU32) -> Vec<Served> {
    thread::scope(|scope| {
        let mut clients = Vec::new();
        for _ in 0..CLIENTS {
            clients.push(scope.spawn(|| ask_until_killed(server.address(), next)));
        }
        thread::sleep(ROUND);
        server.signal("KILL");
        let mut served = Vec::new();
        for client in clients {
            served.extend(client.join().unwrap());
        }
        served
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn no_kill_tears_or_loses_written_pictures() {
    let rounds = env::var("EFFIGY_KILL_ROUNDS").map_or(ROUNDS, |rounds| rounds.parse().unwrap());
    let mut server = Server::start();
    let next = AtomicU32::new(1);
    let mut due = Vec::new();
    for _ in 0..rounds {
        let served = kill_under_load(&server, &next);
        let killed = Instant::now();
        server = server.kill_and_restart();
        for picture in served {
            if killed - picture.time > WRITTEN {
                due.push(picture.size);
            }
        }
    }
    server.kill();
    assert!(!due.is_empty(), "nothing was answered in good time");

    let url = format!("sqlite:{}", server.database().display());
    let store = SqlStore::open(&url).await.unwrap();
    let now = SystemTime::now();
    for size in 1..next.load(Ordering::SeqCst) {
        let found = store.lookup(&key(size), now, LIFETIME).await.unwrap();
        match found {
            // The renderer draws the same bytes each time, so a torn file isn't equal.
            Some(file) => {
                let expected = drawn(head(Layers::Base, size), "knight");
                assert_eq!(file.data, expected, "{size}");
            }
            None => assert!(!due.contains(&size), "{size} was not stored"),
        }
    }
    let (_, counted) = store.counts().await.unwrap()[0];
    let asked = u64::from(next.load(Ordering::SeqCst));
    assert!(counted < asked, "{counted} of {asked}");
    assert!(
        counted >= due.len() as u64,
        "{counted}, {} were due",
        due.len()
    );
}

/// The tests of `effigy prune` have the maximum size, which is read in the same way.
#[tokio::test(flavor = "multi_thread")]
async fn starts_delete_expired_pictures() {
    let server = Server::start();
    let url = format!("sqlite:{}", server.database().display());
    let store = SqlStore::open(&url).await.unwrap();
    // Looked up with the time of its creation, a picture isn't expired.
    let then = SystemTime::now() - Duration::from_secs(24 * 3600);
    let image = CachedImage {
        data: Bytes::from_static(b"old"),
        content_type: "image/png".to_owned(),
        created_at: then,
    };
    let batch = WriteBatch {
        pictures: &[("expired", &image)],
        ..WriteBatch::new(then)
    };
    store.write(&batch).await.unwrap();
    let is_there = async |key, at| store.lookup(key, at, LIFETIME).await.unwrap().is_some();
    assert_eq!(server.get("/head/Gwendolin").status, 200);
    let _server = server.restart();
    assert!(is_there("head_gwendolin_default_default", SystemTime::now()).await);
    let patience = Instant::now() + PATIENCE;
    while is_there("expired", then).await {
        assert!(Instant::now() < patience, "nothing was deleted");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
