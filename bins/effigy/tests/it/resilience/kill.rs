//! The database after the process was killed at any moment.

use std::{
    env,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant, SystemTime},
};

use crate::support::{Server, drawn, head};
use bytes::Bytes;
use effigy_render::Layers;
use effigy_store::{CachedImage, Counts, LIFETIME, Pictures, SqlStore, WriteBatch, Writes};
use fixtures::{PATIENCE, client::try_get};

const ROUNDS: usize = 5;

const ROUND: Duration = Duration::from_millis(1_200);

/// A picture that was served this long before the kill has been written. The writer itself waits for
/// 10 ms; the rest is for a busy machine.
const WRITTEN: Duration = Duration::from_secs(1);

/// A picture that was served: its size, which no other request has, and the time.
type Answered = (u32, Instant);

fn key(size: u32) -> String {
    format!("head_gwendolin_{size}_default")
}

const CLIENTS: usize = 3;

/// Requests one new picture after the other until the server is gone.
fn ask_until_killed(address: &str, next: &AtomicU32) -> Vec<Answered> {
    let mut answered = Vec::new();
    loop {
        let size = next.fetch_add(1, Ordering::SeqCst);
        let Some(reply) = try_get(address, &format!("/head/Gwendolin/{size}")) else {
            return answered;
        };
        assert_eq!(reply.status, 200);
        answered.push((size, Instant::now()));
    }
}

/// Kills the server under load and returns the pictures that it served.
fn round(server: &Server, next: &AtomicU32) -> Vec<Answered> {
    thread::scope(|scope| {
        let client = || scope.spawn(|| ask_until_killed(server.address(), next));
        let clients = [(); CLIENTS].map(|()| client());
        thread::sleep(ROUND);
        server.signal("KILL");
        let answered = clients.map(|client| client.join().unwrap());
        answered.into_iter().flatten().collect()
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn no_kill_tears_an_entry_or_loses_what_was_written() {
    let rounds = env::var("EFFIGY_KILL_ROUNDS").map_or(ROUNDS, |rounds| rounds.parse().unwrap());
    let mut server = Server::start();
    let next = AtomicU32::new(1);
    let mut due = Vec::new();
    for _ in 0..rounds {
        let answered = round(&server, &next);
        let killed = Instant::now();
        server = server.kill_and_restart();
        let old = answered
            .into_iter()
            .filter(|(_, at)| killed - *at > WRITTEN);
        due.extend(old.map(|(size, _)| size));
    }
    server.kill();
    assert!(!due.is_empty(), "nothing was answered in good time");

    let url = format!("sqlite:{}", server.database().display());
    let store = SqlStore::open(&url).await.unwrap();
    let now = SystemTime::now();
    for size in 1..next.load(Ordering::SeqCst) {
        let found = store.lookup(&key(size), now, LIFETIME).await.unwrap();
        match found {
            // The renderer draws the same bytes each time, so a torn file could not be equal.
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

/// The maximum size is that of `effigy prune`, which opens the database in the same way.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_deletes_expired_pictures_when_it_starts() {
    let server = Server::start();
    let url = format!("sqlite:{}", server.database().display());
    let store = SqlStore::open(&url).await.unwrap();
    // As of its time, a picture is not expired.
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

#[test]
fn a_service_that_ignores_hangups_outlives_its_terminal() {
    let ignoring = "trap '' HUP; exec \"$@\"";
    let server = Server::start_by(&["sh", "-c", ignoring, "sh"], &[]);
    server.signal("HUP");
    for size in 1..5 {
        assert_eq!(server.get(&format!("/head/Gwendolin/{size}")).status, 200);
    }
}
