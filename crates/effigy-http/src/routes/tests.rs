//! Tests of the routes: from URLs to requests.

use effigy_player::{Edition, Model};
use effigy_render::{Facing, ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::{Endpoint, PictureParams, Substitute};

use super::{
    DIRECTION_ERROR, parse_size,
    rejection::{Parsed, Rejection},
    request::{Operation, ParsedRequest},
};

/// Asserts what URLs ask for.
#[track_caller]
pub(super) fn check(rows: &[(&str, Parsed<Operation>)]) {
    for (url, expected) in rows {
        assert_eq!(parse(url).operation, *expected, "{url}");
    }
}

pub(crate) fn parse(url: &str) -> ParsedRequest {
    let (path, query) = url.split_once('?').unzip();
    ParsedRequest::parse(path.unwrap_or(url), query)
}

#[track_caller]
pub(super) fn rejected(url: &str) -> Rejection {
    parse(url).operation.expect_err(url)
}

/// Asserts that no route has these paths, between which are spaces.
#[track_caller]
pub(super) fn assert_not_found(paths: &str) {
    for path in paths.split(' ') {
        assert_eq!(rejected(path), Rejection::NOT_FOUND, "{path}");
    }
}

/// A picture of a player, with the player who is shown instead of one who does not exist.
pub(super) fn shown(
    params: PictureParams,
    input: &str,
    substitute: &'static str,
) -> Parsed<Operation> {
    let mut request = params.of_player(input);
    request.substitute = Some(Substitute {
        player: substitute.into(),
        otherwise: Some(substitute),
        in_outage: false,
    });
    Ok(Operation::File(request))
}

/// A picture of a texture, which tells its model.
pub(super) fn of_texture(params: PictureParams, hash: &str) -> Parsed<Operation> {
    let hash = effigy_upstream::TextureHash::parse(hash).unwrap();
    Ok(Operation::File(params.of_texture(hash, None)))
}

pub(super) fn extension(view: View, layers: Layers, facing: Facing, size: u32) -> PictureParams {
    let spec = PictureSpec::new(view, Size::new(size).unwrap());
    let spec = spec.with_layers(layers).with_facing(facing);
    PictureParams::extension(spec, ImageFormat::Png)
}

pub(super) fn notch(params: PictureParams) -> Parsed<Operation> {
    picture(params, "Notch")
}

fn picture(params: PictureParams, input: &str) -> Parsed<Operation> {
    Ok(Operation::File(params.of_player(input)))
}

pub(super) fn preview(params: PictureParams, model: Option<Model>) -> Parsed<Operation> {
    Ok(Operation::Preview { params, model })
}

fn head(layers: Layers, size: u32) -> PictureParams {
    let spec = PictureSpec::new(View::Face, Size::px(128)).with_layers(layers);
    PictureParams::specified(Endpoint::Head, spec, (size > 0).then_some(size))
}

/// The isometric body that is by default so wide.
fn body(default: u32, facing: Facing) -> PictureSpec {
    PictureSpec::new(View::IsometricBody, Size::px(default)).with_facing(facing)
}

#[test]
fn flat_views() {
    let (base, overlay) = (Layers::Base, Layers::WithOverlay);
    let spec = PictureSpec::new(View::Body, Size::px(128)).with_layers(overlay);
    let player = PictureParams::specified(Endpoint::Player, spec, Some(64));
    check(&[
        ("/head/Notch", notch(head(base, 0))),
        ("/head/Notch/64", notch(head(base, 64))),
        ("/head/Notch/64/hat", notch(head(overlay, 64))),
        ("/head/Notch//hat", notch(head(overlay, 0))),
        ("/head/Notch/big/hat", notch(head(overlay, 0))),
        ("/head/Notch/hat", notch(head(base, 0))),
        ("/head/Notch/64/hats", notch(head(base, 64))),
        ("/head/Notch/64/", notch(head(base, 64))),
        ("/head/Notch/064/HAT", notch(head(overlay, 64))),
        ("/head/Notch/0", notch(head(base, 0))),
        ("/head/Notch/-64", notch(head(base, 0))),
        ("/HEAD/Notch.png", notch(head(base, 0))),
        ("/head/a%2Fb/64", picture(head(base, 64), "a/b")),
        ("/player/Notch/64/hat", notch(player)),
        ("/skin/Notch", notch(PictureParams::SKIN)),
        ("/download/Notch.png", notch(PictureParams::DOWNLOAD)),
    ]);
}

#[test]
fn isometric_views() {
    let head = PictureSpec::new(View::IsometricHead, Size::px(64)).with_facing(Facing::Right);
    let specified = PictureParams::specified;
    let avatar = specified(Endpoint::Avatar, body(128, Facing::Left), Some(64));
    let ioshead = specified(Endpoint::Ioshead, head, Some(64));
    let left = specified(Endpoint::Iosbody, body(64, Facing::Left), Some(64));
    let right = specified(Endpoint::Iosbody, body(64, Facing::Right), None);
    check(&[
        ("/avatar/Notch/left/64", notch(avatar)),
        ("/ioshead/Notch/right/64.png", notch(ioshead)),
        ("/iosbody/Notch/LEFT/64/", notch(left)),
        ("/iosbody/Notch/right.png", notch(right)),
    ]);
}

#[test]
fn previews_have_the_paths_of_pictures_without_the_player() {
    let spec = body(128, Facing::Left);
    let left = PictureParams::specified(Endpoint::Avatar, spec, Some(64));
    let plain = head(Layers::Base, 0);
    let bad_direction = || Err(Rejection::bad_request(DIRECTION_ERROR));
    check(&[
        ("/preview/head", preview(plain, None)),
        (
            "/preview/head?model=slim",
            preview(plain, Some(Model::Slim)),
        ),
        (
            "/preview/head/64/hat",
            preview(head(Layers::WithOverlay, 64), None),
        ),
        ("/Preview/Avatar/left/64.png", preview(left, None)),
        ("/preview/avatar", bad_direction()),
        ("/preview/avatar/64", bad_direction()),
        ("/preview/avatar/64?model=x", bad_direction()),
    ]);
    assert_eq!(parse("/preview/avatar").methods(), "POST, OPTIONS");
}

#[test]
fn pages_and_data() {
    let asset = |name: &str| Ok(Operation::Asset(name.to_owned()));
    check(&[
        ("/", Ok(Operation::LandingPage)),
        ("/assets/page.css", asset("page.css")),
        ("/favicon.ico", asset("favicon.png")),
        ("/minecraft/mhf", asset("presets.json")),
        ("/Minecraft/MHF/", asset("presets.json")),
        ("/allstats", Ok(Operation::Count(Edition::Java))),
        ("/allstatsbedrock", Ok(Operation::Count(Edition::Bedrock))),
        ("/allstatsSorted", Ok(Operation::Counts)),
        ("/ALLSTATSSORTED", Ok(Operation::Counts)),
        ("/health", Ok(Operation::Health)),
        ("/health/", Ok(Operation::Health)),
        ("/openapi.json", Ok(Operation::OpenApi)),
        ("/docs", Ok(Operation::Reference)),
        ("/docs/families", Ok(Operation::Families)),
        ("/metrics", Ok(Operation::Metrics)),
        ("/head/%zz", Err(Rejection::bad_request("Malformed URL"))),
        ("/nowhere/%zz", Err(Rejection::bad_request("Malformed URL"))),
    ]);
}

#[test]
fn other_paths_are_not_found() {
    assert_not_found(
        "/nowhere /head /head/ /head// /head//64 /head/.png /head/Notch/64/hat/more /avatar/Notch/left/64/more \
         /avatar /avatar//up /skin /skin/Notch/64 /download/Notch/64 /minecraft /minecraft/mhf/more /minecraft/heads \
         /allstats/java /health/now /assets /assets/page.css/more /preview /preview/skin /preview/download \
         /preview/health /preview/head/64/hat/more /minotar//avatar//64 * head",
    );
    assert_not_found("");
}

#[test]
fn names_are_few() {
    let rows = [
        ("/head/Notch/64", "head"),
        ("/HEAD/Notch", "head"),
        ("/allstatsSorted", "allstatsSorted"),
        ("/health", "health"),
        ("/minecraft/mhf", "presets"),
        ("/metrics", "metrics"),
        ("/preview/head", "preview"),
        ("/v1/bust/Notch?size=0", "v1-picture"),
        ("/mc-heads/avatar/Notch", "mc-heads"),
        ("/", "index"),
        ("/head", "other"),
        ("/head/%zz", "other"),
        ("/v1/nothing/Notch", "other"),
        ("*", "other"),
    ];
    for (path, name) in rows {
        assert_eq!(parse(path).name, name, "{path}");
    }
}

#[test]
fn malformed_escapes_are_errors_if_the_query_is_read() {
    for url in [
        "/v1/head/Notch?size=%zz",
        "/v1/head/Notch?sise=%ff",
        "/v1/profile/Notch?%",
        "/preview/head?model=%",
    ] {
        let expected = Rejection::bad_request("Malformed URL");
        assert_eq!(rejected(url), expected, "{url}");
    }
    let uuid = "069a79f444e94726a5befca90e38aaf5";
    for url in [
        "/head/Notch?%zz",
        "/?player=%",
        "/v1/head/Notch?v=100%25",
        "/mc-heads/head/Notch?%",
        &format!("/crafatar/avatars/{uuid}?%zz"),
    ] {
        assert!(parse(url).operation.is_ok(), "{url}");
    }
}

#[test]
fn sizes_are_decimal_digits_or_the_default() {
    let rows = [
        (None, Some(128)),
        (Some(""), Some(128)),
        (Some("000"), Some(128)),
        (Some("+1"), Some(128)),
        (Some("1.5"), Some(128)),
        (Some("1e3"), Some(128)),
        (Some("0x10"), Some(128)),
        (Some(" 64"), Some(128)),
        (Some("٦٤"), Some(128)),
        (Some("1"), Some(1)),
        (Some("00000000000000000000000000000064"), Some(64)),
        (Some("100000"), Some(100_000)),
        (Some("2147483647"), Some(2_147_483_647)),
        (Some("2147483648"), None),
        (Some("4294967296"), None),
        (Some("99999999999999999999999999999999999999999"), None),
    ];
    for (text, side) in rows {
        let size = Size::new(parse_size(text).unwrap_or(128));
        assert_eq!(size.map(Size::get), side, "{text:?}");
    }
}
