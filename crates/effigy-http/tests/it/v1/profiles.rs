//! `/v1/profile` and `/v1/profiles`: profiles of one player, and of several at once.

use fixtures::{Step, player};
use serde_json::{Value, json};

use crate::support::{MOJANG_IS_DOWN, NOBODY, Server, assert_error};

/// A profile without the fields that every test would have to compute: the URL of the texture, and
/// the time of the check.
#[track_caller]
fn profile_of(server: &Server, input: &str) -> Value {
    let reply = server.ok(&format!("/v1/profile/{input}"));
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let mut profile = reply.json();
    let fields = profile.as_object_mut().unwrap();
    let url = fields.shift_remove("texture_url").unwrap();
    let url = url.as_str().unwrap();
    assert!(url.starts_with(server.upstream.url()), "{url}");
    let checked_at = fields.shift_remove("checked_at").unwrap();
    assert!(checked_at.as_str().unwrap().ends_with('Z'), "{checked_at}");
    profile
}

fn java_profile(name: &str, model: &str, default_skin: bool) -> Value {
    json!({
        "edition": "java", "name": name, "uuid": player(name).uuid(), "xuid": null,
        "model": model, "default_skin": default_skin, "cape_url": null,
        "legacy": false, "profile_actions": [], "provider": "mojang",
    })
}

#[test]
fn a_java_profile_has_name_uuid_and_model() {
    let server = Server::start();
    for (input, expected) in [
        ("gwendolin", java_profile("Gwendolin", "classic", false)),
        ("Reynard.png", java_profile("Reynard", "slim", false)),
        ("Newcomer", java_profile("Newcomer", "slim", true)),
    ] {
        assert_eq!(profile_of(&server, input), expected, "{input}");
    }
}

fn bluejays_profile(name: Option<&str>) -> Value {
    json!({
        "edition": "bedrock", "name": name, "uuid": null, "xuid": "2535468413142004",
        "model": "classic", "default_skin": false, "cape_url": null,
        "legacy": false, "profile_actions": [], "provider": "geyser",
    })
}

#[test]
fn a_bedrock_profile_by_xuid_has_no_name_at_first() {
    let server = Server::start();
    for input in [
        "00002535468413142004",
        "00000000-0000-0000-0009-01febe1ac3f4",
    ] {
        assert_eq!(
            profile_of(&server, input),
            bluejays_profile(None),
            "{input}"
        );
    }
}

#[test]
fn a_gamertag_is_remembered_for_its_xuid() {
    let server = Server::start();
    let named = bluejays_profile(Some("Bluejay"));
    assert_eq!(profile_of(&server, ".Bluejay"), named);
    assert_eq!(profile_of(&server, "00002535468413142004"), named);
}

#[test]
fn a_profile_without_a_skin_says_so() {
    let server = Server::start();
    let profile = server.ok("/v1/profile/.NoPocketSkin").json();
    assert_eq!(profile["texture_url"], Value::Null);
    assert_eq!(profile["model"], Value::Null);
    assert_eq!(profile["default_skin"], true);
}

#[test]
fn a_list_takes_one_look_up_for_each_player() {
    let server = Server::start();
    let reply = server.ok("/v1/profiles?players=gwendolin,Nobody,.Bluejay,%20Reynard,Gwendolin");
    assert_eq!(reply.header("x-cache"), Some("miss"));
    assert_eq!(reply.header("content-type"), Some("application/json"));
    // Gwendolin, Nobody and Reynard; Nobody has no profile.
    assert_eq!(server.upstream.calls(Step::Identity), 3);
    assert_eq!(server.upstream.calls(Step::Session), 2);
}

#[test]
fn each_entry_of_a_list_is_the_profile_of_its_player() {
    let server = Server::start();
    let reply = server.ok("/v1/profiles?players=gwendolin,.Bluejay,%20Reynard,Gwendolin");
    let list = reply.json();
    for (entry, player) in ["gwendolin", ".Bluejay", "Reynard", "Gwendolin"]
        .iter()
        .enumerate()
    {
        let single = server.ok(&format!("/v1/profile/{player}"));
        assert_eq!(single.header("x-cache"), Some("hit"), "{player}");
        assert_eq!(list[entry], single.json(), "{player}");
    }
}

#[test]
fn an_entry_of_a_missing_player_is_the_error_with_its_status() {
    let server = Server::start();
    let list = server.ok("/v1/profiles?players=Gwendolin,Nobody").json();
    let mut expected = server.get("/v1/profile/Nobody").json();
    expected["status"] = 404.into();
    expected["player"] = "Nobody".into();
    assert_eq!(list[1], expected);
}

#[test]
fn an_unchanged_list_is_not_sent_again() {
    let server = Server::start();
    let path = "/v1/profiles?players=Reynard,gwendolin";
    server.ok(path);
    let hit = server.ok(path);
    assert_eq!(hit.header("x-cache"), Some("hit"));
    let unchanged = [("If-None-Match", hit.header("etag").unwrap())];
    assert_eq!(server.ask("GET", path, &unchanged).status, 304);
}

#[test]
fn a_list_tells_an_outage_from_a_missing_player() {
    let server = Server::start_forgetful();
    server.ok("/v1/profile/Gwendolin");
    server.fail(Step::Session);
    let reply = server.get("/v1/profiles?players=Reynard,Gwendolin,Nobody");
    let list = reply.json();
    assert_eq!(list[0]["status"], 502);
    assert_eq!(list[0]["error"], MOJANG_IS_DOWN);
    assert_eq!(list[1]["name"], "Gwendolin");
    assert_eq!(list[2]["status"], 404);
    assert_eq!(list[2]["error"], NOBODY);
    assert_eq!(reply.header("cache-control"), Some("no-cache"));
}

#[test]
fn a_list_without_a_single_profile_is_an_error() {
    let server = Server::start_forgetful();
    server.fail(Step::Session);
    let reply = server.get("/v1/profiles?players=Reynard,Deckhand");
    assert_error(&reply, 502, MOJANG_IS_DOWN);
}
