//! A soak test: many requests while the upstream services fail at random. Each request gets a
//! response of the specification, no wrong picture is cached, and memory stays flat.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Debug;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use fixtures::client::{Connection, Reply};
use fixtures::{Fault, Step};

use crate::support::{ERRORS, Judge, Outcome, Server, pictures, text};

/// The number of requests, unless `EFFIGY_SOAK_REQUESTS` is set.
const REQUESTS: u64 = 20_000;

/// The seed of requests and faults, unless `EFFIGY_SOAK_SEED` is set.
const SEED: u64 = 6;

/// The number of clients. Each sends one request after the other.
const CLIENTS: u64 = 16;

/// The number of requests after which the fault changes.
const REQUESTS_PER_FAULT: u64 = 200;

/// The size of most pictures, so that some requests are hits.
const USUAL: u32 = 64;

/// The growth of memory that is allowed after the first quarter, in MB, for what the allocator
/// retains.
const SLACK: f64 = 16.0;

/// The time until all pictures are served after the faults. It is longer than an upstream service
/// is left alone after an error.
const PATIENCE: Duration = Duration::from_secs(120);

/// Players and their skins: Java players by name and UUID, Bedrock players by gamertag and XUID.
const PLAYERS: [(&str, &str); 10] = [
    ("Gwendolin", "knight"),
    ("Reynard", "fox"),
    ("servo", "robot"),
    ("82f205300fc04735b59c929f53f63d37", "wizard"),
    ("59fc46c6-d642-40f8-a21a-348e96e85f0f", "ninja"),
    ("MELCHIOR", "wizard"),
    (".Bluejay", "diver"),
    (".Two%20Words", "scientist"),
    ("00002535405375137597", "gardener"),
    ("00000000-0000-0000-0009-01febe1ac3f4", "diver"),
];

/// Paths that need no upstream, with the status of the response.
const OTHERS: [(&str, u16); 5] = [
    ("/avatar/Gwendolin/up", 400),
    ("/head/%zz", 400),
    ("/nowhere", 404),
    ("/minecraft/mhf", 200),
    ("/allstatsSorted", 200),
];

/// The number of responses of each kind, and the memory of the server at each quarter, in MB.
#[derive(Debug, Default)]
struct Tally {
    answers: BTreeMap<String, u64>,
    memory: Vec<f64>,
}

struct Soak {
    server: Server,
    judge: Judge,
    requests: u64,
    seed: u64,
    next: AtomicU64,
    tally: Mutex<Tally>,
}

