//! Every fault of an upstream, at every step of a look-up, at every endpoint: the response, what is
//! stored, and the recovery after the fault.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant, SystemTime},
};

use effigy_store::LIFETIME;

use crate::support::{Judge, Outcome, Picture, Server, faults, pictures};
use fixtures::client::Reply;
use fixtures::{FakeUpstream, Fault, Step};

/// The time limit of an upstream call.
const UPSTREAM_TIMEOUT: Duration = Duration::from_secs(2);

/// The size of every picture.
const SIZE: u32 = 64;

/// The longest time for a response: the limit of a look-up, and as much again for a busy machine.
const LONGEST: Duration = Duration::from_secs(40);

/// The time for which the service leaves an upstream alone after a 429 at least.
const SHORTEST_PAUSE: Duration = Duration::from_secs(1);

/// Longer than the service leaves an upstream alone after an error.
const PATIENCE: Duration = Duration::from_secs(120);

/// A kind of input, with the steps that its look-up takes.
struct Player {
    input: &'static str,
    skin: &'static str,
    steps: &'static [Step],
    is_bedrock: bool,
}

const PLAYERS: [Player; 4] = [
    Player {
        input: "Gwendolin",
        skin: "knight",
        steps: &[Step::Identity, Step::Session, Step::Texture],
        is_bedrock: false,
    },
    Player {
        input: "c6dceb80f13445b2a0ff90a3636b2840",
        skin: "fox",
        steps: &[Step::Session, Step::Texture],
        is_bedrock: false,
    },
    Player {
        input: ".SlimPocket",
        skin: "gardener",
        steps: &[Step::Xuid, Step::BedrockSkin, Step::Texture],
        is_bedrock: true,
    },
    Player {
        input: "00002535468413142004",
        skin: "diver",
        steps: &[Step::BedrockSkin, Step::Texture],
        is_bedrock: true,
    },
];

/// Returns `true` for a fault after which the service is left alone.
fn pauses(fault: &Fault) -> bool {
    matches!(fault, Fault::Status { code: 429, .. })
}

/// The outcome that the specification and the documents require.
fn expected(player: &Player, step: Step, fault: &Fault) -> Outcome {
    let is_harmless = matches!(fault, Fault::Slow(_) | Fault::LegacyForm(_));
    // Both look-ups are of one service, which is left alone as a whole.
    let is_needed = match step {
        Step::Xuid if pauses(fault) => player.is_bedrock,
        step => player.steps.contains(&step),
    };
    match step {
        _ if is_harmless || !is_needed => Outcome::Own,
        // Steve's texture is behind the same fault.
        Step::Texture => Outcome::Error,
        _ if player.is_bedrock => Outcome::Fallback,
        _ => Outcome::Error,
    }
}

/// A server for the faults of one step.
struct Trial<'a> {
    server: Server,
    judge: &'a Judge,
    step: Step,
    /// The time on the server's clock.
    hours: Arc<AtomicU32>,
}

