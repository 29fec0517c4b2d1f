//! The table of all routes. The router, the names in the metrics, `/openapi.json`, `/docs` and the
//! table in `docs/http-api.md` follow from it.

use std::sync::LazyLock;

use effigy_player::Edition;
use effigy_render::View;
use effigy_service::{Endpoint, PictureParams};

use super::{
    docs::Reply,
    families::{crafatar, mc_heads, minotar},
    parameters::{
        COLUMNS, CRAFATAR_DEFAULT, CRAFATAR_OVERLAY, CRAFATAR_RENDER, CRAFATAR_SCALE,
        CRAFATAR_SIZE, CRAFATAR_UUID, DIRECTION, FLAT, HASH, INPUT, ISOMETRIC, MC_HEADS_FACING,
        MC_HEADS_NOHELM, MC_HEADS_SIZE, MC_HEADS_VIEW, MINOTAR_ARMOR, MINOTAR_VIEW, MINOTAR_WIDTH,
        MODEL, OPTION, PICTURE, PLAYERS, SIZE, VIEW,
    },
    route::{Errors, Route},
    specified,
    target::Target,
    v1::{self, arrangement},
};

const PLAYER_ERRORS: Errors = Errors::ByReason("No such player");
const CAPE_ERRORS: Errors = Errors::ByReason("No such player, or the player has no cape");
const TEXTURE_ERRORS: Errors = Errors::ByReason("No such texture");

/// All routes, in the order of the documentation.
pub(crate) static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let sections = [
        ("Pictures", pictures()),
        ("Previews", previews()),
        ("Data", data()),
        ("Under /v1/", under_v1()),
        ("Crafatar's URLs", crafatar_urls()),
        ("Minotar's URLs", minotar_urls()),
        ("MCHeads' URLs", mc_heads_urls()),
        ("", pages()),
    ];
    let routes = sections.into_iter().flat_map(|(tag, routes)| {
        let tagged = move |mut route: Route| {
            route.replies.sort_by_key(|reply| reply.status);
            Route { tag, ..route }
        };
        routes.into_iter().map(tagged)
    });
    routes.collect()
});

/// Returns the routes with documentation.
pub(crate) fn documented() -> &'static [Route] {
    let pages = ROUTES.iter().position(|route| route.tag.is_empty());
    &ROUTES[..pages.unwrap_or(ROUTES.len())]
}

fn pictures() -> Vec<Route> {
    vec![
        Route::get("/head/{input}/{size?}/{option?}", specified::head)
            .specified_picture(Endpoint::Head)
            .summary("Face")
            .description("`size` x `size` pixels, with hard edges.")
            .parameters(&[INPUT, SIZE, OPTION]),
        Route::get("/player/{input}/{size?}/{option?}", specified::player)
            .specified_picture(Endpoint::Player)
            .summary("Flat body")
            .description("`size` pixels wide and twice as high, with hard edges.")
            .parameters(&[INPUT, SIZE, OPTION]),
        Route::get("/avatar/{input}/{direction!}/{size?}", specified::avatar)
            .specified_picture(Endpoint::Avatar)
            .summary("Isometric body")
            .description("`size` pixels wide and 2.04 times as high, always with the overlay.")
            .parameters(&[INPUT, DIRECTION, SIZE])
            .reply(Reply::bad_direction()),
        Route::get("/ioshead/{input}/{direction!}/{size?}", specified::ioshead)
            .specified_picture(Endpoint::Ioshead)
            .summary("Isometric head")
            .description("`size` x `size` pixels (64 by default), always with the overlay.")
            .parameters(&[INPUT, DIRECTION, SIZE])
            .reply(Reply::bad_direction()),
        Route::get("/iosbody/{input}/{direction!}/{size?}", specified::iosbody)
            .specified_picture(Endpoint::Iosbody)
            .summary("Isometric body, 64 pixels wide by default")
            .description("The same picture as `/avatar`.")
            .parameters(&[INPUT, DIRECTION, SIZE])
            .reply(Reply::bad_direction()),
        Route::get("/skin/{input}", |path| path.picture(PictureParams::SKIN))
            .specified_picture(Endpoint::Skin)
            .summary("Skin file")
            .description("The texture as the player uploaded it.")
            .parameters(&[INPUT]),
        Route::get("/download/{input}", |path| {
            path.picture(PictureParams::DOWNLOAD)
        })
        .specified_picture(Endpoint::Download)
        .summary("Skin file as an attachment")
        .description("The same file, which browsers save as `<input>_skin.png`.")
        .parameters(&[INPUT]),
    ]
}

