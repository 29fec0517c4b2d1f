//! The order of a chain: the provider that decides, the certainty of its answer, and outages.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use effigy_player::{PlayerId, Uuid};
use effigy_upstream::{
    Account, ProviderChain, ProviderReport, Status as _, UpstreamConfig, UpstreamError,
};
use proptest::prelude::*;
use serde_json::json;

use super::{CHECKS, config, file, outcome, profile};
use crate::support::canned::{Answer as Response, Canned, NOTCH, kind, texture};

/// The answer of a server about a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Skin,
    NoSkin,
    Unknown,
    Failed,
}

use Answer::{Failed, NoSkin, Skin, Unknown};

/// The hosts of the servers.
const HOSTS: [&str; 3] = ["one.example", "two.example", "three.example"];

/// A UUID of version 4, and the one that servers in offline mode give Alice.
const UUID: &str = "a1a1a1a1a1a14a1aa1a1a1a1a1a1a1a1";
const OFFLINE_UUID: &str = "10920508d5d83eed93d292f193afe7d7";

/// The UUID that a server gives Alice: another one at each.
fn uuid(place: usize) -> String {
    UUID.replace("a1a1a1a1a1a14", &format!("{place}{place}a1a1a1a1a14"))
}

fn profile_of(id: &str, host: &str, answer: Answer) -> Response {
    let textures = match answer {
        Skin => json!({ "SKIN": { "url": format!("https://{host}/skin") } }),
        _ => json!({}),
    };
    let value = BASE64_STANDARD.encode(json!({ "textures": textures }).to_string());
    let properties = json!([{ "name": "textures", "value": value }]);
    let profile = json!({ "id": id, "name": "Alice", "properties": properties });
    Response::ok(profile.to_string())
}

/// Sets the answer of a server about Alice, by name and by UUID.
fn set(upstream: &Canned, place: usize, answer: Answer) {
    let host = HOSTS[place];
    let base = format!("https://{host}/sessionserver/session/minecraft/profile");
    let names = match answer {
        Failed => Response::status(500),
        Unknown => Response::ok("[]"),
        Skin | NoSkin => {
            let found = json!([{ "id": uuid(place), "name": "Alice" }]);
            Response::ok(found.to_string())
        }
    };
    let mut upstream = upstream
        .clone()
        .on(&format!("https://{host}/"), Response::ok("{}"))
        .on(&format!("https://{host}/skin"), Response::texture(host))
        .on(&format!("https://{host}/api/profiles/minecraft"), names);
    for id in [uuid(place).as_str(), UUID, OFFLINE_UUID] {
        let session = match answer {
            Skin | NoSkin => profile_of(id, host, answer),
            Unknown => Response::status(204),
            Failed => Response::status(500),
        };
        upstream = upstream.on(&format!("{base}/{id}"), session);
    }
}

fn servers(answers: &[Answer]) -> (Canned, ProviderChain) {
    let upstream = Canned::new();
    for (place, &answer) in answers.iter().enumerate() {
        set(&upstream, place, answer);
    }
    let providers = [
        "yggdrasil=one.example",
        "yggdrasil=two.example",
        "yggdrasil=three.example",
    ];
    let chain = upstream.resolver_with(config(&providers[..answers.len()]));
    (0..chain.provider_count()).for_each(|place| chain.refresh(place));
    upstream.requests();
    (upstream, chain)
}

/// A look-up in a word: `1` for the skin of the first server, `1-` for its player without a skin,
/// and `?` after it if it is not certain; `unknown` or `outage`.
fn word(chain: &ProviderChain, input: &str) -> String {
    match profile(chain, input) {
        Ok(found) => {
            let host = found.provider.strip_prefix("yggdrasil:").expect("a server");
            let position = HOSTS.iter().position(|known| *known == host);
            let place = position.expect("a server");
            let skin = found.skin.expect("Java players have one");
            let wears = if skin.is_default { "-" } else { "" };
            let doubt = if found.is_certain { "" } else { "?" };
            if !skin.is_default {
                assert_eq!(skin.texture.as_str(), format!("https://{host}/skin"));
                let file = file(chain, &skin.texture).expect("it is there");
                assert_eq!(file, texture(host));
            }
            if input == "Alice" {
                let id = Uuid::parse(&uuid(place)).expect("a uuid");
                assert_eq!(found.account, Account::Java(id), "the provider's own");
            }
            format!("{}{wears}{doubt}", place + 1)
        }
        Err(error) if error.is_outage() => "outage".to_owned(),
        Err(_) => "unknown".to_owned(),
    }
}