impl Trial<'_> {
    /// Tries one fault with every player.
    fn check_fault(&self, number: usize, name: &str, fault: &Fault) {
        let upstream = &self.server.upstream;
        upstream.set_fault(self.step, Some(fault.clone()));
        // Every picture that was kept is too old by then.
        self.hours.fetch_add(1, Ordering::Relaxed);
        let begun = Instant::now();
        let mut judged = Vec::new();
        for player in &PLAYERS {
            let replies = self.ask_everywhere(player.input);
            // A pause that the look-up of another player began may be over by now.
            let is_own = player.steps.contains(&self.step) || !pauses(fault);
            if is_own || begun.elapsed() < SHORTEST_PAUSE {
                let outcome = expected(player, self.step, fault);
                let when = format!("{name} at {:?}", self.step);
                self.check(player, replies, &when, (outcome, "miss"));
                judged.push((player, outcome == Outcome::Own));
            }
        }
        upstream.set_fault(self.step, None);
        self.wait_until_healed(number);
        for (player, was_own) in judged {
            // Only the player's own picture has been stored.
            let x_cache = if was_own { "hit" } else { "miss" };
            let when = format!("after {name} at {:?}", self.step);
            let replies = self.ask_everywhere(player.input);
            self.check(player, replies, &when, (Outcome::Own, x_cache));
        }
    }

    /// Checks the outcomes of requests for every picture of a player.
    fn check(
        &self,
        player: &Player,
        replies: Vec<(Picture, Reply)>,
        when: &str,
        expected: (Outcome, &str),
    ) {
        for (picture, reply) in replies {
            let outcome = self.judge.outcome(&reply, picture, player.skin);
            let (wanted, x_cache) = expected;
            assert_eq!(
                outcome,
                Some(wanted),
                "{when}: {picture:?} of {}: {} {:?}",
                player.input,
                reply.status,
                reply.headers
            );
            let x_cache = (wanted != Outcome::Error).then_some(x_cache);
            assert_eq!(reply.header("x-cache"), x_cache, "{when}: {picture:?}");
        }
    }

    /// Requests every picture of a player at once.
    fn ask_everywhere(&self, input: &str) -> Vec<(Picture, Reply)> {
        let ask = |path: String| {
            let begun = Instant::now();
            let reply = self.server.get(&path);
            let took = begun.elapsed();
            assert!(took < LONGEST, "{path} took {took:?}");
            reply
        };
        thread::scope(|scope| {
            let asked = pictures(input, SIZE)
                .map(|(picture, path)| (picture, scope.spawn(move || ask(path))));
            let answered = asked.map(|(picture, reply)| (picture, reply.join().unwrap()));
            answered.into()
        })
    }

    /// Waits until backoff and circuit breakers let every player through again.
    fn wait_until_healed(&self, number: usize) {
        let begun = Instant::now();
        for player in &PLAYERS {
            let path = format!("/head/{}/{}", player.input, number + 1);
            let kept = |reply: &Reply| Some(reply.header("cache-control")?.starts_with("public"));
            while kept(&self.server.get(&path)) != Some(true) {
                let waited = begun.elapsed();
                assert!(waited < PATIENCE, "{} is never served", player.input);
                thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

/// Tries every fault at one step.
fn try_faults(judge: &Judge, step: Step) {
    let (begin, hours) = (SystemTime::now(), Arc::new(AtomicU32::new(0)));
    let passed = Arc::clone(&hours);
    let clock = move || begin + LIFETIME * passed.load(Ordering::Relaxed);
    let trial = Trial {
        server: Server::start_with(|settings| {
            settings.upstream.timeout = UPSTREAM_TIMEOUT;
            settings.clock = Arc::new(clock);
            settings.upstream.missing_player_ttl = Duration::ZERO;
        }),
        judge,
        step,
        hours,
    };
    let faults = faults();
    // The first answers take longer: textures are drawn, connections made.
    trial.wait_until_healed(faults.len());
    for (number, (name, fault)) in faults.iter().enumerate() {
        if !matches!(fault, Fault::LegacyForm(_)) || step == Step::Identity {
            trial.check_fault(number, name, fault);
        }
    }
    assert_nothing_is_left(&trial.server);
}

/// Asserts that no call, look-up or drawing is in flight.
fn assert_nothing_is_left(server: &Server) {
    let text = String::from_utf8(server.get("/metrics").body).unwrap();
    let in_flight = |line: &&str| line.contains("_in_flight") && !line.starts_with('#');
    let lines: Vec<&str> = text.lines().filter(in_flight).collect();
    assert!(lines.len() > Step::ALL.len(), "{text}");
    for line in lines {
        assert!(line.ends_with(" 0"), "{line}");
    }
}

#[test]
fn every_fault_at_every_step_at_every_endpoint() {
    let judge = &Judge::default();
    thread::scope(|scope| {
        for step in Step::ALL {
            scope.spawn(move || try_faults(judge, step));
        }
    });
}

#[test]
fn services_that_are_gone_and_back_are_used_within_two_seconds() {
    let mut server = Server::start();
    let judge = Judge::default();
    let outcomes = |server: &Server, size| {
        PLAYERS.map(|player| {
            let (picture, path) = pictures(player.input, size)[0].clone();
            judge.outcome(&server.get(&path), picture, player.skin)
        })
    };
    assert_eq!(outcomes(&server, SIZE), [Some(Outcome::Own); 4]);
    let address = server.upstream.url().replace("http://", "");
    server.upstream = FakeUpstream::start();
    for _ in 0..30 {
        // Not even the fallback skin is available; stored pictures are served.
        assert_eq!(outcomes(&server, 2 * SIZE), [Some(Outcome::Error); 4]);
        assert_eq!(outcomes(&server, SIZE), [Some(Outcome::Own); 4]);
    }
    server.upstream = FakeUpstream::bind(address.parse().unwrap()).unwrap();
    thread::sleep(Duration::from_secs(2));
    assert_eq!(outcomes(&server, 2 * SIZE), [Some(Outcome::Own); 4]);
}
