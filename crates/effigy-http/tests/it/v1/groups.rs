//! Several players in one picture: `/v1/group` and `/v1/sheet`.

use std::time::Duration;

use effigy_render::{Arrangement, Decoration, ImageFormat, Model, Player, Skin, View};
use effigy_upstream::Rate;
use fixtures::{Step, until};
use serde_json::{Value, json};

use crate::support::{
    MOJANG_IS_DOWN, NOBODY, Server, as_under_v1, assert_error, of_view, picture_of,
};

/// A player of an arrangement, and the skin that the player wears, or `None` if there is no such
/// player.
type Entry = (&'static str, Option<&'static str>);

fn decoded(skin: &str) -> Skin {
    Skin::decode(fixtures::skin(skin).png, Model::Classic).unwrap()
}

/// The file of an arrangement, and its document.
fn arranged(
    entries: [Entry; 3],
    arrange: impl for<'a> Fn(&[Option<Player<'a>>]) -> Arrangement<'a>,
) -> (Vec<u8>, Value) {
    let skins = entries.map(|(_, skin)| skin.map(decoded));
    let players = skins.each_ref().map(|skin| skin.as_ref().map(Player::new));
    let arrangement = arrange(&players);
    let mut documented = Vec::new();
    for ((player, skin), place) in entries.iter().zip(&arrangement.places) {
        documented.push(json!({
            "player": player, "missing": skin.is_none(), "substitute": false,
            "x": place.x, "y": place.y, "width": place.width, "height": place.height,
        }));
    }
    let picture = arrangement.picture;
    let document = json!({
        "width": picture.width(), "height": picture.height(), "players": documented,
    });
    (picture.encode(ImageFormat::Png).unwrap(), document)
}

/// For each player of a document, `true` if the player is missing.
fn missing(document: &Value) -> Vec<bool> {
    flags(document, "missing")
}

/// A property of each player of a document.
fn flags(document: &Value, name: &str) -> Vec<bool> {
    let players = document["players"].as_array().unwrap().iter();
    players
        .map(|player| player[name].as_bool().unwrap())
        .collect()
}

const GROUP: [Entry; 3] = [
    ("Gwendolin", Some("knight")),
    ("Nobody", None),
    ("notch", Some("chef")),
];

#[test]
fn a_group_stands_side_by_side() {
    let server = Server::start();
    let figure = as_under_v1(of_view(View::Figure, 64));
    let (file, document) = arranged(GROUP, |players| figure.group(players).unwrap());
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

/// A name is written as the account has it, or as in the request if there is no account.
#[test]
fn a_label_is_the_name_of_the_account() {
    let server = Server::start();
    let mut spec = as_under_v1(of_view(View::Figure, 64));
    spec.names = true;
    let chef = decoded("chef");
    let neutral = decoded("neutral");
    let players = [
        Some(Player::new(&chef).with_label("Notch")),
        Some(Player::new(&neutral).with_label("No-body")),
    ];
    let reply = server.get("/v1/group?players=notch,No-body&default=steve&names&size=64");
    let expected = spec.group(&players).unwrap().picture.encode_png().unwrap();
    assert!(reply.body == expected);
}

/// No upstream tells how a gamertag is written.
#[test]
fn a_gamertag_is_written_as_in_the_request() {
    let server = Server::start();
    let label = |gamertag: &str| {
        let path = format!("/v1/group?players=.{gamertag}&names&size=64");
        server.ok(&path).body
    };
    assert_ne!(label("Bluejay"), label("bLUEJAY"));
    for gamertag in ["Bluejay", "bLUEJAY"] {
        let profile = server.get(&format!("/v1/profile/.{gamertag}")).json();
        assert_eq!(profile["name"], gamertag);
    }
}

const SHEET: [Entry; 3] = [
    ("Gwendolin", Some("knight")),
    (".Bluejay", Some("diver")),
    ("Notch", Some("chef")),
];

#[test]
fn a_sheet_has_any_view() {
    let server = Server::start();
    let dark = Decoration::NONE
        .with_background([0x20, 0x22, 0x25, 0xff])
        .with_padding(4);
    let bust = as_under_v1(of_view(View::Bust, 32)).with_decoration(dark);
    let (file, document) = arranged(SHEET, |players| bust.sheet(players, 2).unwrap());
    let query = "players=Gwendolin,.Bluejay,Notch&view=bust&size=32&background=202225&padding=4";
    assert!(server.get(&format!("/v1/sheet?{query}")).body == file);
    let found = server.get(&format!("/v1/sheet.json?{query}"));
    assert_eq!(found.header("content-type"), Some("application/json"));
    assert_eq!(found.json(), document);
}

#[test]
fn a_sheet_with_other_columns_is_another_picture() {
    let server = Server::start();
    let sheet = |query: &str| {
        let path = format!("/v1/sheet?players=Gwendolin,.Bluejay,Notch&size=32{query}");
        picture_of(&server.get(&path))
    };
    assert!(sheet("&columns=3").width > sheet("").width);
}

#[test]
fn a_missing_player_never_fails_the_others() {
    let server = Server::start();
    let path = "/v1/sheet.json?players=Nobody,Gwendolin,OddSize,%C3%A9,.Nobody";
    let document = server.get(path).json();
    assert_eq!(missing(&document), [true, false, true, true, true]);
}

#[test]
fn a_player_who_is_shown_as_the_default_is_still_missing() {
    let server = Server::start();
    for (default, is_shown) in [("Notch", true), ("steve", true), ("Nobody2", false)] {
        let path = format!("/v1/group.json?players=Gwendolin,Nobody,.Nobody&default={default}");
        let document = server.get(&path).json();
        assert_eq!(missing(&document), [false, true, true], "{default}");
        let substitutes = flags(&document, "substitute");
        assert_eq!(substitutes, [false, is_shown, is_shown], "{default}");
    }
}

#[test]
fn a_group_without_a_single_player_is_an_error() {
    let server = Server::start();
    let nobody = server.get("/v1/group?players=Nobody,.Nobody");
    assert_error(&nobody, 404, NOBODY);
    server.fail(Step::Session);
    let outage = server.get("/v1/group?players=Reynard");
    assert_error(&outage, 502, MOJANG_IS_DOWN);
}

const PICTURE: &str = "/v1/sheet?players=Gwendolin,Reynard";
const DOCUMENT: &str = "/v1/sheet.json?players=Gwendolin,Reynard";

/// A server that knows Gwendolin, and that an outage keeps from finding Reynard.
fn server_in_an_outage() -> Server {
    let server = Server::start();
    server.ok("/v1/head/Gwendolin");
    server.fail(Step::Session);
    server
}

#[test]
fn a_picture_that_lacks_a_player_in_an_outage_is_not_cached() {
    let server = server_in_an_outage();
    for path in [PICTURE, PICTURE, DOCUMENT, DOCUMENT] {
        let reply = server.ok(path);
        assert_eq!(reply.header("x-cache"), Some("miss"), "{path}");
        assert_eq!(reply.header("cache-control"), Some("no-cache"));
    }
}

#[test]
fn a_player_who_was_lacking_in_an_outage_comes_back() {
    let server = server_in_an_outage();
    assert_eq!(missing(&server.ok(DOCUMENT).json()), [false, true]);
    server.mend(Step::Session);
    until("both are shown", || {
        missing(&server.ok(DOCUMENT).json()) == [false, false]
    });
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