fn previews() -> Vec<Route> {
    vec![
        Route::post("/preview/{flat}/{size?}/{option?}", specified::flat_preview)
            .summary("Flat picture of a skin file")
            .description("Like `/head` and `/player`, of the skin file in the body of the request. Nothing is \
                stored.")
            .parameters(&[FLAT, SIZE, OPTION, MODEL])
            .reply(Reply::picture()),
        Route::post("/preview/{isometric}/{direction!}/{size?}", specified::isometric_preview)
            .summary("Isometric picture of a skin file")
            .description("Like `/avatar`, `/ioshead` and `/iosbody`, of the skin file in the body of the request. \
                Nothing is stored.")
            .parameters(&[ISOMETRIC, DIRECTION, SIZE, MODEL])
            .reply(Reply::picture()),
    ]
}

fn data() -> Vec<Route> {
    vec![
        Route::get("/minecraft/mhf", |_| Ok(Target::Presets))
            .named("presets")
            .summary("Preset heads")
            .description("Each of these names can be used as a player.")
            .reply(Reply::json("Presets")),
        Route::get("/allstats", |_| Ok(Target::Count(Edition::Java)))
            .errors(Errors::Specified(Endpoint::AllStats))
            .summary("Number of pictures drawn of Java players")
            .description("Responses from the cache do not count.")
            .reply(Reply::json("Count")),
        Route::get("/allstatsbedrock", |_| Ok(Target::Count(Edition::Bedrock)))
            .errors(Errors::Specified(Endpoint::AllStatsBedrock))
            .summary("Number of pictures drawn of Bedrock players")
            .description("Responses from the cache do not count.")
            .reply(Reply::json("Count")),
        Route::get("/allstatsSorted", |_| Ok(Target::Counts))
            .errors(Errors::Specified(Endpoint::AllStatsSorted))
            .summary("Both numbers, the larger one first")
            .description("Responses from the cache do not count.")
            .reply(Reply::json("Counts")),
        Route::get("/health", |_| Ok(Target::Health))
            .errors(Errors::Specified(Endpoint::Health))
            .summary("Health report")
            .description("Looks up a player at the Java identity service and reads from the database. The status \
                takes the checks of the last five minutes into account.")
            .reply(Reply::json("Healthy"))
            .reply(Reply::unhealthy()),
        Route::get("/metrics", |_| Ok(Target::Metrics))
            .summary("Metrics for Prometheus")
            .description("Counters and gauges of this process, in Prometheus' text format.")
            .reply(Reply::metrics()),
    ]
}

fn under_v1() -> Vec<Route> {
    vec![
        Route::get("/v1/profile/{input}", |path| path.text("input", Target::Profile))
            .errors(PLAYER_ERRORS)
            .summary("Profile of a player")
            .description("A Java player has a `uuid` and a Bedrock player an `xuid`; the other field is null, as are \
                unknown fields. A Java player without a skin has the game's default skin, and `default_skin` is \
                true.")
            .parameters(&[INPUT])
            .cached(Reply::json("Profile")),
        Route::get("/v1/cape/{input}", |path| path.text("input", Target::Cape))
            .errors(CAPE_ERRORS)
            .summary("Cape of a player")
            .description("The file as it was uploaded.")
            .parameters(&[INPUT])
            .cached(Reply::picture()),
        Route::get("/v1/group", arrangement::group)
            .errors(PLAYER_ERRORS)
            .summary("Several players side by side")
            .description("Figures on one line. A player who does not exist leaves an empty place; the status is 404 if \
                none does. With `Accept: application/json` the response is that of `/v1/group.json`.")
            .parameters(&[PLAYERS])
            .parameters_of(View::Figure, &PICTURE)
            .cached(Reply::picture().or_json("Places")),
        Route::get("/v1/group.json", arrangement::group_places)
            .errors(PLAYER_ERRORS)
            .summary("Places in a group")
            .description("The size of the picture of `/v1/group` with the same query, the rectangle of each player, \
                and who is missing.")
            .parameters(&[PLAYERS])
            .parameters_of(View::Figure, &PICTURE)
            .cached(Reply::json("Places")),
        Route::get("/v1/sheet", arrangement::sheet)
            .errors(PLAYER_ERRORS)
            .summary("Several players in rows and columns")
            .description("Any view of each; `head` by default. A player who does not exist leaves an empty place; the \
                status is 404 if none does. With `Accept: application/json` the response is that of \
                `/v1/sheet.json`.")
            .parameters(&[PLAYERS, VIEW, COLUMNS])
            .parameters(&PICTURE)
            .cached(Reply::picture().or_json("Places")),
        Route::get("/v1/sheet.json", arrangement::sheet_places)
            .errors(PLAYER_ERRORS)
            .summary("Places on a sheet")
            .description("The size of the picture of `/v1/sheet` with the same query, the rectangle of each player, \
                and who is missing.")
            .parameters(&[PLAYERS, VIEW, COLUMNS])
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
            .description("Any view, as of a player. A texture does not state its model: `model` does.")
            .parameters(&[HASH, VIEW])
            .parameters(&PICTURE)
            .parameters(&[MODEL])
            .cached(Reply::picture_or_svg()),
        Route::post("/v1/preview/{view}", v1::preview)
            .summary("Picture of a skin file")
            .description("Any view, of the skin file in the body of the request. Nothing is stored.")
            .parameters(&[VIEW])
            .parameters(&PICTURE)
            .parameters(&[MODEL])
            .reply(Reply::picture_or_svg()),
        Route::get("/v1/{view}/{input}", v1::picture)
            .errors(PLAYER_ERRORS)
            .summary("Picture of a player")
            .description("Any view, from any side. With `.svg` after the player, it is SVG. No other \
                player's skin is shown: the status is 404 if the player does not exist, and 502 during an outage.")
            .parameters(&[VIEW, INPUT])
            .parameters(&PICTURE)
            .cached(Reply::picture_or_svg()),
    ]
}

