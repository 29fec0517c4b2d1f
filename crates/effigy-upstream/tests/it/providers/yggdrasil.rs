//! A server with the Yggdrasil API over real sockets, with each of its quirks.

use std::time::Duration;

use effigy_upstream::Status as _;
use fixtures::{FakeYggdrasil, Quirks, YggdrasilPlayer};
use serde_json::{Value, json};

use super::{chain, config, file, outcome, profile};
use crate::support::canned::{Answer, Canned};

const fn player(
    name: &'static str,
    uuid: &'static str,
    skin: Option<&'static str>,
) -> YggdrasilPlayer {
    YggdrasilPlayer {
        name,
        uuid,
        skin,
        has_cape: false,
    }
}

const PLAYERS: [YggdrasilPlayer; 4] = [
    player("Alice", "a1a1a1a1a1a14a1aa1a1a1a1a1a1a1a1", Some("knight")),
    player("Игрок", "770c6db4443539fa89079b7f4fb309b1", Some("fox")),
    player("Plain", "8f59cdb2f5754768b0e62e0b0be19557", None),
    YggdrasilPlayer {
        has_cape: true,
        ..player("Caped", "c3c3c3c3c3c34c3cc3c3c3c3c3c3c3c3", Some("wizard"))
    },
];

fn fake(quirks: Quirks) -> FakeYggdrasil {
    FakeYggdrasil::start(&PLAYERS, quirks)
}

/// Checks that every player is found by name and by UUID.
#[track_caller]
fn assert_all_found(what: &str, provider: &str) {
    let chain = chain(&[provider]);
    for (input, expected) in [
        ("Alice", "knight classic"),
        ("a1a1a1a1a1a14a1aa1a1a1a1a1a1a1a1", "knight classic"),
        ("A1A1A1A1-A1A1-4A1A-A1A1-A1A1A1A1A1A1", "knight classic"),
        ("Игрок", "fox slim"),
        ("Plain", "default"),
        ("Caped", "wizard classic"),
        ("Nobody", "not found"),
        ("d4d4d4d4d4d44d4dd4d4d4d4d4d4d4d4", "not found"),
    ] {
        assert_eq!(outcome(&chain, input), expected, "{what}: {input}");
    }
    let cape = profile(&chain, "Caped").expect("known").cape;
    let file = file(&chain, &cape.expect("a cape"));
    assert_eq!(file.expect("it is there"), fixtures::cape(), "{what}");
}

#[test]
fn players_are_found_with_every_quirk() {
    let strict = Quirks {
        unknown: 404,
        has_get: false,
        needs_content_type: true,
        knows_dashed: false,
        ignores_case: false,
        no_textures: json!(null),
        ..Quirks::default()
    };
    let odd = Quirks {
        echoes_names: true,
        classic: None,
        has_nanoseconds: true,
        has_other_properties: true,
        no_textures: json!([]),
        ..Quirks::default()
    };
    let word = Quirks {
        classic: Some("classic"),
        ..Quirks::default()
    };
    for (what, quirks) in [
        ("nothing special", Quirks::default()),
        ("what a server leaves out", strict),
        ("what a server adds", odd),
        ("another word for classic", word),
    ] {
        let fake = fake(quirks);
        assert_all_found(what, &format!("yggdrasil={}/", fake.api()));
    }
}

#[test]
fn a_server_may_ignore_the_case_of_names() {
    let fake = fake(Quirks::default());
    let chain = chain(&[&format!("yggdrasil={}", fake.api())]);
    let found = profile(&chain, "aLiCe").expect("known");
    assert_eq!(found.name.as_deref(), Some("Alice"));
}

#[test]
fn each_server_has_limits_of_its_own() {
    let chain = chain(&["yggdrasil=one.example"]);
    let mut states = Vec::new();
    for state in chain.states() {
        states.push(format!("{} {}", state.provider, state.upstream));
    }
    let expected = [
        "yggdrasil:one.example profiles",
        "yggdrasil:one.example texture",
        "textures texture",
    ];
    assert_eq!(states, expected);
}

