//! Several processes on one PostgreSQL share pictures and counts, and may start and end at any time.

use std::{
    sync::{
        RwLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use crate::support::{PostgresServer, Server, services};
use fixtures::client::try_get;
use fixtures::{FakeUpstream, Fault, Step};

/// The number of keys, and of requests for each.
const KEYS: usize = 120;
const TIMES: usize = 8;

#[test]
fn one_is_killed_and_one_is_started_under_load() {
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    let url = postgres.url("postgres");
    let start = || Server::start_with(&["--database-url", &url]);
    let (first, mut second, third) = (start(), start(), start());
    let address = |server: &Server| server.address().to_owned();
    let addresses = RwLock::new([&first, &second, &third].map(address));
    // Requests go to the replicas in turn, and to the next one after a failure.
    let get = |turn: usize, path: &str| {
        let mut replies = (turn..turn + 10).map(|turn| {
            let address = addresses.read().unwrap()[turn % 3].clone();
            try_get(&address, path)
        });
        let reply = replies.find_map(|reply| reply);
        reply.expect("a replica answers")
    };
    let next = AtomicUsize::new(0);
    let fourth = thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                loop {
                    let turn = next.fetch_add(1, Ordering::SeqCst);
                    if turn >= KEYS * TIMES {
                        return;
                    }
                    let path = format!("/head/Gwendolin/{}", 1 + turn % KEYS);
                    let reply = get(turn, &path);
                    assert_eq!(reply.status, 200, "{turn}");
                }
            });
        }
        let asked = |part: usize| {
            while next.load(Ordering::SeqCst) < KEYS * TIMES * part / 4 {
                thread::sleep(Duration::from_millis(1));
            }
        };
        asked(1);
        second.kill();
        asked(2);
        let fourth = start();
        *addresses.write().unwrap() = [&first, &third, &fourth].map(address);
        fourth
    });
    // Each key was drawn about once. The rest were drawn by two replicas at once, or lost with the
    // killed one before they were written.
    let renders = renders(&fourth);
    assert!(renders >= KEYS as u64 * 9 / 10, "{renders}");
    assert!(
        renders <= KEYS as u64 * 3 / 2,
        "{renders} renders of {KEYS} keys"
    );
    // All see the same, once it is written.
    drop((first, third));
    for key in 1..=KEYS {
        let reply = fourth.get(&format!("/head/Gwendolin/{key}"));
        assert_eq!(reply.header("x-cache"), Some("hit"), "{key}");
    }
}

/// Waits until the count no longer changes.
fn renders(server: &Server) -> u64 {
    let count = || server.get("/allstats").json()["count"].as_u64().unwrap();
    loop {
        let before = count();
        thread::sleep(Duration::from_millis(500));
        if count() == before {
            return before;
        }
    }
}

/// The log of health checks is in the database that they share.
#[test]
fn each_reports_its_own_health() {
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    let url = postgres.url("postgres");
    let start = || Server::start_with(&["--database-url", &url]);
    let (well, mut cut_off) = (start(), start());
    let refusing = Fault::status(500);
    cut_off.upstream.set_fault_everywhere(Some(&refusing));
    for _ in 0..3 {
        for (server, status, color) in [(&well, 200, "green"), (&cut_off, 503, "red")] {
            let report = server.get("/health");
            let found = (report.status, report.json()["status"].clone());
            assert_eq!(found, (status, color.into()));
            assert_eq!(server.get("/readyz").status, 200);
        }
        // A report is reused for a second.
        thread::sleep(Duration::from_millis(1_100));
    }
    cut_off.signal("TERM");
    assert_eq!(cut_off.wait(), Some(0));
    assert_eq!(well.get("/health").json()["status"], "green");
}

/// One of two replicas checks a player for both, and the other one shows the new skin without
/// asking again.
#[test]
fn one_replica_checks_a_player_for_the_other() {
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    let upstream = FakeUpstream::start();
    let url = postgres.url("postgres");
    let services = services(&upstream);
    let mut flags = vec!["--database-url", &url, "--fresh", "4s"];
    flags.extend(services.iter().map(String::as_str));
    let start = || Server::start_with(&flags);
    let (first, second) = (start(), start());
    let face = |server: &Server| {
        let reply = server.get("/v1/face/Gwendolin?size=32");
        assert_eq!(reply.status, 200);
        reply.body
    };
    let before = face(&first);
    assert!(face(&second) == before);

    upstream.set_skin("Gwendolin", "robot");
    // The fake upstream is checked at most every 5 s.
    thread::sleep(Duration::from_secs(6));
    let after = face(&first);
    assert!(after != before, "the first replica shows the new skin");
    // Checks are stored within a moment.
    thread::sleep(Duration::from_secs(1));
    let calls = upstream.calls(Step::Session);
    assert!(face(&second) == after, "the second replica shows it too");
    assert_eq!(upstream.calls(Step::Session), calls);
}
