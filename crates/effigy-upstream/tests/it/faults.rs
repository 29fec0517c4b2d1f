//! Every fault at every step, for both editions: the outcome, and that it comes in time.

use std::thread;
use std::time::{Duration, Instant};

use fixtures::{Fault, Step};

use crate::support::canned::kind;
use crate::support::resolve::{Resolve as _, Resolved};
use crate::support::world::{World, assert_skin};

/// The timeout of a call that hangs.
const SHORT: Duration = Duration::from_secs(1);

/// The outcome of a fault, for calls that return JSON and for textures.
struct Row {
    fault: Fault,
    json: &'static str,
    texture: &'static str,
}

const fn row(fault: Fault, json: &'static str, texture: &'static str) -> Row {
    Row {
        fault,
        json,
        texture,
    }
}

fn rows() -> Vec<Row> {
    let refused = Fault::Status {
        code: 429,
        retry_after: Some(7),
    };
    let both = |fault, word| row(fault, word, word);
    let status = |code: u16, word| both(Fault::status(code), word);
    let broken = "the connection failed";
    let large = "the response is larger than 262144 bytes";
    let larger = "the response is larger than 1048576 bytes";
    let elsewhere = Fault::Redirect("http://127.0.0.1:1/".to_owned());
    vec![
        both(Fault::Slow(Duration::from_millis(30)), "right"),
        both(Fault::Drop, broken),
        row(Fault::status(204), "not found", "204"),
        status(400, "400"),
        status(401, "401"),
        status(403, "403"),
        status(404, "404"),
        status(410, "410"),
        status(429, "429"),
        both(refused, "429"),
        status(500, "500"),
        status(502, "502"),
        status(503, "503"),
        row(Fault::NotJson, "no object", "decode"),
        row(Fault::WrongPng, "no object", "decode"),
        row(Fault::EndlessBody, large, larger),
        both(Fault::TruncatedBody, broken),
        both(elsewhere, "302"),
    ]
}

#[test]
fn every_fault_at_every_step() {
    check_all(&rows());
}

/// A test of its own because it depends on real time, and the other faults keep the machine busy.
#[test]
fn no_answer_at_every_step() {
    let late = "no complete response in time";
    check_all(&[row(Fault::Hang, late, late)]);
}

fn check_all(rows: &[Row]) {
    thread::scope(|scope| {
        for step in Step::ALL {
            scope.spawn(move || rows.iter().for_each(|row| check(row, step)));
        }
    });
}

fn check(row: &Row, step: Step) {
    let expected = match step {
        Step::Texture => row.texture,
        _ => row.json,
    };
    let world = World::start();
    world.fake.set_fault(step, Some(row.fault.clone()));
    thread::scope(|scope| {
        for player in &PLAYERS {
            scope.spawn(|| player.check(&world, row, step, expected));
        }
    });
}

/// A player, the steps of the look-up, and the fixture skin.
struct Player(&'static str, &'static [Step], Option<&'static str>);

const PLAYERS: [Player; 3] = [
    Player(
        "Gwendolin",
        &[Step::Identity, Step::Session, Step::Texture],
        Some("knight"),
    ),
    Player(
        ".Bluejay",
        &[Step::Xuid, Step::BedrockSkin, Step::Texture],
        Some("diver"),
    ),
    Player(".NoPocketSkin", &[Step::Xuid, Step::BedrockSkin], None),
];

impl Player {
    fn check(&self, world: &World, row: &Row, step: Step, expected: &str) {
        let Self(input, steps, skin) = self;
        let expected = if steps.contains(&step) {
            expected
        } else {
            "right"
        };
        let found = match outcome(world, row, input) {
            Ok(resolved) => {
                assert_eq!(resolved.is_some(), skin.is_some());
                if let (Some(resolved), Some(skin)) = (&resolved, skin) {
                    assert_skin(resolved, skin);
                }
                "right".to_owned()
            }
            Err(word) => word,
        };
        assert_eq!(found, expected, "{input} {:?} {step:?}", row.fault);
    }
}

/// Resolves with a resolver of its own, and checks the time that it takes.
fn outcome(world: &World, row: &Row, input: &str) -> Result<Option<Resolved>, String> {
    let mut config = world.config();
    if row.fault == Fault::Hang {
        config.timeout = SHORT;
    }
    let start = Instant::now();
    let resolved = world.resolver(config).resolve_any(input);
    assert!(start.elapsed() < 20 * SHORT, "{:?}", row.fault);
    resolved.map_err(|error| {
        assert_eq!(error.is_outage(), kind(&error) != "not found", "{error:?}");
        kind(&error)
    })
}
