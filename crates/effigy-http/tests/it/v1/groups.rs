//! Several players in one picture: `/v1/group` and `/v1/sheet`.

use std::time::Duration;

use crate::support::{
    MOJANG_IS_DOWN, NOBODY, Server, as_under_v1, assert_error, of_view, picture_of,
};
use effigy_render::{Arrangement, Decoration, ImageFormat, Model, Player, Skin, View};
use effigy_upstream::Rate;
use fixtures::Step;
use serde_json::{Value, json};

/// The file of an arrangement, and its document. The players wear these skins or are missing.
fn arranged(
    players: [(&str, Option<&str>); 3],
    arrange: impl for<'a> Fn(&[Option<Player<'a>>]) -> Arrangement<'a>,
) -> (Vec<u8>, Value) {
    let decode = |name: &str| Skin::decode(fixtures::skin(name).png, Model::Classic).unwrap();
    let skins = players.map(|(_, skin)| skin.map(decode));
    let arrangement = arrange(&skins.each_ref().map(|skin| skin.as_ref().map(Player::new)));
    let places = players.iter().zip(&arrangement.places);
    let places = places.map(|((player, skin), place)| {
        json!({
            "player": player, "missing": skin.is_none(),
            "x": place.x, "y": place.y, "width": place.width, "height": place.height,
        })
    });
    let picture = arrangement.picture;
    let document = json!({
        "width": picture.width(), "height": picture.height(), "players": places.collect::<Value>(),
    });
    (picture.encode(ImageFormat::Png).unwrap(), document)
}

fn missing(document: &Value) -> Vec<bool> {
    let players = document["players"].as_array().unwrap().iter();
    players
        .map(|player| player["missing"].as_bool().unwrap())
        .collect()
}

#[test]
fn a_group_stands_side_by_side() {
    let server = Server::start();
    let figure = as_under_v1(of_view(View::Figure, 64));
    let players = [
        ("Gwendolin", Some("knight")),
        ("Nobody", None),
        ("notch", Some("chef")),
    ];
    let (file, document) = arranged(players, |players| figure.group(players).unwrap());
    let query = "players=Gwendolin,Nobody,notch&size=64";
    for (extension, x_cache) in [("", "miss"), (".png", "hit")] {
        let reply = server.ok(&format!("/v1/group{extension}?{query}"));
        assert_eq!(reply.header("x-cache"), Some(x_cache));
        assert_eq!(reply.header("content-type"), Some("image/png"));
        assert_eq!(reply.header("vary"), None);
        assert!(reply.body == file);
    }
    let found = server.get(&format!("/v1/group.json?{query}"));
    assert_eq!(found.json(), document);
}

#[test]
fn a_name_is_that_of_the_request_where_no_other_is_known() {
    let server = Server::start();
    let mut spec = as_under_v1(of_view(View::Figure, 64));
    spec.names = true;
    let skin = |name: &str| Skin::decode(fixtures::skin(name).png, Model::Classic).unwrap();
    let (chef, neutral) = (skin("chef"), skin("neutral"));
    let players = [
        Some(Player::new(&chef).with_label("Notch")),
        Some(Player::new(&neutral).with_label("No-body")),
    ];
    let reply = server.get("/v1/group?players=notch,No-body&default=steve&names&size=64");
    let expected = spec.group(&players).unwrap().picture.encode_png().unwrap();
    assert!(reply.body == expected);
    // Nobody but the client tells how a gamertag is written, in a profile too.
    let group = |tag: &str| server.get(&format!("/v1/group?players=.{tag}&names&size=64"));
    let [one, other] = ["Bluejay", "bLUEJAY"].map(group);
    assert!(one.status == 200 && one.body != other.body);
    for tag in ["Bluejay", "bLUEJAY"] {
        let profile = server.get(&format!("/v1/profile/.{tag}")).json();
        assert_eq!(profile["name"], tag);
    }
}

#[test]
fn a_sheet_has_any_view() {
    let server = Server::start();
    let dark = Decoration::NONE
        .with_background([0x20, 0x22, 0x25, 0xff])
        .with_padding(4);
    let bust = as_under_v1(of_view(View::Bust, 32)).with_decoration(dark);
    let players = [
        ("Gwendolin", Some("knight")),
        (".Bluejay", Some("diver")),
        ("Notch", Some("chef")),
    ];
    let (file, document) = arranged(players, |players| bust.sheet(players, 2).unwrap());
    let query = "players=Gwendolin,.Bluejay,Notch&view=bust&size=32&background=202225&padding=4";
    let reply = server.get(&format!("/v1/sheet?{query}"));
    assert!(reply.body == file);
    let found = server.get(&format!("/v1/sheet.json?{query}"));
    assert_eq!(found.header("content-type"), Some("application/json"));
    assert_eq!(found.json(), document);
    // Other columns are another picture.
    let row = server.get(&format!("/v1/sheet?{query}&columns=3"));
    assert_ne!(picture_of(&row).width, picture_of(&reply).width);
}

#[test]
fn a_missing_player_never_fails_the_others() {
    let server = Server::start();
    let path = "/v1/sheet.json?players=Nobody,Gwendolin,OddSize,%C3%A9,.Nobody";
    let document = server.get(path).json();
    assert_eq!(missing(&document), [true, false, true, true, true]);
    // Nor is one of them another player who is shown in the place.
    let path = "/v1/group.json?players=Gwendolin,Nobody,.Nobody&default=Notch";
    assert_eq!(missing(&server.get(path).json()), [false, true, true]);
    let nobody = server.get("/v1/group?players=Nobody,.Nobody");
    assert_error(&nobody, 404, NOBODY);
    server.fail(Step::Session);
    let outage = server.get("/v1/group?players=Reynard");
    assert_error(&outage, 502, MOJANG_IS_DOWN);
}

#[test]
fn a_picture_that_lacks_a_player_in_an_outage_is_not_cached() {
    let server = Server::start();
    server.ok("/v1/head/Gwendolin");
    server.fail(Step::Session);
    let [picture, document] =
        ["", ".json"].map(|extension| format!("/v1/sheet{extension}?players=Gwendolin,Reynard"));
    for path in [&picture, &picture, &document, &document] {
        let reply = server.get(path);
        assert_eq!(reply.header("x-cache"), Some("miss"), "{path}");
        assert_eq!(reply.header("cache-control"), Some("no-cache"));
    }
    server.mend(Step::Session);
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(missing(&server.get(&document).json()), [false, false]);
}

#[test]
fn players_beyond_a_rate_limit_are_missing() {
    let server = Server::start_with(|settings| {
        settings.upstream.rate_limits.session = Rate::new(1, Duration::from_secs(3_600));
    });
    let reply = server.get("/v1/sheet.json?players=Gwendolin,Reynard,Notch");
    let found = missing(&reply.json()).iter().filter(|gone| !**gone).count();
    assert_eq!(found, 1);
    assert_eq!(reply.header("cache-control"), Some("no-cache"));
}
