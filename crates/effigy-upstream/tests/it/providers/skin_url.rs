//! One picture for each player over real sockets.

use effigy_upstream::{Account, UpstreamConfig};
use fixtures::{FakeYggdrasil, Quirks, YggdrasilPlayer};

use super::{chain, config, file, outcome, profile};
use crate::support::canned::{Answer, Canned, texture};

/// The UUID that a server in offline mode gives Alice.
const OFFLINE_ALICE: &str = "10920508d5d83eed93d292f193afe7d7";

fn site(quirks: Quirks) -> FakeYggdrasil {
    let player = |name, skin| YggdrasilPlayer {
        name,
        uuid: "a1a1a1a1a1a14a1aa1a1a1a1a1a1a1a1",
        skin,
        has_cape: false,
    };
    let players = [
        player("Alice", Some("knight")),
        player("a1a1a1a1-a1a1-4a1a-a1a1-a1a1a1a1a1a1", Some("robot")),
        player("Banned", Some("fox")),
    ];
    FakeYggdrasil::start(&players, quirks)
}

#[test]
fn players_have_the_picture_of_their_name() {
    let site = site(Quirks {
        banned: Some("Banned"),
        ..Quirks::default()
    });
    let provider = format!("skin-url={}/textures/{{name}}.png", site.site());
    let chain = chain(&[&provider]);
    assert_eq!(outcome(&chain, "Alice"), "knight");
    // The file is fetched once for the look-up and the texture.
    assert_eq!(site.requests(), ["GET /textures/Alice.png"]);
    for (input, expected) in [
        ("Nobody", "not found"),
        ("Banned", "403"),
        ("a1a1a1a1a1a14a1aa1a1a1a1a1a1a1a1", "not found"),
        ("a/b", "not found"),
    ] {
        assert_eq!(outcome(&chain, input), expected, "{input}");
    }
    let found = profile(&chain, "Alice").expect("known");
    assert_eq!(found.name.as_deref(), Some("Alice"));
    // The UUID of a server in offline mode.
    let Account::Java(uuid) = found.account else {
        panic!("a Java player");
    };
    assert_eq!(uuid.to_string(), OFFLINE_ALICE);
    // A texture whose file has gone is fetched again.
    let skin = found.skin.expect("a skin").texture;
    for _ in 0..2 {
        let file = file(&chain, &skin).expect("it");
        assert_eq!(file, fixtures::skin("knight").png);
    }
    site.set(|quirks| quirks.is_html = true);
    assert_eq!(outcome(&chain, "Alice"), "decode");
}

#[test]
fn players_have_the_picture_of_their_uuid() {
    let site = site(Quirks::default());
    let chain = chain(&[&format!("skin-url={}/textures/{{dashed}}", site.site())]);
    let uuid = "a1a1a1a1a1a14a1aa1a1a1a1a1a1a1a1";
    assert_eq!(outcome(&chain, uuid), "robot");
    assert_eq!(outcome(&chain, "Alice"), "not found");
    assert_eq!(
        site.requests(),
        ["GET /textures/a1a1a1a1-a1a1-4a1a-a1a1-a1a1a1a1a1a1"]
    );
}

#[test]
fn names_are_one_segment_and_the_file_is_kept() {
    for (name, sent) in [
        ("Two Words", "Two%20Words"),
        ("a+b&c=d", "a%2Bb%26c%3Dd"),
        ("{uuid}%41", "%7Buuid%7D%2541"),
        ("名", "%E5%90%8D"),
    ] {
        let url = format!("https://skins.example/{sent}.png?n={sent}");
        let upstream = Canned::new().on(&url, Answer::texture("slim"));
        let config = config(&["skin-url=https://skins.example/{name}.png?n={name}"]);
        let chain = upstream.resolver_with(config);
        let skin = profile(&chain, name).expect(name).skin.expect("a skin");
        assert_eq!(skin.texture.as_str(), url, "{name}");
        assert_eq!(skin.model, None, "only the texture can tell");
        let file = file(&chain, &skin.texture).expect("it was kept");
        assert_eq!(file, texture("slim"));
        assert_eq!(upstream.calls(), [url]);
    }
}

#[test]
fn redirects_are_followed_where_textures_may_come_from() {
    let to = |url: &str| Answer::Located(301, url.to_owned());
    let first = "https://skins.example/Alice";
    let game = to("http://textures.minecraft.net/texture/1");
    let secret = to("https://user@skins.example/");
    let small = Answer::ok([&texture("")[..16], &[0; 8]].concat());
    let large = Answer::ok([&texture("")[..16], &[0, 0, 16, 0, 0, 0, 16, 0]].concat());
    let rows = [
        (vec![to("/1")], "found", 2),
        (vec![to("https://skins.example/1"), to("2")], "found", 3),
        (vec![to("/1"), to("/2"), to("/3")], "found", 4),
        (vec![to("/1"), to("/2"), to("/3"), to("/4")], "decode", 4),
        (vec![game], "found", 2),
        (vec![to("https://cdn.example/1")], "found", 2),
        (vec![to("https://other.example/1")], "refused", 1),
        (vec![to("https://skins.example:8443/1")], "refused", 1),
        (vec![to("http://127.0.0.1/1")], "refused", 1),
        (vec![to("http://169.254.169.254/latest")], "refused", 1),
        (vec![to("file:///etc/passwd")], "refused", 1),
        (vec![to("/1"), secret], "refused", 2),
        (vec![Answer::status(301)], "301", 1),
        (vec![to("/1"), Answer::status(404)], "not found", 2),
        (vec![to("/1"), Answer::ok("<html>")], "decode", 2),
        // A PNG of another size is no skin.
        (vec![to("/1"), small], "decode", 2),
        (vec![to("/1"), large], "decode", 2),
    ];
    for (answers, expected, calls) in rows {
        let mut upstream = Canned::new().on("*", Answer::texture("skin"));
        let mut url = url::Url::parse(first).expect("a url");
        for answer in &answers {
            upstream = upstream.on(&short(&url), answer.clone());
            if let Answer::Located(_, location) = answer {
                url = url.join(location).expect("a location");
            }
        }
        let config = UpstreamConfig {
            texture_hosts: vec!["cdn.example".to_owned()],
            ..config(&["skin-url=https://skins.example/{name}"])
        };
        let found = outcome(&upstream.resolver_with(config), "Alice");
        let found = match found.as_str() {
            "?" => "found",
            "a url that is not allowed" => "refused",
            found => found,
        };
        assert_eq!(found, expected, "{answers:?}");
        assert_eq!(upstream.requests().len(), calls, "{answers:?}");
    }
}

/// The short form of the URL of a texture of the game.
fn short(url: &url::Url) -> String {
    let url = url.as_str().replace("http://textures", "https://textures");
    url.replace("https://textures.minecraft.net/", "")
}
