//! Every fault at every step over real sockets: the outcome, and that it comes in time.

use std::thread;
use std::time::{Duration, Instant};

use effigy_player::Model;
use effigy_upstream::{BaseUrl, Endpoints, ProviderChain, UpstreamConfig, UreqTransport};
use fixtures::{FakeUpstream, Fault, Step};

use crate::support::canned::kind;
use crate::support::resolve::Resolve as _;

/// The timeout of a call that hangs, and that of any other one.
const SHORT: Duration = Duration::from_secs(1);
const LONG: Duration = Duration::from_secs(60);

/// A fault, and its outcome for calls that return JSON and for textures.
type Row = (Fault, &'static str, &'static str);

#[test]
fn every_fault_at_every_step() {
    let rejected = Fault::Status {
        code: 429,
        retry_after: Some(7),
    };
    let broken = "the connection failed";
    let large = "the response is larger than 262144 bytes";
    let larger = "the response is larger than 1048576 bytes";
    let elsewhere = Fault::Redirect("http://127.0.0.1:1/".to_owned());
    check_all(&[
        (Fault::Slow(Duration::from_millis(30)), "right", "right"),
        (Fault::Drop, broken, broken),
        (Fault::TruncatedBody, broken, broken),
        (Fault::EndlessBody, large, larger),
        (Fault::NotJson, "no object", "decode"),
        (Fault::WrongPng, "no object", "decode"),
        (Fault::status(204), "not found", "204"),
        (elsewhere, "302", "302"),
        (Fault::status(400), "400", "400"),
        (Fault::status(401), "401", "401"),
        (Fault::status(403), "403", "403"),
        (Fault::status(404), "404", "404"),
        (Fault::status(410), "410", "410"),
        (Fault::status(429), "429", "429"),
        (rejected, "429", "429"),
        (Fault::status(500), "500", "500"),
        (Fault::status(503), "503", "503"),
    ]);
}

/// A test of its own because it depends on real time, and the other faults keep the machine busy.
#[test]
fn no_answer_at_every_step() {
    let late = "no complete response in time";
    check_all(&[(Fault::Hang, late, late)]);
}

fn check_all(rows: &[Row]) {
    thread::scope(|scope| {
        for step in Step::ALL {
            scope.spawn(move || rows.iter().for_each(|row| check(row, step)));
        }
    });
}

fn check((fault, json, texture): &Row, step: Step) {
    let expected = *if step == Step::Texture { texture } else { json };
    let (input, skin) = match step {
        Step::Xuid | Step::BedrockSkin => (".Bluejay", "diver"),
        _ => ("Gwendolin", "knight"),
    };
    let fake = FakeUpstream::start();
    fake.set_fault(step, Some(fault.clone()));
    let base = BaseUrl::parse(fake.url()).expect("a base url");
    let config = UpstreamConfig {
        endpoints: Endpoints {
            java_identity: base.clone(),
            java_session: base.clone(),
            bedrock_lookup: base.clone(),
            texture: base,
        },
        timeout: if *fault == Fault::Hang { SHORT } else { LONG },
        ..UpstreamConfig::default()
    };
    let transport = UreqTransport::new(None).expect("no contact is a good one");
    let chain = ProviderChain::new(transport, config).expect("a good configuration");
    let start = Instant::now();
    let resolved = chain.resolve(input);
    assert!(start.elapsed() < LONG / 3, "{fault:?}");
    match resolved {
        Ok(resolved) => {
            assert_eq!("right", expected, "{fault:?} {step:?}");
            let drawn = fixtures::skin(skin);
            assert_eq!(resolved.texture, drawn.png, "{skin}");
            assert_eq!(resolved.model == Model::Slim, drawn.slim, "{skin}");
        }
        Err(error) => {
            assert_eq!(kind(&error), expected, "{fault:?} {step:?}");
            assert_eq!(error.is_outage(), expected != "not found", "{error:?}");
        }
    }
}