/// The expected word. The first server that knows the player decides. After a failure, a later
/// server may mean somebody else.
fn expected(answers: &[Answer]) -> String {
    let decides = |answer: &Answer| matches!(answer, Skin | NoSkin);
    let failed = answers.iter().position(|answer| *answer == Failed);
    let Some(place) = answers.iter().position(decides) else {
        return failed.map_or("unknown", |_| "outage").to_owned();
    };
    let wears = if answers[place] == NoSkin { "-" } else { "" };
    let doubt = failed.is_some_and(|failed| failed < place);
    format!("{}{wears}{}", place + 1, if doubt { "?" } else { "" })
}

#[test]
fn the_first_server_that_knows_the_player_decides() {
    // The one that decides is the last one asked.
    for (answers, by_name, by_uuid, asked) in [
        ([Skin, Failed, Failed], "1", "1", 1),
        ([NoSkin, Skin, Skin], "1-", "1-", 1),
        ([Unknown, Skin, Failed], "2", "2", 2),
        ([Unknown, NoSkin, Skin], "2-", "2-", 2),
        ([Failed, Skin, Unknown], "2?", "2", 2),
        ([Failed, NoSkin, Skin], "2-?", "2-", 2),
        ([Unknown, Failed, Skin], "3?", "3", 3),
        ([Failed, Unknown, Skin], "3?", "3", 3),
        ([Unknown, Unknown, Skin], "3", "3", 3),
        ([Unknown, Unknown, Unknown], "unknown", "unknown", 3),
        ([Unknown, Unknown, Failed], "outage", "outage", 3),
        ([Failed, Unknown, Unknown], "outage", "outage", 3),
    ] {
        let (upstream, chain) = servers(&answers);
        assert_eq!(word(&chain, "Alice"), by_name, "{answers:?}");
        upstream.requests();
        assert_eq!(word(&chain, UUID), by_uuid, "{answers:?}");
        let mut calls = hosts(&upstream);
        // The texture is of the last one.
        calls.dedup();
        assert_eq!(calls, HOSTS[..asked], "{answers:?}");
    }
}

/// Takes the hosts of the calls.
fn hosts(upstream: &Canned) -> Vec<String> {
    let requests = upstream.requests();
    let hosts = requests.iter().filter_map(|call| call.url.host_str());
    hosts.map(str::to_owned).collect()
}

fn answers() -> impl Strategy<Value = Answer> {
    prop::sample::select(vec![Skin, NoSkin, Unknown, Failed])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// However outages come and go: a later server's player by name is certain only if every
    /// earlier server has said, now or less than a minute ago, that it does not know the name.
    #[test]
    fn no_order_of_outages_makes_a_stranger_certain(
        steps in prop::collection::vec((0..3_usize, answers(), 0..40_u64), 1..20),
        by_name: bool,
    ) {
        let (upstream, chain) = servers(&[Unknown; 3]);
        let mut answers = [Unknown; 3];
        let mut said: [Option<(u64, Answer)>; 3] = [None; 3];
        let mut now = 0;
        for (changed, new_answer, seconds) in steps {
            set(&upstream, changed, new_answer);
            answers[changed] = new_answer;
            now += seconds;
            upstream.pass(Duration::from_secs(seconds));
            let input = if by_name { "Alice" } else { OFFLINE_UUID };
            let found = word(&chain, input);
            // Replays the rule with the memory of missing players and of outages.
            let mut seen = [Unknown; 3];
            for place in 0..3 {
                seen[place] = match said[place] {
                    Some((until, remembered)) if now < until => remembered,
                    _ => answers[place],
                };
            }
            prop_assert_eq!(&found, &expected(&seen), "{:?}", seen);
            let decides = |answer: &Answer| matches!(answer, Skin | NoSkin);
            let asked = seen.iter().position(decides);
            for place in 0..asked.unwrap_or(3) {
                let is_remembered = said[place].is_some_and(|(until, _)| now < until);
                if !is_remembered {
                    let ttl = if answers[place] == Unknown { 60 } else { 2 };
                    said[place] = Some((now + ttl, answers[place]));
                }
            }
        }
    }
}

