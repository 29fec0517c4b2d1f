//! How URLs name players: prefixes, hashes, templates that were not filled in, several names.

use effigy_player::BedrockPrefixes;
use effigy_render::{Layers, View};

use crate::support::{Picture, Server, assert_error, head, of_view, skin_of};

fn face() -> Picture {
    head(Layers::WithOverlay, 32).into()
}

/// A server for players with these prefixes.
fn server_with(prefixes: &[&str]) -> Server {
    let prefixes = prefixes.iter().map(|&prefix| prefix.to_owned());
    let prefixes = BedrockPrefixes::new(prefixes).unwrap();
    Server::start_with(|settings| settings.service.bedrock_prefixes = prefixes)
}

/// Asserts that URLs show the faces of players.
#[track_caller]
fn assert_faces(server: &Server, rows: &[(&str, &str)]) {
    for (path, shown) in rows {
        let reply = server.ok(path);
        let skin = fixtures::skin(skin_of(shown));
        assert!(reply.body == face().of(skin), "{path}");
    }
}

#[test]
fn prefixes_are_a_setting() {
    let server = server_with(&["*", "BE_"]);
    assert_faces(
        &server,
        &[
            ("/v1/face/*Bluejay?size=32", "Bluejay"),
            ("/v1/face/BE_Bluejay?size=32", "Bluejay"),
            ("/v1/face/.Bluejay?size=32", "Bluejay"),
            ("/v1/face/Nobody?size=32&default=*Bluejay", "Bluejay"),
            ("/minotar/helm/*Bluejay/32", "Bluejay"),
        ],
    );
    let list = server.ok("/v1/profiles?players=*Bluejay,Gwendolin").json();
    assert_eq!(list[0]["edition"], "bedrock");
    assert_eq!(list[0]["name"], "Bluejay");
    assert_eq!(list[1]["edition"], "java");
    // The compatibility paths know only the dot.
    assert_error(&server.get("/skin/*Bluejay"), 500, "Failed to get skin");
}

#[test]
fn the_message_of_a_missing_player_names_the_setting() {
    let server = Server::start();
    let message = "No Java player is named *Bluejay; names at Mojang have at most 16 letters, \
                   digits and underscores. If * marks Bedrock players here, the operator of this \
                   service has to set --bedrock-prefix=*";
    assert_error(&server.get("/v1/face/*Bluejay"), 404, message);
}

#[test]
fn a_plus_in_a_gamertag_is_a_space() {
    let server = Server::start();
    let spaced = server.ok("/v1/profile/.Two%20Words").json();
    let plus = server.ok("/v1/profile/.Two+Words").json();
    assert_eq!(plus["xuid"], spaced["xuid"]);
    assert_eq!(plus["name"], "Two Words");
    let picture = server.ok("/v1/face/.Two+Words?size=32&default=steve");
    assert!(picture.body == server.ok("/v1/face/.Two%20Words?size=32").body);
    assert!(picture.body == server.ok("/minotar/helm/.Two+Words/32").body);
}

