//! Several Java names in one call.

use std::fs;
use std::time::Duration;

use effigy_player::{PlayerId, Uuid};
use effigy_upstream::{
    FoundNames, ProviderChain, RateLimit, RateLimits, SkinSource as _, UpstreamConfig,
    UpstreamError,
};
use fixtures::{Fault, Step, player};
use serde_json::json;
use tempfile::TempDir;

use crate::support::canned::{Answer, Canned, NOTCH, kind};
use crate::support::resolve::Resolve as _;
use crate::support::world::World;

const LEGACY: &str = "bulk";
const CURRENT: &str = "bulk-current";

/// An account that is not Notch's.
const OTHER: &str = "853c80ef3c3749fdaa49938b674adae6";

fn accounts(accounts: &[(&str, &str)]) -> Answer {
    let records = accounts
        .iter()
        .map(|(name, id)| json!({ "id": id, "name": name }));
    Answer::ok(serde_json::Value::from_iter(records).to_string())
}

fn look_up(resolver: &ProviderChain, names: &[&str]) -> Result<FoundNames, UpstreamError> {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    resolver.java_uuids(&names)
}

fn found(names: &[(&str, Option<&str>)]) -> FoundNames {
    let rows = names
        .iter()
        .map(|(name, uuid)| ((*name).to_owned(), uuid.and_then(Uuid::parse)));
    rows.collect()
}