#[test]
fn each_provider_has_an_equal_share_of_the_time_left() {
    let (upstream, chain) = servers(&[Unknown; 3]);
    let set = |host: &str, answer| {
        let call = format!("https://{host}/sessionserver/session/minecraft/profile/{UUID}");
        drop(upstream.clone().on(&call, answer));
    };
    let timeouts = || {
        assert_eq!(word(&chain, UUID), "outage");
        let requests = upstream.requests().into_iter();
        requests
            .map(|call| call.timeout.as_millis())
            .collect::<Vec<_>>()
    };
    HOSTS.iter().for_each(|host| set(host, Response::Hang));
    // 20 s in all; no call may take longer than 10 s.
    assert_eq!(timeouts(), [6_666, 6_666, 6_666]);
    set(HOSTS[0], Response::status(204));
    assert_eq!(timeouts(), [6_666, 10_000, 10_000]);
}

#[test]
fn each_provider_has_its_own_memory_of_missing_players() {
    let (upstream, chain) = servers(&[Unknown, Failed, Unknown]);
    assert_eq!(word(&chain, "Alice"), "outage");
    upstream.requests();
    assert_eq!(word(&chain, "Alice"), "outage");
    assert_eq!(hosts(&upstream), [""; 0], "all have said something");
    upstream.pass(Duration::from_secs(2));
    assert_eq!(word(&chain, "Alice"), "outage");
    assert_eq!(hosts(&upstream), [HOSTS[1]], "the others have said no");
    // These servers may tell names apart by their case.
    assert_eq!(word(&chain, "ALICE"), "outage");
    assert_eq!(upstream.requests().len(), 3);
}

#[test]
fn providers_are_asked_for_players_that_they_can_know() {
    let upstream = Canned::with_notch().on("*", Response::status(404));
    let chain = upstream.resolver_with(config(&[
        "skin-url=https://skins.example/{name}.png",
        "yggdrasil=one.example",
        "mojang",
        "geyser",
    ]));
    let upstream = upstream.on("https://one.example/", Response::ok("{}"));
    (0..chain.provider_count()).for_each(|place| chain.refresh(place));
    upstream.requests();
    let hosts = |input: &str| {
        drop(profile(&chain, input));
        hosts(&upstream)
    };
    let skins = "skins.example";
    let one = "one.example";
    let identity = "api.mojang.com";
    let session = "sessionserver.mojang.com";
    let geyser = "api.geysermc.org";
    assert_eq!(hosts("Notch"), [skins, one, identity, session]);
    assert_eq!(hosts(NOTCH), [one, session]);
    // A UUID of a server in offline mode never goes to the public Mojang.
    assert_eq!(hosts(OFFLINE_UUID), [one]);
    assert_eq!(hosts(".Tag"), [geyser]);
    assert_eq!(hosts("00002535432196048835"), [geyser]);
    // Names belong to the provider.
    assert_eq!(hosts("玩家一号"), [skins, one]);
    assert_eq!(hosts("Name with more than 25 characters"), [""; 0]);
    assert_eq!(hosts("Name with many characters ok"), [skins, one]);
}

#[test]
fn an_offline_uuid_is_found_by_a_name_that_was_asked_lately() {
    let notch = "b50ad385-829d-3141-a216-7e7d7539ba7f";
    let upstream = Canned::with_notch();
    let chain = upstream.resolver();
    let error = profile(&chain, notch).expect_err("it cannot be turned back");
    assert!(matches!(error, UpstreamError::OfflineUuid { .. }));
    assert!(!error.is_outage());
    let message = format!("no provider knows the uuid {notch} of a server in offline mode: ");
    assert_eq!(error.to_string(), message + "look the player up by name");
    assert!(upstream.calls().is_empty());

    assert!(profile(&chain, "Notch").is_ok());
    upstream.calls();
    let found = profile(&chain, notch).expect("the name was asked");
    assert_eq!(found.name.as_deref(), Some("Notch"));
    assert_eq!(upstream.calls().len(), 2);
    // It depends on the letter case.
    let lower = "42653081-a90e-3475-b3d6-3550cdb43f8e";
    assert!(profile(&chain, lower).is_err());
}

