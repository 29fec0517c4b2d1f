//! The table of all routes. The router, the names in the metrics, `/openapi.json`, `/docs` and the
//! table in `docs/http-api.md` follow from it.

mod families;
mod v1;

use std::sync::LazyLock;

use effigy_player::Edition;
use effigy_service::{Endpoint, PictureParams};

use super::{
    docs::Reply,
    parameters::{DIRECTION, FLAT, INPUT, ISOMETRIC, MODEL, OPTION, SIZE},
    route::{DocPage, Errors, Route},
    specified,
    target::Target,
};

/// All routes, in the order of the documentation.
pub(crate) static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    use DocPage::{Families, Main};
    let sections = [
        (Some(Main), "Pictures", pictures()),
        (Some(Main), "Previews", previews()),
        (Some(Main), "Data", data()),
        (Some(Main), "Under /v1/", v1::routes()),
        (Some(Families), "Crafatar's URLs", families::crafatar()),
        (Some(Families), "Minotar's URLs", families::minotar()),
        (Some(Families), "MCHeads' URLs", families::mc_heads()),
        (None, "", pages()),
    ];
    let routes = sections.into_iter().flat_map(|(page, tag, routes)| {
        let tagged = move |mut route: Route| {
            route.replies.sort_by_key(|reply| reply.status);
            Route { page, tag, ..route }
        };
        routes.into_iter().map(tagged)
    });
    routes.collect()
});

/// Returns the routes with documentation.
pub(crate) fn documented() -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().filter(|route| route.page.is_some())
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
            .description("Draws the skin file in the body of the request like `/head` and `/player`, and stores \
                nothing.")
            .parameters(&[FLAT, SIZE, OPTION, MODEL])
            .reply(Reply::picture()),
        Route::post("/preview/{isometric}/{direction!}/{size?}", specified::isometric_preview)
            .summary("Isometric picture of a skin file")
            .description("Draws the skin file in the body of the request like `/avatar`, `/ioshead` and `/iosbody`, \
                and stores nothing.")
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

fn pages() -> Vec<Route> {
    vec![
        Route::get("/", |_| Ok(Target::LandingPage)).named("index"),
        Route::get("/assets/{name}", |path| path.text("name", Target::Asset)),
        Route::get("/favicon.ico", |_| {
            Ok(Target::Asset("favicon.png".to_owned()))
        })
        .named("assets"),
        Route::get("/robots.txt", |_| {
            Ok(Target::Asset("robots.txt".to_owned()))
        })
        .named("assets"),
        Route::get("/docs", |_| Ok(Target::Reference(DocPage::Main))),
        Route::get("/docs/families", |_| {
            Ok(Target::Reference(DocPage::Families))
        }),
        Route::get("/openapi.json", |_| Ok(Target::OpenApi)).named("openapi"),
    ]
}
