//! The table of all routes. The router, the names in the metrics, `/openapi.json`, `/docs` and the
//! table in `docs/http-api.md` follow from it.

use effigy_player::Edition;
use effigy_service::Endpoint;

use super::{
    docs::Reply,
    families::{crafatar, mc_heads, minotar},
    parameters::{
        CRAFATAR_DEFAULT, CRAFATAR_OVERLAY, CRAFATAR_RENDER, CRAFATAR_SCALE, CRAFATAR_SIZE,
        CRAFATAR_UUID, DIRECTION, FACING, FLAT, HASH, INPUT, ISOMETRIC, MC_HEADS_FACING,
        MC_HEADS_NOHELM, MC_HEADS_SIZE, MC_HEADS_VIEW, MINOTAR_ARMOR, MINOTAR_VIEW, MINOTAR_WIDTH,
        MODEL, OPTION, OVERLAY, SIZE, V1_SIZE, VIEW,
    },
    route::{Errors, Route, RouteMethod},
    specified,
    target::{Rejection, Target},
    v1,
};

const PICTURES: &str = "Pictures";
const PREVIEWS: &str = "Previews";
const DATA: &str = "Data";
const V1: &str = "Under /v1/";
const CRAFATAR: &str = "Crafatar's URLs";
const MINOTAR: &str = "Minotar's URLs";
const MC_HEADS: &str = "MCHeads' URLs";

const V1_ERRORS: Errors = Errors::ByReason {
    not_found: "No such player",
};
const TEXTURE_ERRORS: Errors = Errors::ByReason {
    not_found: "No such texture",
};

const UNPROCESSABLE_UUID: Reply = Reply::Unprocessable(&["Invalid UUID"]);
const UNPROCESSABLE_SIZE: Reply = Reply::Unprocessable(&["Invalid UUID", "Invalid Size"]);
const UNPROCESSABLE_SCALE: Reply = Reply::Unprocessable(&["Invalid UUID", "Invalid Scale"]);

/// The values that most rows share.
const GET: Route = Route {
    pattern: "",
    name: "",
    method: RouteMethod::Get,
    parse: |_| Err(Rejection::NOT_FOUND),
    errors: Errors::None,
    tag: "",
    summary: "",
    description: "",
    parameters: &[],
    replies: &[],
};

