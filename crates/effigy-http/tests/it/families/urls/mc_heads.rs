//! MCHeads' URLs.

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use fixtures::{Step, until};
use serde_json::{Value, json};

use super::{Json, Names, Size, Skin, Status, WORN, uuid};
use crate::support::{assert_picture, bust, combo, head, player as body, skin_of};

#[test]
fn each_url_has_its_answer() {
    let names = Names::new();
    names.check(
        "mc-heads",
        &[
            ("/avatar/Notch/128", Size(128, 128)),
            ("/avatar/{U}/128.png", Size(128, 128)),
            ("/avatar/{D}/64.webp", Size(64, 64)),
            ("/avatar/Notch/64.jpg", Size(64, 64)),
            ("/avatar/%20Notch%20/64", Size(64, 64)),
            ("/Head/{U}", Size(180, 180)),
            ("/head/{U}.png/64", Size(64, 64)),
            ("/head/Notch/3d", Size(180, 180)),
            ("/head/{U}/left", Size(180, 180)),
            ("/body/Notch/512", Size(512, 1044)),
            ("/player/{U}/256", Size(256, 512)),
            ("/player/body/Notch/400", Size(400, 800)),
            ("/combo/Notch/64.png", Size(98, 64)),
            ("/skin/Notch", Skin),
            ("/skin/{T}", Skin),
            ("/bust/Notch/160", Size(160, 160)),
            ("/helm/Notch/64?t=5", Size(64, 64)),
            ("/cape/Corvina", Size(64, 32)),
            ("/cape/Corvina/100", Size(100, 160)),
            ("/cape/Notch", Json(404)),
            ("/minecraft/profile/Notch", Json(200)),
            ("/minecraft/profile/{U}", Json(200)),
            ("/minecraft/profile/Nobody", Status(204)),
            ("/minecraft/profile/Notch/signed", Json(200)),
            ("/minecraft/profile/Nobody/signed", Status(204)),
            ("/minecraft/profile/.Bluejay/signed", Json(200)),
            ("/json/get_user?u={U}", Json(200)),
            ("/json/get_user?search&u=Notch", Json(200)),
            ("/json/mc_status", Json(404)),
            ("/change/Notch", Json(404)),
        ],
    );
}

#[test]
fn flat_pictures_have_the_overlay() {
    let names = Names::new();
    let notch = skin_of("Notch");
    assert_picture(&names.get("/mc-heads/helm/Notch/64"), head(WORN, 64), notch);
    assert_picture(&names.get("/mc-heads/bust/Notch/64"), bust(WORN, 64), notch);
    let flat = names.get("/mc-heads/player/body/Notch/64");
    assert_picture(&flat, body(WORN, 64), notch);
}

#[test]
fn an_unknown_player_is_shown_as_steve() {
    let unknown = Names::new().get("/mc-heads/combo/Nobody/64");
    assert_picture(&unknown, combo(WORN, 64), skin_of("MHF_Steve"));
}

#[test]
fn a_profile_is_that_of_mojang() {
    let profile = Names::new().get("/mc-heads/minecraft/profile/notch").json();
    assert_eq!(profile["id"], uuid());
    assert_eq!(profile["name"], "Notch");
    assert_eq!(profile["properties"][0]["name"], "textures");
}

#[test]
fn a_profile_has_the_textures_that_its_player_has_set() {
    let names = Names::new();
    let textures = |player: &str| {
        let path = format!("/mc-heads/minecraft/profile/{player}");
        let profile = names.get(&path).json();
        let value = profile["properties"][0]["value"].as_str().unwrap();
        let document = BASE64_STANDARD.decode(value).unwrap();
        let document: Value = serde_json::from_slice(&document).unwrap();
        document["textures"].clone()
    };
    let skin = &textures("Notch")["SKIN"];
    assert!(skin["url"].as_str().unwrap().ends_with(&names.hash));
    assert_eq!(skin["metadata"], Value::Null);
    assert_eq!(textures("Reynard")["SKIN"]["metadata"]["model"], "slim");
    assert!(textures("Corvina")["CAPE"]["url"].is_string());
    // A default skin was set by nobody.
    assert_eq!(textures("Newcomer"), json!({}));
}

#[test]
fn a_user_is_found_in_any_letter_case() {
    let path = "/mc-heads/json/get_user?search&U=notch";
    assert_eq!(Names::new().get(path).json()["username"], "Notch");
}

/// The property with the textures in the signed profile of Corvina.
fn signed_property(names: &Names) -> Value {
    let profile = names.get("/mc-heads/minecraft/profile/Corvina/signed");
    profile.json()["properties"][0].clone()
}

#[test]
fn only_a_signed_profile_has_a_signature() {
    let names = Names::new();
    let plain = names.get("/mc-heads/minecraft/profile/Corvina").json();
    assert!(plain["properties"][0]["signature"].is_null(), "{plain}");
    let signed = signed_property(&names);
    assert!(signed["signature"].is_string(), "{signed}");
}

#[test]
fn a_signed_profile_is_looked_up_once_a_minute() {
    let names = Names::new();
    let upstream = &names.server.upstream;
    names.get("/mc-heads/minecraft/profile/Corvina");
    let calls = upstream.calls(Step::Session);
    let first = signed_property(&names);
    upstream.set_skin("Corvina", "knight");
    assert_eq!(signed_property(&names), first);
    assert_eq!(upstream.calls(Step::Session), calls + 1);
    names.server.advance(61);
    assert_ne!(signed_property(&names)["value"], first["value"]);
}

#[test]
fn a_signed_profile_in_an_outage_is_an_error() {
    let names = Names::new();
    names.get("/mc-heads/minecraft/profile/Notch");
    names.server.fail(Step::Session);
    let outage = names.get("/mc-heads/minecraft/profile/Notch/signed");
    assert_eq!(outage.status, 502);
}

#[test]
fn a_profile_that_mojang_just_served_is_signed_later() {
    let names = Names::new();
    let path = "/mc-heads/minecraft/profile/Corvina/signed";
    let upstream = &names.server.upstream;
    upstream.enforce_profile_interval(Duration::from_secs(2));
    let has_signature = || {
        let reply = names.get(path);
        assert_eq!(reply.status, 200);
        reply.json()["properties"][0]["signature"].is_string()
    };
    assert!(!has_signature());
    // The rejection is about this player alone.
    assert_eq!(names.get("/mc-heads/avatar/Notch").status, 200);
    until("the profile is signed", has_signature);
}