impl Soak {
    /// Runs one client until all requests are sent.
    fn ask(&self, client: u64) {
        let mut random = Rng::with_seed(self.seed + client);
        let mut connection = Connection::open(self.server.address()).unwrap();
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.requests {
                return;
            }
            if number.is_multiple_of(REQUESTS_PER_FAULT) {
                self.change_fault(number);
            }
            if (number + 1).is_multiple_of(self.requests / 4) {
                let bytes = self.server.metric("process_resident_memory_bytes");
                self.tally.lock().unwrap().memory.push(bytes / 1e6);
            }
            let answer = self.request(&mut random, &mut connection);
            let mut tally = self.tally.lock().unwrap();
            *tally.answers.entry(answer).or_default() += 1;
        }
    }

    /// Sets a random fault at a random step, or removes the fault.
    fn change_fault(&self, number: u64) {
        let mut random = Rng::with_seed(self.seed ^ number);
        let upstream = &self.server.upstream;
        upstream.set_fault_everywhere(None);
        if random.u8(..3) > 0 {
            let fault = random.choice(faults());
            upstream.set_fault(random.choice(Step::ALL).unwrap(), fault);
        }
    }

    /// Sends a random request and returns the kind of its response.
    fn request(&self, random: &mut Rng, connection: &mut Connection) -> String {
        if random.u8(..50) == 0 {
            let (path, status) = random.choice(OTHERS).unwrap();
            let reply = connection.get(path);
            assert_eq!(reply.status, status, "{path}");
            return "no picture".to_owned();
        }
        let (input, skin) = random.choice(PLAYERS).unwrap();
        let is_unusual = random.u8(..4) == 0;
        let size = if is_unusual {
            random.u32(8..208)
        } else {
            USUAL
        };
        let pictures = pictures(input, size);
        let endpoint = random.usize(..pictures.len());
        let (picture, path) = &pictures[endpoint];
        let reply = connection.get(path);
        let outcome = self.judge.outcome(&reply, *picture, ERRORS[endpoint], skin);
        let is_java = !input.starts_with(['.', '0']);
        match outcome {
            Some(Outcome::Fallback) if is_java => panic!("{path}: a fallback for a Java player"),
            Some(Outcome::Fallback) => "a fallback".to_owned(),
            Some(Outcome::Error) => "an error".to_owned(),
            Some(Outcome::Own) => format!("a {}", reply.header("x-cache").unwrap()),
            None => panic!("{path}: {} {:?}", reply.status, reply.headers),
        }
    }

    /// Asserts that without faults every picture is served, and nothing stays in flight.
    fn assert_healed(&self) {
        self.server.upstream.set_fault_everywhere(None);
        let begun = Instant::now();
        for (input, skin) in PLAYERS {
            for ((picture, path), message) in pictures(input, USUAL).iter().zip(ERRORS) {
                let outcome = |reply: &Reply| self.judge.outcome(reply, *picture, message, skin);
                while outcome(&self.server.get(path)) != Some(Outcome::Own) {
                    assert!(begun.elapsed() < PATIENCE, "{path} never comes back");
                    thread::sleep(Duration::from_millis(20));
                }
            }
        }
        let metrics = text(&self.server.get("/metrics").body);
        for line in metrics.lines().filter(|line| line.contains("_in_flight")) {
            assert!(line.starts_with('#') || line.ends_with(" 0"), "{line}");
        }
    }
}

/// Returns the ways in which an upstream service fails.
fn faults() -> Vec<Fault> {
    let legacy = |fault| Fault::LegacyForm(Box::new(fault));
    // A longer pause would outlast the test.
    let limited = |code| Fault::Status {
        code,
        retry_after: Some(1),
    };
    let statuses = [400, 404, 500, 503].map(Fault::status);
    let others = [
        Fault::Slow(Duration::from_millis(20)),
        Fault::Hang,
        Fault::Drop,
        limited(403),
        limited(429),
        legacy(Fault::status(403)),
        legacy(Fault::status(404)),
        legacy(Fault::status(410)),
        Fault::NotJson,
        Fault::WrongPng,
        Fault::EndlessBody,
        Fault::TruncatedBody,
        Fault::Redirect("http://127.0.0.1:1/".to_owned()),
    ];
    statuses.into_iter().chain(others).collect()
}

fn setting<T: FromStr<Err: Debug>>(name: &str, default: T) -> T {
    env::var(name).map_or(default, |value| value.parse().unwrap())
}

#[test]
fn no_request_goes_wrong_while_upstreams_fail() {
    let arguments = ["--upstream-timeout", "300ms", "--memory-cache", "4MiB"];
    let soak = Soak {
        server: Server::start_with(&arguments),
        judge: Judge::default(),
        requests: setting("EFFIGY_SOAK_REQUESTS", REQUESTS),
        seed: setting("EFFIGY_SOAK_SEED", SEED),
        next: AtomicU64::new(0),
        tally: Mutex::default(),
    };
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let soak = &soak;
            scope.spawn(move || soak.ask(client));
        }
    });
    soak.assert_healed();
    let tally = soak.tally.into_inner().unwrap();
    assert_eq!(tally.answers.values().sum::<u64>(), soak.requests);
    // Fallbacks are not certain: one service must fail while another one answers.
    for kind in ["a hit", "a miss", "an error", "no picture"] {
        assert!(tally.answers.contains_key(kind), "{kind}: {tally:?}");
    }
    if cfg!(target_os = "linux") {
        let first = tally.memory[0];
        let last = tally.memory[3];
        assert!(last < first + SLACK, "{tally:?}");
    }
}