#[test]
fn names_match_in_any_case_and_the_others_are_nobodys() {
    let answer = accounts(&[("jeb_", OTHER), ("Notch", NOTCH), ("Unasked", OTHER)]);
    let upstream = Canned::new().on(LEGACY, answer);
    let resolver = upstream.resolver();
    let outcome = look_up(&resolver, &["notch", "Nobody", "JEB_"]).unwrap();
    let expected = [
        ("notch", Some(NOTCH)),
        ("Nobody", None),
        ("JEB_", Some(OTHER)),
    ];
    assert_eq!(outcome, found(&expected));
    let requests = upstream.requests();
    let posted: Vec<_> = requests
        .iter()
        .map(|request| request.json.as_deref())
        .collect();
    assert_eq!(posted, [Some(&br#"["notch","Nobody","JEB_"]"#[..])]);

    // That nobody has a name is remembered, for the other look-ups too.
    let outcome = look_up(&resolver, &["nobody"]).unwrap();
    assert_eq!(outcome, found(&[("nobody", None)]));
    let nobody = resolver.resolve(&PlayerId::JavaName("NOBODY".to_owned()));
    assert_eq!(kind(&nobody.unwrap_err()), "not found");
    assert_eq!(upstream.calls(), [""; 0]);
}

#[test]
fn ten_names_take_one_call() {
    let upstream = Canned::new().on(LEGACY, accounts(&[]));
    let names: Vec<String> = (0..23).map(|number| format!("Nobody{number}")).collect();
    let outcome = upstream.resolver().java_uuids(&names).unwrap();
    assert_eq!(outcome.len(), 23);
    let lengths: Vec<usize> = upstream
        .requests()
        .iter()
        .map(|request| serde_json::from_slice::<Vec<String>>(request.json.as_ref().unwrap()))
        .map(|names| names.unwrap().len())
        .collect();
    assert_eq!(lengths, [10, 10, 3]);
}

#[test]
fn names_that_no_account_can_have_are_not_sent() {
    let upstream = Canned::new();
    let long = "x".repeat(26);
    let names = [long.as_str(), "é", "a/b"];
    let outcome = look_up(&upstream.resolver(), &names).unwrap();
    assert_eq!(outcome, found(&names.map(|name| (name, None))));
    assert_eq!(upstream.calls(), [""; 0]);
}

#[test]
fn names_of_old_accounts_do_not_spoil_a_call() {
    let upstream = Canned::new().on(LEGACY, accounts(&[("Notch", NOTCH)]));
    let names = ["Two Words", "Notch", "a-b", "Seventeen_Letters"];
    let outcome = look_up(&upstream.resolver(), &names).unwrap();
    assert_eq!(outcome, found(&[("Notch", Some(NOTCH))]));
    let requests = upstream.requests();
    assert_eq!(requests[0].json.as_deref(), Some(&br#"["Notch"]"#[..]));
    assert_eq!(requests.len(), 1);
}

#[test]
fn answers_and_the_forms_that_are_tried() {
    let good = accounts(&[("Notch", NOTCH)]);
    let gone = || Answer::file(404, "gone.html");
    let both: &[&str] = &[LEGACY, CURRENT];
    // The outcome "one by one" means that the other look-ups have to be used.
    let rows = [
        (good.clone(), gone(), "found", &both[..1]),
        (Answer::status(404), good.clone(), "found", both),
        (gone(), good.clone(), "found", both),
        (Answer::status(403), good.clone(), "found", both),
        (Answer::status(405), good.clone(), "found", both),
        (Answer::status(410), good, "found", both),
        (gone(), gone(), "one by one", both),
        (Answer::status(403), Answer::status(403), "one by one", both),
        (gone(), Answer::status(400), "one by one", both),
        (Answer::status(400), gone(), "one by one", &both[..1]),
        (gone(), Answer::status(500), "500", both),
        (Answer::status(429), gone(), "429", &both[..1]),
        (Answer::status(503), gone(), "503", &both[..1]),
        (Answer::status(204), gone(), "204", &both[..1]),
        (
            Answer::file(200, "gone.html"),
            gone(),
            "not json",
            &both[..1],
        ),
        (Answer::ok("{}"), gone(), "id", &both[..1]),
        (Answer::ok(r#"[{"id":"x"}]"#), gone(), "id", &both[..1]),
        (accounts(&[("notch", "x")]), gone(), "id", &both[..1]),
        (
            Answer::Hang,
            gone(),
            "no complete response in time",
            &both[..1],
        ),
    ];
    for (legacy, current, expected, calls) in rows {
        let upstream = Canned::new()
            .on(LEGACY, legacy.clone())
            .on(CURRENT, current.clone());
        let outcome = look_up(&upstream.resolver(), &["Notch"]);
        let outcome = match &outcome {
            Ok(names) if names.is_empty() => "one by one".to_owned(),
            Ok(names) => {
                assert_eq!(*names, found(&[("Notch", Some(NOTCH))]));
                "found".to_owned()
            }
            Err(error) => kind(error),
        };
        assert_eq!(outcome, expected, "{legacy:?} {current:?}");
        assert_eq!(upstream.calls(), calls, "{legacy:?} {current:?}");
    }
}

#[test]
fn a_service_without_it_is_asked_again_after_a_minute() {
    let upstream = Canned::new().on("*", Answer::status(404));
    let resolver = upstream.resolver();
    for (pause, calls) in [(0, 2), (0, 0), (59, 0), (1, 2)] {
        upstream.pass(Duration::from_secs(pause));
        assert_eq!(look_up(&resolver, &["Notch"]).unwrap(), found(&[]));
        assert_eq!(upstream.calls().len(), calls, "{pause}");
    }
}

#[test]
fn the_rate_limit_counts_calls() {
    let upstream = Canned::new().on(LEGACY, accounts(&[]));
    let resolver = upstream.resolver_with(UpstreamConfig {
        rate_limits: RateLimits {
            identity: RateLimit::new(2, Duration::from_secs(600)),
            ..RateLimits::default()
        },
        ..UpstreamConfig::default()
    });
    let names: Vec<String> = (0..30).map(|number| format!("Nobody{number}")).collect();
    let error = resolver.java_uuids(&names).unwrap_err();
    assert_eq!(kind(&error), "its rate limit is used up");
    assert_eq!(upstream.calls(), [LEGACY; 2]);
}

#[test]
fn over_sockets() {
    let world = World::start();
    let resolver = world.resolver(world.config());
    let notch = player("Notch").uuid();
    let expected = found(&[("NOTCH", notch), ("Nobody", None)]);
    let outcome = look_up(&resolver, &["NOTCH", "Nobody"]).unwrap();
    assert_eq!(outcome, expected);
    assert_eq!(world.fake.requests(), ["POST /profiles/minecraft"]);

    let gone = Fault::LegacyForm(Box::new(Fault::status(410)));
    world.fake.set_fault(Step::Identity, Some(gone));
    let outcome = look_up(&resolver, &["notch", "Hazel"]).unwrap();
    let expected = [("notch", notch), ("Hazel", player("Hazel").uuid())];
    assert_eq!(outcome, found(&expected));
}

#[test]
fn a_folder_of_skins_keeps_its_own_names() {
    let upstream = Canned::new().on(LEGACY, accounts(&[("Notch", NOTCH)]));
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("Greeter.png"), b"a skin").unwrap();
    let config = UpstreamConfig {
        providers: vec![
            format!("folder={}", directory.path().display()),
            "mojang".to_owned(),
        ],
        ..UpstreamConfig::default()
    };
    let folder = upstream.resolver_with(config);
    let names = ["greeter", "Notch"].map(str::to_owned);
    let outcome = folder.java_uuids(&names).unwrap();
    assert_eq!(outcome, found(&[("Notch", Some(NOTCH))]));
    // A request for the one name would not show the file of the UUID.
    fs::write(directory.path().join(format!("{NOTCH}.png")), b"a skin").unwrap();
    folder.refresh();
    assert_eq!(folder.java_uuids(&names).unwrap(), found(&[]));
    let requests = upstream.requests();
    assert_eq!(requests[0].json.as_deref(), Some(&br#"["Notch"]"#[..]));
}
