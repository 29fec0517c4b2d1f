//! The profiles of `PlayerDB` and Ashcon.

use super::{Json, Names, uuid};

#[test]
fn each_url_of_playerdb_has_its_answer() {
    Names::new().check(
        "playerdb",
        &[
            ("/api/player/minecraft/Notch", Json(200)),
            ("/api/player/minecraft/{D}", Json(200)),
            ("/api/player/minecraft/Nobody", Json(400)),
            ("/api/player/steam/Notch", Json(404)),
        ],
    );
}

#[test]
fn playerdb_finds_a_player() {
    let names = Names::new();
    let found = names.get("/playerdb/api/player/minecraft/notch").json();
    assert_eq!(found["code"], "player.found");
    assert_eq!(found["success"], true);
    let player = &found["data"]["player"];
    assert_eq!(player["username"], "Notch");
    assert_eq!(player["id"], names.dashed);
    assert_eq!(player["raw_id"], uuid());
}

#[test]
fn playerdb_has_a_code_for_a_missing_player() {
    let path = "/playerdb/api/player/minecraft/Nobody";
    let missing = Names::new().get(path).json();
    assert_eq!(missing["success"], false);
    assert_eq!(missing["code"], "minecraft.invalid_username");
}

#[test]
fn each_url_of_ashcon_has_its_answer() {
    Names::new().check(
        "ashcon",
        &[
            ("/mojang/v2/user/Notch", Json(200)),
            ("/mojang/v2/user/{U}", Json(200)),
            ("/mojang/v2/user/Nobody", Json(404)),
            ("/mojang/v2/user/Corvina", Json(200)),
            ("/mojang/v1/user/Notch", Json(404)),
        ],
    );
}

#[test]
fn ashcon_has_textures_and_cape() {
    let user = Names::new().get("/ashcon/mojang/v2/user/Corvina").json();
    assert_eq!(user["username"], "Corvina");
    assert!(user["textures"]["cape"]["data"].is_string());
    assert!(user["textures"]["raw"]["value"].is_string());
}

#[test]
fn ashcon_has_uuids_as_plain_text() {
    let names = Names::new();
    let plain = names.get("/ashcon/mojang/v2/uuid/Notch");
    assert_eq!(plain.body, names.dashed.as_bytes());
}

#[test]
fn ashcon_repeats_the_status_of_an_error() {
    let unknown = Names::new().get("/ashcon/mojang/v2/user/Nobody").json();
    assert_eq!(unknown["code"], 404);
}