#[test]
fn players_that_are_not_filled_in_show_the_default() {
    let server = Server::start();
    for path in [
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
    ] {
        let url = format!("{path}?size=32&default=steve");
        assert_faces(&server, &[(&url, "MHF_Steve")]);
        let reply = server.ok(&url);
        let cached = reply.header("cache-control").unwrap();
        assert!(cached.starts_with("public, max-age=60"), "{url}: {cached}");
    }
    assert_eq!(server.upstream.calls(fixtures::Step::Identity), 1);
    let missing = "The player is a placeholder that was not filled in";
    for path in [
        "/v1/face/{uuid}",
        "/v1/profile/%uuid%",
        "/v1/face?uuid=%uuid%",
    ] {
        assert_error(&server.get(path), 400, missing);
    }
    for path in ["/v1/face/", "/v1/texture//face", "/v1/face?size=32"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    assert_error(&server.get("/head/%uuid%"), 400, "Malformed URL");
}

#[test]
fn lists_skip_players_that_are_not_filled_in() {
    let server = Server::start();
    let two = server.ok("/v1/group?players=Gwendolin,Servo&size=32");
    for players in ["Gwendolin,,Servo", "{name},Gwendolin,%uuid%,Servo,"] {
        let found = server.ok(&format!("/v1/group?players={players}&size=32"));
        assert!(found.body == two.body, "{players}");
    }
    let list = server.ok("/v1/profiles?players=,Gwendolin,%name%").json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    let steve = server.ok("/v1/sheet?players=MHF_Steve&size=32");
    let default = server.ok("/v1/sheet?players=%name%&size=32&default=steve");
    assert!(default.body == steve.body);
}

#[test]
fn the_first_of_several_names_that_exists_is_shown() {
    let server = Server::start();
    let hash = server.hash_of("Servo");
    let uuid = fixtures::player("Gwendolin").uuid().unwrap();
    let nobody = "10000000111122223333444455556666";
    let unknown = "1".repeat(64);
    for (query, shown) in [
        (format!("texture={hash}&uuid={uuid}&name=Reynard"), "Servo"),
        (format!("texture=&uuid={uuid}&name=Reynard"), "Gwendolin"),
        (
            format!("texture=%texture%&uuid={nobody}&name=Servo"),
            "Servo",
        ),
        (format!("texture={unknown}&name=Servo"), "Servo"),
        ("uuid={uuid}&name=.Bluejay".to_owned(), "Bluejay"),
        ("name=Nobody&default=steve".to_owned(), "MHF_Steve"),
    ] {
        let url = format!("/v1/face?size=32&{query}");
        assert_faces(&server, &[(&url, shown)]);
    }
    let figure = server.ok(&format!("/v1/figure.gif?size=32&name=Nobody&uuid={uuid}"));
    assert_eq!(figure.header("content-type"), Some("image/gif"));
    let file = server.ok(&format!("/v1/skin?texture={hash}"));
    assert!(file.body == fixtures::skin(skin_of("Servo")).png);
    assert_eq!(server.get("/v1/face?name=Nobody").status, 404);
}

#[test]
fn a_hash_takes_the_place_of_a_player() {
    let server = Server::start();
    let hash = server.hash_of("Servo");
    let url = format!("/v1/face/{hash}?size=32");
    let by_texture = server.ok(&format!("/v1/texture/{hash}/face?size=32"));
    let by_hash = server.ok(&url);
    assert!(by_hash.body == by_texture.body);
    let cached = by_hash.header("cache-control");
    assert_eq!(cached, Some("public, max-age=86400"));
    let upper = format!("/v1/face/{}.svg?size=32", hash.to_uppercase());
    assert_eq!(
        server.ok(&upper).header("content-type"),
        Some("image/svg+xml")
    );
    assert_faces(&server, &[(&url, "Servo")]);
    let file = server.ok(&format!("/v1/skin/{hash}"));
    assert!(file.body == fixtures::skin(skin_of("Servo")).png);
    let two = server.ok(&format!("/v1/group?players={hash},Servo&size=32"));
    assert!(two.body == server.ok("/v1/group?players=Servo,Servo&size=32").body);
    // Zeros in front of a hash make it no XUID.
    let zeros = format!("0000{}", "1".repeat(56));
    let unknown = server.get(&format!("/v1/face/{zeros}"));
    assert_error(&unknown, 404, "No such texture");
    for path in ["profile", "cape"] {
        let reply = server.get(&format!("/v1/{path}/{zeros}"));
        let message = "This is the hash of a texture, which has pictures, but no profile or cape";
        assert_error(&reply, 400, message);
    }
}

#[test]
fn a_texture_that_is_missing_shows_the_default() {
    let server = Server::start();
    let unknown = "1".repeat(64);
    let rows = [
        format!("/v1/face/{unknown}?size=32&default=Servo"),
        format!("/v1/texture/{unknown}/face?size=32&default=Servo"),
    ];
    for url in &rows {
        assert_faces(&server, &[(url, "Servo")]);
        let cached = server.ok(url).header("cache-control").map(str::to_owned);
        assert!(cached.unwrap().starts_with("public, max-age=60"), "{url}");
    }
    let file = server.ok(&format!("/v1/texture/{unknown}?default=Servo"));
    assert!(file.body == fixtures::skin(skin_of("Servo")).png);
    let none = server.get(&format!("/v1/texture/{unknown}/face"));
    assert_error(&none, 404, "No such texture");
}

#[test]
fn textures_and_previews_tell_their_model() {
    let server = Server::start();
    let reynard = fixtures::player("Reynard");
    let fixture = reynard.skin().unwrap();
    assert!(fixture.slim && reynard.slim());
    let hash = server.hash_of(reynard.name);
    let bust: Picture = of_view(View::Bust, 32).into();
    for path in ["v1/texture/{hash}/bust", "v1/bust/{hash}"] {
        let path = path.replace("{hash}", &hash);
        let guessed = server.ok(&format!("/{path}?size=32"));
        assert!(guessed.body == bust.of(fixture), "{path}");
    }
    let wide = server.ok(&format!("/v1/texture/{hash}/bust?size=32&model=classic"));
    assert!(wide.body != bust.of(fixture));
    let preview = server.post("/v1/preview/bust?size=32", fixture.png);
    assert!(preview.body == bust.of(fixture));
}
