//! `/v1/profiles`: several profiles at once.

use std::time::Duration;

use crate::support::{Server, assert_error};
use effigy_service::Rate;
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
fn a_hundred_names_are_looked_up_once() {
    let server = Server::start();
    let names: Vec<_> = (0..99).map(|number| format!("Nobody{number}")).collect();
    let path = format!("/v1/profiles?players={},Notch", names.join(","));
    let list = server.get(&path).json();
    let missing = nobody("Nobody98");
    assert_eq!(errors(&list)[98], missing);
    assert!(errors(&list)[..99].iter().all(Value::is_string));
    assert_eq!(list[99]["name"], "Notch");
    assert_eq!(server.upstream.calls(Step::Identity), 100);
    // It is remembered who does not exist.
    server.get(&path);
    assert_eq!(server.upstream.calls(Step::Identity), 100);

    let path = format!("{path},Gwendolin");
    let message = "Players must be 1 to 100 players with commas between them";
    assert_error(&server.get(&path), 400, message);
    assert_error(&server.get("/v1/profiles"), 400, message);
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
    server
        .upstream
        .set_fault(Step::Identity, Some(Fault::status(500)));
    let reply = server.get("/v1/profiles?players=Hazel,Gwendolin,Servo");
    let expected = [json!(outage), Value::Null, json!(outage)];
    assert_eq!(errors(&reply.json()), expected);

    let gone = Fault::LegacyForm(Box::new(Fault::status(410)));
    server.upstream.set_fault(Step::Identity, Some(gone));
    let reply = server.get("/v1/profiles?players=Reynard,Hazel,Servo");
    assert_eq!(
        errors(&reply.json()),
        [Value::Null, Value::Null, Value::Null]
    );

    // Without a single profile it is an error.
    let fault = Some(Fault::status(500));
    server.upstream.set_fault(Step::Identity, fault);
    let path = "/v1/profiles?players=Aurelia,Deckhand";
    assert_error(&server.get(path), 502, outage);
}

#[test]
fn each_player_costs_a_look_up() {
    let server = Server::start_with(|settings| {
        settings.proxied().lookups = Rate::new(3 * 2, Duration::from_secs(3600));
    });
    let client = [("X-Forwarded-For", "192.0.2.1")];
    let get = |players: &str| {
        let path = format!("/v1/profiles?players={players}");
        server.ask("GET", &path, &client)
    };
    assert_eq!(get("Notch,Gwendolin,Reynard").status, 200);
    assert_eq!(get("Reynard,Notch").header("x-cache"), Some("hit"));
    let calls = server.upstream.total_calls();
    let limited = "Too many requests; try again later";
    assert_error(&get("Notch,Hazel"), 429, limited);
    assert_eq!(server.upstream.total_calls(), calls);
}
