//! `/v1/profiles`: several profiles at once.

use crate::support::{Server, assert_error};
use fixtures::{Fault, Step};
use serde_json::{Value, json};

/// The errors in a list, and null for each profile.
fn errors(list: &Value) -> Vec<Value> {
    let entries = list.as_array().unwrap().iter();
    entries.map(|entry| entry["error"].clone()).collect()
}

/// The message of a player who does not exist.
fn nobody(name: &str) -> Value {
    let message = format!(
        "No Java player is named {name}. For a Bedrock player, put a dot in front: .{name}"
    );
    json!(message)
}

#[test]
fn each_entry_is_the_profile_of_its_player() {
    let server = Server::start();
    let path = "/v1/profiles?players=gwendolin,Nobody,.Bluejay,%20Reynard,00002535468413142004";
    let reply = server.get(path);
    assert_eq!((reply.status, reply.header("x-cache")), (200, Some("miss")));
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let cached = reply.header("cache-control").unwrap();
    assert!(cached.starts_with("public, max-age="), "{cached}");
    assert_eq!(server.upstream.calls(Step::Identity), 3);
    assert_eq!(server.upstream.calls(Step::Session), 2);
    let list = reply.json();
    let players = [
        "gwendolin",
        "Nobody",
        ".Bluejay",
        "Reynard",
        "00002535468413142004",
    ];
    for (at, player) in players.into_iter().enumerate() {
        let single = server.get(&format!("/v1/profile/{player}"));
        let mut expected = single.json();
        match single.status {
            200 => assert_eq!(single.header("x-cache"), Some("hit"), "{player}"),
            status => expected["status"] = status.into(),
        }
        assert_eq!(list[at], expected, "{player}");
    }

    let path = "/v1/profiles?players=Reynard,gwendolin";
    let reply = server.get(path);
    assert_eq!(reply.header("x-cache"), Some("hit"));
    let tag = [("If-None-Match", reply.header("etag").unwrap())];
    assert_eq!(server.ask("GET", path, &tag).status, 304);
    assert_eq!(server.get("/allstats").json()["count"], 0);
}

#[test]
fn an_outage_is_told_from_a_missing_player() {
    let server = Server::start_forgetful();
    assert_eq!(server.get("/v1/profile/Gwendolin").status, 200);
    server
        .upstream
        .set_fault(Step::Session, Some(Fault::status(500)));
    let path = "/v1/profiles?players=Reynard,Gwendolin,Nobody";
    let reply = server.get(path);
    let outage = "Mojang is not answering; try again later";
    let expected = [json!(outage), Value::Null, nobody("Nobody")];
    let list = reply.json();
    assert_eq!(errors(&list), expected);
    assert_eq!(
        (&list[0]["status"], &list[2]["status"]),
        (&json!(502), &json!(404))
    );
    assert_eq!(reply.header("cache-control"), Some("no-cache"));

    server.upstream.set_fault(Step::Session, None);
    // Without a single profile it is an error.
    let fault = Some(Fault::status(500));
    server.upstream.set_fault(Step::Identity, fault);
    let path = "/v1/profiles?players=Aurelia,Deckhand";
    assert_error(&server.get(path), 502, outage);
}