#[test]
fn an_offline_uuid_fails_like_its_name() {
    let notch = "b50ad385-829d-3141-a216-7e7d7539ba7f";
    let upstream = Canned::with_notch();
    let chain = upstream.resolver();
    assert!(profile(&chain, "Notch").is_ok());
    let failing = upstream.on("identity/Notch", Response::status(500));
    let outage = profile(&chain, notch).expect_err("an outage");
    assert_eq!(kind(&outage), "500");
    // By now, nobody has the name.
    let unknown = failing.on("identity/Notch", Response::status(404));
    unknown.pass(Duration::from_secs(2));
    let missing = profile(&chain, notch).expect_err("unknown");
    assert!(matches!(missing, UpstreamError::OfflineUuid { .. }));
}

#[test]
fn an_offline_uuid_is_found_behind_a_provider_that_fails() {
    let upstream = Canned::new().on("*", Response::texture("skin"));
    let chain = upstream.resolver_with(config(&[
        "skin-url=https://broken.example/{uuid}.png",
        "skin-url=https://skins.example/{name}.png",
    ]));
    assert!(profile(&chain, "Notch").is_ok());
    let notch = "b50ad385-829d-3141-a216-7e7d7539ba7f";
    let url = format!("https://broken.example/{}.png", notch.replace('-', ""));
    let _upstream = upstream.on(&url, Response::status(500));
    let found = profile(&chain, notch).expect("the name was asked");
    assert_eq!(found.name.as_deref(), Some("Notch"));
    assert!(!found.is_certain, "the other one may know the UUID");
}

#[test]
fn a_private_mojang_is_asked_for_offline_uuids() {
    let mut config = UpstreamConfig::default();
    let base = effigy_upstream::BaseUrl::parse("http://127.0.0.1:1").expect("a base");
    config.endpoints.java_session = base;
    let upstream = Canned::new().on("*", Response::status(204));
    assert!(profile(&upstream.resolver_with(config), OFFLINE_UUID).is_err());
    assert_eq!(upstream.calls().len(), 1);
}

#[test]
fn the_report_has_a_line_for_each_provider() {
    let (upstream, _) = servers(&[Skin, Failed]);
    let config = config(&[
        "yggdrasil=one.example",
        "yggdrasil=two.example",
        "yggdrasil=https://one.example/b",
        "geyser",
    ]);
    let upstream = upstream
        .on("https://two.example/", Response::status(503))
        .on("https://one.example/b/", Response::status(500))
        .on("skin/0", Response::status(204));
    let chain = upstream.resolver_with(config);
    let line = |report: ProviderReport| {
        let answer = report.answer.map(|answer| match answer {
            Ok(profile) => profile.expect("known").name.expect("a name"),
            Err(error) => kind(&error),
        });
        let state = report.state.is_ok();
        format!("{} {state} {answer:?}", report.provider)
    };
    let player = PlayerId::detect("Alice").expect("a name");
    let reports = chain.report(Some(&player)).into_iter();
    let expected = [
        r#"yggdrasil:one.example true Some("Alice")"#,
        r#"yggdrasil:two.example false Some("503")"#,
        // A name that is taken gets a number.
        r#"yggdrasil:one.example#3 false Some("500")"#,
        "geyser true None",
    ];
    assert_eq!(reports.map(line).collect::<Vec<_>>(), expected);
}

#[test]
fn skins_in_memory_are_a_chain_of_one() {
    let file = ("Alice.png".to_owned(), b"skin".to_vec());
    let chain = ProviderChain::in_memory([file], CHECKS);
    let found = profile(&chain, "alice").expect("known");
    assert_eq!((&*found.provider, found.is_certain), ("memory", true));
    assert_eq!(outcome(&chain, "Bob"), "not found");
    assert_eq!(chain.report(None).len(), 1);
    assert!(chain.ping().is_empty());
    // Textures by their hash alone may come from elsewhere.
    let states = chain.states();
    let upstreams: Vec<&str> = states.iter().map(|state| &*state.provider).collect();
    assert_eq!(upstreams, ["textures"]);
}
