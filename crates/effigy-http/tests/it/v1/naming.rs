//! How URLs name players: by prefix, by template, or by several names of which the first is shown
//! that exists.

use effigy_player::BedrockPrefixes;
use effigy_render::Layers;
use fixtures::Step;

use crate::support::{Picture, Server, assert_error, head, skin_of, uuid_of};

/// Asserts that a URL shows the face of a player.
#[track_caller]
fn assert_face(server: &Server, path: &str, player: &str) {
    let face: Picture = head(Layers::WithOverlay, 32).into();
    let skin = fixtures::skin(skin_of(player));
    assert!(server.ok(path).body == face.of(skin), "{path}");
}

/// A server whose operator has set two more prefixes of Bedrock players.
fn server_with_prefixes() -> Server {
    let prefixes = ["*", "BE_"].map(str::to_owned);
    let prefixes = BedrockPrefixes::new(prefixes).unwrap();
    Server::start_with(|settings| settings.service.bedrock_prefixes = prefixes)
}

#[test]
fn a_prefix_of_the_operator_marks_bedrock_players() {
    let server = server_with_prefixes();
    for path in [
        "/v1/face/*Bluejay?size=32",
        "/v1/face/BE_Bluejay?size=32",
        "/v1/face/.Bluejay?size=32",
        "/v1/face/Nobody?size=32&default=*Bluejay",
        "/minotar/helm/*Bluejay/32",
    ] {
        assert_face(&server, path, "Bluejay");
    }
}

#[test]
fn a_prefix_is_no_part_of_the_name_in_a_list() {
    let server = server_with_prefixes();
    let list = server.ok("/v1/profiles?players=*Bluejay,Gwendolin").json();
    assert_eq!(list[0]["edition"], "bedrock");
    assert_eq!(list[0]["name"], "Bluejay");
    assert_eq!(list[1]["edition"], "java");
}

#[test]
fn the_specified_paths_know_only_the_dot() {
    let reply = server_with_prefixes().get("/skin/*Bluejay");
    assert_error(&reply, 500, "Failed to get skin");
}

#[test]
fn a_plus_in_a_gamertag_is_a_space() {
    let server = Server::start();
    let profile = server.ok("/v1/profile/.Two+Words").json();
    assert_eq!(profile["name"], "Two Words");
    let spaced = server.ok("/v1/face/.Two%20Words?size=32");
    for path in [
        "/v1/face/.Two+Words?size=32&default=steve",
        "/minotar/helm/.Two+Words/32",
    ] {
        assert!(server.ok(path).body == spaced.body, "{path}");
    }
}

/// Templates whose placeholders were not filled in.
const UNFILLED: [&str; 11] = [
    "/v1/face/",
    "/v1/face",
    "/v1/face/{uuid}",
    "/v1/face/%7Buuid%7D.png",
    "/v1/face/%uuid%",
    "/v1/face/%player_name%.png",
    "/v1/face/.%name%",
    "/v1/texture//face",
    "/v1/texture/{hash}/face",
    "/v1/texture/%texture%/face",
    "/v1/texture/null/face",
];

#[test]
fn an_unfilled_template_shows_the_default() {
    let server = Server::start();
    for path in UNFILLED {
        let url = format!("{path}?size=32&default=steve");
        assert_face(&server, &url, "MHF_Steve");
        let reply = server.ok(&url);
        let cached = reply.header("cache-control").unwrap();
        assert!(cached.starts_with("public, max-age=60"), "{url}: {cached}");
    }
    // The look-up of Steve.
    assert_eq!(server.upstream.calls(Step::Identity), 1);
}

#[test]
fn an_unfilled_template_without_a_default_is_refused() {
    let server = Server::start();
    let message = "The player is a placeholder that was not filled in";
    for path in [
        "/v1/face/{uuid}",
        "/v1/profile/%uuid%",
        "/v1/face?uuid=%uuid%",
    ] {
        assert_error(&server.get(path), 400, message);
    }
    assert_error(&server.get("/head/%uuid%"), 400, "Malformed URL");
}

#[test]
fn an_empty_template_without_a_default_is_not_found() {
    let server = Server::start();
    for path in ["/v1/face/", "/v1/texture//face", "/v1/face?size=32"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn a_list_skips_players_that_are_not_filled_in() {
    let server = Server::start();
    let two = server.ok("/v1/group?players=Gwendolin,Servo&size=32");
    for players in ["Gwendolin,,Servo", "{name},Gwendolin,%uuid%,Servo,"] {
        let found = server.ok(&format!("/v1/group?players={players}&size=32"));
        assert!(found.body == two.body, "{players}");
    }
    let list = server.ok("/v1/profiles?players=,Gwendolin,%name%").json();
    assert_eq!(list.as_array().unwrap().len(), 1);
}

#[test]
fn a_list_that_is_not_filled_in_shows_the_default() {
    let server = Server::start();
    let steve = server.ok("/v1/sheet?players=MHF_Steve&size=32");
    let default = server.ok("/v1/sheet?players=%name%&size=32&default=steve");
    assert!(default.body == steve.body);
}

#[test]
fn the_first_of_several_names_that_exists_is_shown() {
    let server = Server::start();
    let hash = server.hash_of("Servo");
    let uuid = uuid_of("Gwendolin");
    let nobody = "10000000111122223333444455556666";
    let unknown = "1".repeat(64);
    for (query, shown) in [
        (
            &*format!("texture={hash}&uuid={uuid}&name=Reynard"),
            "Servo",
        ),
        (&format!("texture=&uuid={uuid}&name=Reynard"), "Gwendolin"),
        (
            &format!("texture=%texture%&uuid={nobody}&name=Servo"),
            "Servo",
        ),
        (&format!("texture={unknown}&name=Servo"), "Servo"),
        ("uuid={uuid}&name=.Bluejay", "Bluejay"),
        ("name=Nobody&default=steve", "MHF_Steve"),
    ] {
        assert_face(&server, &format!("/v1/face?size=32&{query}"), shown);
    }
    assert_eq!(server.get("/v1/face?name=Nobody").status, 404);
}

#[test]
fn several_names_may_ask_for_any_file() {
    let server = Server::start();
    let uuid = uuid_of("Gwendolin");
    let figure = server.ok(&format!("/v1/figure.gif?size=32&name=Nobody&uuid={uuid}"));
    assert_eq!(figure.header("content-type"), Some("image/gif"));
    let file = server.ok(&format!("/v1/skin?texture={}", server.hash_of("Servo")));
    assert!(file.body == fixtures::skin(skin_of("Servo")).png);
}
