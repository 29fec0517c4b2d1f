//! One picture for each player.

use effigy_upstream::{Account, UpstreamConfig};

use super::{config, file, outcome, profile};
use crate::support::canned::{Answer, Canned, texture};

/// The UUID that a server in offline mode gives Alice.
const OFFLINE_ALICE: &str = "10920508d5d83eed93d292f193afe7d7";

#[test]
fn players_have_the_picture_of_their_name_or_uuid() {
    let uuid = OFFLINE_ALICE;
    let dashed = "10920508-d5d8-3eed-93d2-92f193afe7d7";
    for (template, input, sent) in [
        ("{name}", "Alice", Some("Alice")),
        ("{name}", "a/b", None),
        ("{name}", uuid, None),
        ("{uuid}", uuid, Some(uuid)),
        ("{dashed}", uuid, Some(dashed)),
        ("{dashed}", "Alice", None),
    ] {
        let upstream = Canned::new().on("*", Answer::texture("skin"));
        let provider = format!("skin-url=https://skins.example/{template}.png");
        let chain = upstream.resolver_with(config(&[&provider]));
        match profile(&chain, input) {
            Ok(found) => {
                let is_named = template == "{name}";
                assert_eq!(found.name.as_deref(), is_named.then_some(input));
                let Account::Java(found_uuid) = found.account else {
                    panic!("a Java player");
                };
                assert_eq!(found_uuid.to_string(), OFFLINE_ALICE);
            }
            Err(error) => assert!(sent.is_none() && !error.is_outage(), "{error}"),
        }
        let calls = sent.map(|sent| format!("https://skins.example/{sent}.png"));
        assert!(upstream.calls().into_iter().eq(calls), "{template} {input}");
    }
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
fn redirects_are_followed_to_allowed_hosts() {
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
        (vec![Answer::status(403)], "403", 1),
        (vec![Answer::status(404)], "not found", 1),
        (vec![to("/1"), Answer::status(404)], "not found", 2),
        (vec![to("/1"), Answer::ok("<html>")], "an HTML page", 2),
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
