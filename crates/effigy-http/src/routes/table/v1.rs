//! The routes under `/v1/`.

use effigy_render::View;

use crate::{
    respond::error::NO_PLAYER,
    routes::{
        docs::Reply,
        parameters::{COLUMNS, DEFAULT, HASH, INPUT, MODEL, PICTURE, PLAYERS, VIEW},
        route::{Errors, Route},
        v1::{self, arrangement},
    },
};

const PLAYER_ERRORS: Errors = Errors::ByReason(NO_PLAYER);
const CAPE_ERRORS: Errors = Errors::ByReason("No such player, or the player has no cape");
const TEXTURE_ERRORS: Errors = Errors::ByReason("No such texture");

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/v1/profile/{input}", v1::profile)
            .errors(PLAYER_ERRORS)
            .summary("Profile of a player")
            .description("A Java player has a `uuid` and a Bedrock player an `xuid`; the other field is null, as are \
                unknown fields. A Java player without a skin has the game's default skin, and `default_skin` is \
                true.")
            .parameters(&[INPUT])
            .cached(Reply::json("Profile")),
        Route::get("/v1/profiles", v1::profiles)
            .errors(PLAYER_ERRORS)
            .summary("Profiles of several players")
            .description("A list in the order of the players. Each entry is the profile, or an \
                `error` with the reason if there is none. Java names are looked up together.")
            .parameters(&[PLAYERS])
            .cached(Reply::json("Profiles")),
        Route::get("/v1/skin/{input}", v1::skin)
            .errors(PLAYER_ERRORS)
            .summary("Skin file of a player")
            .description("The file as it was uploaded. A player who has set no skin has the game's default skin.")
            .parameters(&[INPUT, DEFAULT])
            .cached(Reply::picture()),
        Route::get("/v1/cape/{input}", v1::cape)
            .errors(CAPE_ERRORS)
            .summary("Cape of a player")
            .description("The file as it was uploaded.")
            .parameters(&[INPUT])
            .cached(Reply::picture()),
        Route::get("/v1/group", arrangement::group)
            .errors(PLAYER_ERRORS)
            .summary("Several players side by side")
            .description("Figures on one line. A player who does not exist leaves an empty place, or is shown as \
                `default`; if nobody can be shown, the status is that of the first player. With \
                `Accept: application/json` the response is that of `/v1/group.json`.")
            .parameters(&[PLAYERS, DEFAULT])
            .parameters_of(View::Figure, &PICTURE)
            .cached(Reply::picture().or_json("Places")),
        Route::get("/v1/group.json", arrangement::group_places)
            .errors(PLAYER_ERRORS)
            .summary("Places in a group")
            .description("The size of the picture of `/v1/group` with the same query, the rectangle of each player, \
                and who is missing.")
            .parameters(&[PLAYERS, DEFAULT])
            .parameters_of(View::Figure, &PICTURE)
            .cached(Reply::json("Places")),
        Route::get("/v1/sheet", arrangement::sheet)
            .errors(PLAYER_ERRORS)
            .summary("Several players in rows and columns")
            .description("Any view of each; `head` by default. A player who does not exist leaves an empty place, or \
                is shown as `default`; if nobody can be shown, the status is that of the first player. With \
                `Accept: application/json` the response is that of `/v1/sheet.json`.")
            .parameters(&[PLAYERS, VIEW, COLUMNS, DEFAULT])
            .parameters(&PICTURE)
            .cached(Reply::picture().or_json("Places")),
        Route::get("/v1/sheet.json", arrangement::sheet_places)
            .errors(PLAYER_ERRORS)
            .summary("Places on a sheet")
            .description("The size of the picture of `/v1/sheet` with the same query, the rectangle of each player, \
                and who is missing.")
            .parameters(&[PLAYERS, VIEW, COLUMNS, DEFAULT])
            .parameters(&PICTURE)
            .cached(Reply::json("Places")),
        Route::get("/v1/texture/{hash}", v1::texture)
            .errors(TEXTURE_ERRORS)
            .summary("Texture by its hash")
            .description("The file as it was uploaded.")
            .parameters(&[HASH])
            .cached(Reply::picture()),
        Route::get("/v1/texture/{hash}/{view}", v1::texture_picture)
            .errors(TEXTURE_ERRORS)
            .summary("Picture of a texture")
            .description("A texture does not state its model: `model` does.")
            .parameters(&[HASH, VIEW])
            .parameters(&PICTURE)
            .parameters(&[MODEL])
            .cached(Reply::picture_or_svg()),
        Route::post("/v1/preview/{view}", v1::preview)
            .summary("Picture of a skin file")
            .description("Draws the skin file in the body of the request, and stores nothing.")
            .parameters(&[VIEW])
            .parameters(&PICTURE)
            .parameters(&[MODEL])
            .reply(Reply::picture_or_svg()),
        Route::get("/v1/{view}/{input}", v1::picture)
            .errors(PLAYER_ERRORS)
            .summary("Picture of a player")
            .description("With `.svg` after the player, the picture is SVG. No other \
                player's skin is shown without `default`: the status is 404 if the player does not exist, and 502 \
                during an outage.")
            .parameters(&[VIEW, INPUT])
            .parameters(&PICTURE)
            .parameters(&[DEFAULT])
            .cached(Reply::picture_or_svg()),
    ]
}