/// All routes, in the order of the documentation.
pub(crate) static ROUTES: [Route; 32] = [
    Route {
        pattern: "/head/{input}/{size?}/{option?}",
        name: "head",
        parse: specified::head,
        errors: Errors::Specified(Endpoint::Head),
        tag: PICTURES,
        summary: "Face",
        description: "`size` x `size` pixels, with hard edges.",
        parameters: &[INPUT, SIZE, OPTION],
        replies: &[Reply::Picture, Reply::NotFound],
        ..GET
    },
    Route {
        pattern: "/player/{input}/{size?}/{option?}",
        name: "player",
        parse: specified::player,
        errors: Errors::Specified(Endpoint::Player),
        tag: PICTURES,
        summary: "Flat body",
        description: "`size` pixels wide and twice as high, with hard edges.",
        parameters: &[INPUT, SIZE, OPTION],
        replies: &[Reply::Picture, Reply::NotFound],
        ..GET
    },
    Route {
        pattern: "/avatar/{input}/{direction!}/{size?}",
        name: "avatar",
        parse: specified::avatar,
        errors: Errors::Specified(Endpoint::Avatar),
        tag: PICTURES,
        summary: "Isometric body",
        description: "`size` pixels wide and 2.04 times as high, always with the overlay.",
        parameters: &[INPUT, DIRECTION, SIZE],
        replies: &[Reply::Picture, Reply::BadDirection, Reply::NotFound],
        ..GET
    },
    Route {
        pattern: "/ioshead/{input}/{direction!}/{size?}",
        name: "ioshead",
        parse: specified::ioshead,
        errors: Errors::Specified(Endpoint::Ioshead),
        tag: PICTURES,
        summary: "Isometric head",
        description: "`size` x `size` pixels (64 by default), always with the overlay.",
        parameters: &[INPUT, DIRECTION, SIZE],
        replies: &[Reply::Picture, Reply::BadDirection, Reply::NotFound],
        ..GET
    },
    Route {
        pattern: "/iosbody/{input}/{direction!}/{size?}",
        name: "iosbody",
        parse: specified::iosbody,
        errors: Errors::Specified(Endpoint::Iosbody),
        tag: PICTURES,
        summary: "Isometric body, 64 pixels wide by default",
        description: "The same picture as `/avatar`.",
        parameters: &[INPUT, DIRECTION, SIZE],
        replies: &[Reply::Picture, Reply::BadDirection, Reply::NotFound],
        ..GET
    },
    Route {
        pattern: "/skin/{input}",
        name: "skin",
        parse: specified::skin,
        errors: Errors::Specified(Endpoint::Skin),
        tag: PICTURES,
        summary: "Skin file",
        description: "The texture as the player uploaded it.",
        parameters: &[INPUT],
        replies: &[Reply::Picture, Reply::NotFound],
        ..GET
    },
    Route {
        pattern: "/download/{input}",
        name: "download",
        parse: specified::download,
        errors: Errors::Specified(Endpoint::Download),
        tag: PICTURES,
        summary: "Skin file as an attachment",
        description: "The same file, which browsers save as `<input>_skin.png`.",
        parameters: &[INPUT],
        replies: &[Reply::Picture, Reply::NotFound],
        ..GET
    },
    Route {
        pattern: "/preview/{flat}/{size?}/{option?}",
        name: "preview",
        method: RouteMethod::Post,
        parse: specified::flat_preview,
        tag: PREVIEWS,
        summary: "Flat picture of a skin file",
        description: "Like `/head` and `/player`, of the skin file in the body of the request. Nothing is \
            stored.",
        parameters: &[FLAT, SIZE, OPTION, MODEL],
        replies: &[Reply::Preview, Reply::BadSkinFile],
        ..GET
    },
    Route {
        pattern: "/preview/{isometric}/{direction!}/{size?}",
        name: "preview",
        method: RouteMethod::Post,
        parse: specified::isometric_preview,
        tag: PREVIEWS,
        summary: "Isometric picture of a skin file",
        description: "Like `/avatar`, `/ioshead` and `/iosbody`, of the skin file in the body of the request. \
            Nothing is stored.",
        parameters: &[ISOMETRIC, DIRECTION, SIZE, MODEL],
        replies: &[Reply::Preview, Reply::BadSkinFile],
        ..GET
    },
    Route {
        pattern: "/minecraft/mhf",
        name: "presets",
        parse: |_| Ok(Target::Presets),
        tag: DATA,
        summary: "Preset heads",
        description: "Each of these names can be used as a player.",
        replies: &[Reply::Json("Presets")],
        ..GET
    },
    Route {
        pattern: "/allstats",
        name: "allstats",
        parse: |_| Ok(Target::Count(Edition::Java)),
        errors: Errors::Specified(Endpoint::AllStats),
        tag: DATA,
        summary: "Number of pictures drawn of Java players",
        description: "Responses from the cache do not count.",
        replies: &[Reply::Json("Count")],
        ..GET
    },
    Route {
        pattern: "/allstatsbedrock",
        name: "allstatsbedrock",
        parse: |_| Ok(Target::Count(Edition::Bedrock)),
        errors: Errors::Specified(Endpoint::AllStatsBedrock),
        tag: DATA,
        summary: "Number of pictures drawn of Bedrock players",
        description: "Responses from the cache do not count.",
        replies: &[Reply::Json("Count")],
        ..GET
    },
    Route {
        pattern: "/allstatsSorted",
        name: "allstatsSorted",
        parse: |_| Ok(Target::Counts),
        errors: Errors::Specified(Endpoint::AllStatsSorted),
        tag: DATA,
        summary: "Both numbers, the larger one first",
        description: "Responses from the cache do not count.",
        replies: &[Reply::Json("Counts")],
        ..GET
    },
    Route {
        pattern: "/health",
        name: "health",
        parse: |_| Ok(Target::Health),
        errors: Errors::Specified(Endpoint::Health),
        tag: DATA,
        summary: "Health report",
        description: "Looks up a player at the Java identity service and reads from the database. The status \
            takes the checks of the last five minutes into account.",
        replies: &[Reply::Json("Healthy"), Reply::Unhealthy],
        ..GET
    },
    Route {
        pattern: "/metrics",
        name: "metrics",
        parse: |_| Ok(Target::Metrics),
        tag: DATA,
        summary: "Metrics for Prometheus",
        description: "Counters and gauges of this process, in Prometheus' text format.",
        replies: &[Reply::Metrics],
        ..GET
    },
    Route {
        pattern: "/v1/profile/{input}",
        name: "v1",
        parse: v1::profile,
        errors: V1_ERRORS,
        tag: V1,
        summary: "Profile of a player",
        description: "A Java player has a `uuid` and a Bedrock player an `xuid`; the other field is null, as are \
            unknown fields. A Java player without a skin has the game's default skin, and `default_skin` is \
            true.",
        parameters: &[INPUT],
        replies: &[Reply::CachedJson("Profile")],
        ..GET
    },
    Route {
        pattern: "/v1/cape/{input}",
        name: "v1",
        parse: v1::cape,
        errors: Errors::ByReason {
            not_found: "No such player, or the player has no cape",
        },
        tag: V1,
        summary: "Cape of a player",
        description: "The file as it was uploaded.",
        parameters: &[INPUT],
        replies: &[Reply::Picture],
        ..GET
    },
    Route {
        pattern: "/v1/texture/{hash}",
        name: "v1",
        parse: v1::texture,
        errors: TEXTURE_ERRORS,
        tag: V1,
        summary: "Texture by its hash",
        description: "The file as it was uploaded.",
        parameters: &[HASH],
        replies: &[Reply::Picture],
        ..GET
    },
    Route {
        pattern: "/v1/texture/{hash}/{view}",
        name: "v1",
        parse: v1::texture_picture,
        errors: TEXTURE_ERRORS,
        tag: V1,
        summary: "Picture of a texture",
        description: "Any view, as of a player. A texture does not state its model: `model` does.",
        parameters: &[HASH, VIEW, V1_SIZE, FACING, OVERLAY, MODEL],
        replies: &[Reply::PictureOrSvg],
        ..GET
    },
    Route {
        pattern: "/v1/preview/{view}",
        name: "v1",
        method: RouteMethod::Post,
        parse: v1::preview,
        tag: V1,
        summary: "Picture of a skin file",
        description: "Any view, of the skin file in the body of the request. Nothing is stored.",
        parameters: &[VIEW, V1_SIZE, FACING, OVERLAY, MODEL],
        replies: &[Reply::PreviewOrSvg, Reply::BadSkinFile],
        ..GET
    },
    Route {
        pattern: "/v1/{view}/{input}",
        name: "v1",
        parse: v1::picture,
        errors: V1_ERRORS,
        tag: V1,
        summary: "Picture of a player",
        description: "Any view, from any side. With `.svg` after the player, a flat view is SVG. No other \
            player's skin is shown: the status is 404 if the player does not exist, and 502 during an outage.",
        parameters: &[VIEW, INPUT, V1_SIZE, FACING, OVERLAY],
        replies: &[Reply::PictureOrSvg],
        ..GET
    },
    Route {
        pattern: "/crafatar/avatars/{uuid}",
        name: "crafatar",
        parse: crafatar::avatar,
        errors: Errors::ByStatus,
        tag: CRAFATAR,
        summary: "Crafatar: face",
        parameters: &[
            CRAFATAR_UUID,
            CRAFATAR_SIZE,
            CRAFATAR_OVERLAY,
            CRAFATAR_DEFAULT,
        ],
        replies: &[Reply::Picture, UNPROCESSABLE_SIZE],
        ..GET
    },
    Route {
        pattern: "/crafatar/renders/{render}/{uuid}",
        name: "crafatar",
        parse: crafatar::render,
        errors: Errors::ByStatus,
        tag: CRAFATAR,
        summary: "Crafatar: isometric head or body",
        parameters: &[
            CRAFATAR_RENDER,
            CRAFATAR_UUID,
            CRAFATAR_SCALE,
            CRAFATAR_OVERLAY,
            CRAFATAR_DEFAULT,
        ],
        replies: &[Reply::Picture, Reply::NotFound, UNPROCESSABLE_SCALE],
        ..GET
    },
    Route {
        pattern: "/crafatar/skins/{uuid}",
        name: "crafatar",
        parse: crafatar::skin,
        errors: Errors::ByStatus,
        tag: CRAFATAR,
        summary: "Crafatar: skin file",
        parameters: &[CRAFATAR_UUID, CRAFATAR_DEFAULT],
        replies: &[Reply::Picture, UNPROCESSABLE_UUID],
        ..GET
    },
    Route {
        pattern: "/crafatar/capes/{uuid}",
        name: "crafatar",
        parse: crafatar::cape,
        errors: Errors::ByStatus,
        tag: CRAFATAR,
        summary: "Crafatar: cape",
        description: "The status is 404 if the player has no cape.",
        parameters: &[CRAFATAR_UUID],
        replies: &[Reply::Picture, Reply::NotFound, UNPROCESSABLE_UUID],
        ..GET
    },
    Route {
        pattern: "/minotar/armor/{view}/{input}/{width?}",
        name: "minotar",
        parse: minotar::armor,
        errors: Errors::ByStatus,
        tag: MINOTAR,
        summary: "Minotar: flat pictures with the overlay",
        description: "A player who does not exist is shown as Steve.",
        parameters: &[MINOTAR_ARMOR, INPUT, MINOTAR_WIDTH],
        replies: &[Reply::Picture, Reply::Redirect, Reply::NotFound],
        ..GET
    },
    Route {
        pattern: "/minotar/{view}/{input}/{width?}",
        name: "minotar",
        parse: minotar::picture,
        errors: Errors::ByStatus,
        tag: MINOTAR,
        summary: "Minotar: pictures and skin files",
        description: "A player who does not exist is shown as Steve.",
        parameters: &[MINOTAR_VIEW, INPUT, MINOTAR_WIDTH],
        replies: &[Reply::PictureOrSvg, Reply::Redirect, Reply::NotFound],
        ..GET
    },
    Route {
        pattern: "/mc-heads/{view}/{input}/{pixels?}/{facing?}/{nohelm?}",
        name: "mc-heads",
        parse: mc_heads::picture,
        errors: Errors::ByStatus,
        tag: MC_HEADS,
        summary: "MCHeads: pictures and skin files",
        description: "A player who does not exist is shown as Steve. A texture's hash may take the place of the \
            player. The parameters after it may have any order.",
        parameters: &[
            MC_HEADS_VIEW,
            INPUT,
            MC_HEADS_SIZE,
            MC_HEADS_FACING,
            MC_HEADS_NOHELM,
        ],
        replies: &[Reply::Picture, Reply::NotFound],
        ..GET
    },
    Route {
        pattern: "/",
        name: "index",
        parse: |_| Ok(Target::LandingPage),
        ..GET
    },
    Route {
        pattern: "/assets/{name}",
        name: "assets",
        parse: |path| Ok(Target::Asset(path.required("name")?.to_owned())),
        ..GET
    },
    Route {
        pattern: "/docs",
        name: "docs",
        parse: |_| Ok(Target::Reference),
        ..GET
    },
    Route {
        pattern: "/openapi.json",
        name: "openapi",
        parse: |_| Ok(Target::OpenApi),
        ..GET
    },
];

/// Returns the routes with documentation.
pub(crate) fn documented() -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().filter(|route| !route.tag.is_empty())
}
