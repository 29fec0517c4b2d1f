//! `/v1/profiles`: several profiles at once.

use crate::support::{MOJANG_IS_DOWN, NOBODY, Server, assert_error};
use fixtures::Step;

#[test]
fn each_entry_is_the_profile_of_its_player() {
    let server = Server::start();
    let reply = server.ok("/v1/profiles?players=gwendolin,Nobody,.Bluejay,%20Reynard,Gwendolin");
    assert_eq!(reply.header("x-cache"), Some("miss"));
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(server.upstream.calls(Step::Identity), 3);
    assert_eq!(server.upstream.calls(Step::Session), 2);
    let players = "gwendolin Nobody .Bluejay Reynard Gwendolin";
    for (at, player) in players.split(' ').enumerate() {
        let single = server.get(&format!("/v1/profile/{player}"));
        let mut expected = single.json();
        match single.status {
            200 => assert_eq!(single.header("x-cache"), Some("hit"), "{player}"),
            status => {
                expected["status"] = status.into();
                expected["player"] = player.into();
            }
        }
        assert_eq!(reply.json()[at], expected, "{player}");
    }

    let path = "/v1/profiles?players=Reynard,gwendolin";
    let reply = server.get(path);
    assert_eq!(reply.header("x-cache"), Some("hit"));
    let tag = [("If-None-Match", reply.header("etag").unwrap())];
    assert_eq!(server.ask("GET", path, &tag).status, 304);
}

#[test]
fn an_outage_is_told_from_a_missing_player() {
    let server = Server::start_forgetful();
    server.ok("/v1/profile/Gwendolin");
    server.fail(Step::Session);
    let reply = server.get("/v1/profiles?players=Reynard,Gwendolin,Nobody");
    let list = reply.json();
    for (at, status, message) in [(0, 502, MOJANG_IS_DOWN), (2, 404, NOBODY)] {
        assert_eq!(list[at]["status"], status);
        assert_eq!(list[at]["error"], message);
    }
    assert_eq!(list[1]["name"], "Gwendolin");
    assert_eq!(reply.header("cache-control"), Some("no-cache"));

    // Without a single profile it is an error.
    let nobody = server.get("/v1/profiles?players=Reynard,Deckhand");
    assert_error(&nobody, 502, MOJANG_IS_DOWN);
}
