//! Several servers on one PostgreSQL, which share pictures and counts and may start and end at any
//! time.

use std::sync::RwLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use fixtures::client::{Reply, try_get};
use fixtures::{FakeUpstream, Fault, Step};

use crate::support::{PostgresServer, Server, services};

/// The number of pictures that are requested.
const PICTURES: usize = 120;

/// The number of requests: several for each picture.
const REQUESTS: usize = 8 * PICTURES;

/// The number of clients that send the requests.
const CLIENTS: usize = 6;

/// Requests that go to three replicas in turn.
struct Load {
    addresses: RwLock<[String; 3]>,
    next: AtomicUsize,
}

impl Load {
    fn new(replicas: [&Server; 3]) -> Self {
        Self {
            addresses: RwLock::new(addresses(replicas)),
            next: AtomicUsize::new(0),
        }
    }

    fn replace(&self, replicas: [&Server; 3]) {
        *self.addresses.write().unwrap() = addresses(replicas);
    }

    /// Runs one client until all requests are sent.
    fn run(&self) {
        loop {
            let number = self.next.fetch_add(1, Ordering::SeqCst);
            if number >= REQUESTS {
                return;
            }
            let reply = self.get(number);
            assert_eq!(reply.status, 200, "{number}");
        }
    }

    /// Sends a request to a replica, and to the next one after a failure.
    fn get(&self, number: usize) -> Reply {
        let path = format!("/head/Gwendolin/{}", 1 + number % PICTURES);
        for attempt in number..number + 10 {
            let address = self.addresses.read().unwrap()[attempt % 3].clone();
            if let Some(reply) = try_get(&address, &path) {
                return reply;
            }
        }
        panic!("no replica answers");
    }

    /// Waits until this many quarters of the requests are sent.
    fn wait_for_quarters(&self, quarters: usize) {
        while self.next.load(Ordering::SeqCst) < REQUESTS * quarters / 4 {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn addresses(replicas: [&Server; 3]) -> [String; 3] {
    replicas.map(|replica| replica.address().to_owned())
}

#[test]
fn replicas_may_be_killed_and_started_under_load() {
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    let url = postgres.url("postgres");
    let start = || Server::start_with(&["--database-url", &url]);
    let first = start();
    let mut second = start();
    let third = start();
    let load = Load::new([&first, &second, &third]);
    let fourth = thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| load.run());
        }
        load.wait_for_quarters(1);
        second.kill();
        load.wait_for_quarters(2);
        let fourth = start();
        load.replace([&first, &third, &fourth]);
        fourth
    });
    // Each picture is drawn about once. Some are drawn by two replicas at the same time, and some
    // renders of the killed one are not counted.
    let renders = renders(&fourth);
    assert!(renders >= PICTURES as u64 * 9 / 10, "{renders}");
    assert!(renders <= PICTURES as u64 * 3 / 2, "{renders}");
    // The other replicas write everything when they stop.
    drop(first);
    drop(third);
    for size in 1..=PICTURES {
        let reply = fourth.get(&format!("/head/Gwendolin/{size}"));
        assert_eq!(reply.header("x-cache"), Some("hit"), "{size}");
    }
}

/// Returns the number of renders once it doesn't change any more.
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

/// The replicas share the log of health checks, which is in the database.
#[test]
fn replicas_report_their_own_health() {
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    let url = postgres.url("postgres");
    let start = || Server::start_with(&["--database-url", &url]);
    let well = start();
    let mut cut_off = start();
    let refusing = Fault::status(500);
    cut_off.upstream.set_fault_everywhere(Some(&refusing));
    for _ in 0..3 {
        for (server, status, color) in [(&well, 200, "green"), (&cut_off, 503, "red")] {
            let report = server.get("/health");
            assert_eq!(report.status, status);
            assert_eq!(report.json()["status"], color);
            assert_eq!(server.get("/readyz").status, 200);
        }
        // A report is reused for a second.
        thread::sleep(Duration::from_millis(1_100));
    }
    cut_off.signal("TERM");
    assert_eq!(cut_off.wait(), Some(0));
    assert_eq!(well.get("/health").json()["status"], "green");
}

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
    let first = start();
    let second = start();
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