fn crafatar_urls() -> Vec<Route> {
    vec![
        Route::get("/crafatar/avatars/{uuid}", crafatar::avatar)
            .errors(Errors::ByStatus)
            .summary("Crafatar: face")
            .parameters(&[
                CRAFATAR_UUID,
                CRAFATAR_SIZE,
                CRAFATAR_OVERLAY,
                CRAFATAR_DEFAULT,
            ])
            .cached(Reply::picture())
            .reply(Reply::unprocessable(&["Invalid UUID", "Invalid Size"])),
        Route::get("/crafatar/renders/{render}/{uuid}", crafatar::render)
            .errors(Errors::ByStatus)
            .summary("Crafatar: isometric head or body")
            .parameters(&[
                CRAFATAR_RENDER,
                CRAFATAR_UUID,
                CRAFATAR_SCALE,
                CRAFATAR_OVERLAY,
                CRAFATAR_DEFAULT,
            ])
            .cached(Reply::picture())
            .reply(Reply::not_found())
            .reply(Reply::unprocessable(&["Invalid UUID", "Invalid Scale"])),
        Route::get("/crafatar/skins/{uuid}", crafatar::skin)
            .errors(Errors::ByStatus)
            .summary("Crafatar: skin file")
            .parameters(&[CRAFATAR_UUID, CRAFATAR_DEFAULT])
            .cached(Reply::picture())
            .reply(Reply::unprocessable(&["Invalid UUID"])),
        Route::get("/crafatar/capes/{uuid}", crafatar::cape)
            .errors(Errors::ByStatus)
            .summary("Crafatar: cape")
            .description("The status is 404 if the player has no cape.")
            .parameters(&[CRAFATAR_UUID])
            .cached(Reply::picture())
            .reply(Reply::not_found())
            .reply(Reply::unprocessable(&["Invalid UUID"])),
    ]
}

fn minotar_urls() -> Vec<Route> {
    vec![
        Route::get("/minotar/armor/{view}/{input}/{width?}", minotar::armor)
            .errors(Errors::ByStatus)
            .summary("Minotar: flat pictures with the overlay")
            .description("A player who does not exist is shown as Steve.")
            .parameters(&[MINOTAR_ARMOR, INPUT, MINOTAR_WIDTH])
            .cached(Reply::picture())
            .reply(Reply::redirect())
            .reply(Reply::not_found()),
        Route::get("/minotar/{view}/{input}/{width?}", minotar::picture)
            .errors(Errors::ByStatus)
            .summary("Minotar: pictures and skin files")
            .description("A player who does not exist is shown as Steve.")
            .parameters(&[MINOTAR_VIEW, INPUT, MINOTAR_WIDTH])
            .cached(Reply::picture_or_svg())
            .reply(Reply::redirect())
            .reply(Reply::not_found()),
    ]
}

fn mc_heads_urls() -> Vec<Route> {
    vec![
        Route::get("/mc-heads/{view}/{input}/{pixels?}/{facing?}/{nohelm?}", mc_heads::picture)
            .errors(Errors::ByStatus)
            .summary("MCHeads: pictures and skin files")
            .description("A player who does not exist is shown as Steve. A texture's hash may take the place of the \
                player. The parameters after it may have any order.")
            .parameters(&[MC_HEADS_VIEW, INPUT, MC_HEADS_SIZE, MC_HEADS_FACING, MC_HEADS_NOHELM])
            .cached(Reply::picture())
            .reply(Reply::not_found()),
    ]
}

fn pages() -> Vec<Route> {
    vec![
        Route::get("/", |_| Ok(Target::LandingPage)).named("index"),
        Route::get("/assets/{name}", |path| path.text("name", Target::Asset)),
        Route::get("/docs", |_| Ok(Target::Reference)),
        Route::get("/openapi.json", |_| Ok(Target::OpenApi)).named("openapi"),
    ]
}