#[test]
fn the_front_page_names_the_api() {
    for absolute in [true, false] {
        let fake = fake(Quirks::default());
        let api = if absolute {
            fake.api()
        } else {
            "/api/yggdrasil".to_owned()
        };
        fake.set(|quirks| quirks.api_location = Some(api));
        assert_all_found("the front page", &format!("yggdrasil={}", fake.site()));
        let requests = fake.requests();
        assert_eq!(requests[..2], ["GET /", "GET /api/yggdrasil/"]);
    }
}

#[test]
fn an_address_that_is_no_api_says_nothing_about_players() {
    let fake = fake(Quirks::default());
    for api in ["/nowhere/", "ftp://x/", "//user@x/", "/?x"] {
        fake.set(|quirks| quirks.api_location = Some(api.to_owned()));
        let chain = chain(&[&format!("yggdrasil={}", fake.site())]);
        let error = profile(&chain, "Alice").expect_err("a site");
        assert!(error.is_outage(), "{api}: {error}");
    }
    // The next attempt is made a little later, and until then nothing is called.
    fake.set(|quirks| quirks.api_location = None);
    let chain = chain(&[&format!("yggdrasil={}", fake.site())]);
    assert_eq!(outcome(&chain, "Alice"), "no object");
    assert_eq!(outcome(&chain, "Plain"), "it does not answer");
}

#[test]
fn an_api_of_https_cannot_name_one_of_http() {
    let located = Answer::Located(200, "http://skins.example/api/".into());
    let upstream = Canned::new().on("*", located);
    let config = config(&["yggdrasil=skins.example"]);
    let chain = upstream.resolver_with(config);
    let error = profile(&chain, "Alice").expect_err("a downgrade");
    assert!(error.is_outage());
    assert_eq!(upstream.calls(), ["https://skins.example/"]);
}

#[test]
fn the_metadata_are_fetched_once_and_kept_during_an_outage() {
    let fake = fake(Quirks {
        metadata_delay: Duration::from_millis(300),
        ..Quirks::default()
    });
    let chain = chain(&[&format!("yggdrasil={}", fake.api())]);
    // One caller fetches the first copy, and the others do not wait.
    let mut requests = Vec::new();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| outcome(&chain, "Alice"));
        while requests.is_empty() {
            requests = fake.requests();
        }
        for _ in 0..8 {
            assert_eq!(outcome(&chain, "Alice"), "it does not answer");
        }
        assert_eq!(first.join().expect("no panic"), "knight classic");
    });
    assert_eq!(outcome(&chain, "Alice"), "knight classic");
    chain.refresh(0);
    requests.extend(fake.requests());
    let metadata = requests
        .iter()
        .filter(|request| *request == "GET /api/yggdrasil/");
    assert_eq!(metadata.count(), 1);
}

#[test]
fn metadata_are_fetched_hourly() {
    const ROOT: &str = "https://skins.example/";
    let upstream = Canned::new().on(ROOT, Answer::status(500));
    let config = config(&["yggdrasil=skins.example"]);
    let chain = upstream.resolver_with(config);
    let calls_after = |seconds| {
        upstream.pass(Duration::from_secs(seconds));
        chain.refresh(0);
        upstream.calls().len()
    };
    assert_eq!([calls_after(0), calls_after(1), calls_after(1)], [1, 0, 1]);
    let upstream = upstream.clone().on(ROOT, Answer::ok("{}"));
    assert_eq!([calls_after(2), calls_after(3599)], [1, 0]);
    let upstream = upstream.on(ROOT, Answer::status(500));
    assert_eq!([calls_after(1), calls_after(1), calls_after(1)], [1, 0, 1]);
    // The last good copy stays. One malformed account makes the list so.
    let names = "https://skins.example/api/profiles/minecraft";
    let alice = json!({ "id": PLAYERS[0].uuid, "name": "Alice" });
    let accounts = |accounts: Value| Answer::ok(accounts.to_string());
    let malformed = "the JSON of the accounts";
    for (answer, expected) in [
        (accounts(json!([7, alice])), malformed),
        (accounts(json!([{ "id": "x", "name": "Alice" }])), malformed),
        (accounts(json!({})), malformed),
        (accounts(json!([])), "not found"),
        (Answer::ok("<html>"), malformed),
        (Answer::file(404, "gone.html"), "404"),
        (Answer::status(500), "500"),
    ] {
        let upstream = upstream.clone().on(names, answer);
        upstream.pass(Duration::from_secs(60));
        assert_eq!(outcome(&chain, "Alice"), expected);
    }
}
