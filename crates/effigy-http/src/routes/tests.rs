//! Tests of the routes: from URLs to requests.

use effigy_parameters::Family;
use effigy_player::{Edition, Model};
use effigy_render::{Facing, ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::{Endpoint, PictureParams, Substitute, SubstitutePlayer};

use super::{
    rejection::{Parsed, Rejection},
    request::{Methods, Operation, ParsedRequest, Surface},
    specified::parse_size,
};

/// Asserts the operations of URLs.
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

/// Asserts that no route has these paths, which are separated by spaces.
#[track_caller]
pub(super) fn assert_not_found(paths: &str) {
    for path in paths.split(' ') {
        assert_eq!(rejected(path), Rejection::NOT_FOUND, "{path}");
    }
}

/// A picture of a player, or of the substitute if there is no such player.
pub(super) fn shown(
    params: PictureParams,
    input: &str,
    substitute: &'static str,
) -> Parsed<Operation> {
    let mut request = params.of_player(input);
    request.substitute = Some(Substitute {
        player: SubstitutePlayer::Named(substitute.into()),
        otherwise: Some(substitute),
        in_outage: false,
    });
    Ok(Operation::File(request))
}

/// A picture of a texture on the model that is guessed.
pub(super) fn of_texture(params: PictureParams, hash: &str) -> Parsed<Operation> {
    let hash = effigy_upstream::TextureHash::parse(hash).unwrap();
    Ok(Operation::File(params.of_texture(hash, None)))
}

pub(super) fn extension(view: View, layers: Layers, facing: Facing, size: u32) -> PictureParams {
    let spec = PictureSpec::new(view, Size::new(size).unwrap());
    let spec = spec.with_layers(layers).with_facing(facing);
    PictureParams::beyond_specification(spec, ImageFormat::Png)
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

fn head(layers: Layers, size: Option<u32>) -> PictureParams {
    let spec = PictureSpec::new(View::Face, Size::px(128)).with_layers(layers);
    PictureParams::specified(Endpoint::Head, spec, size)
}

/// An isometric body of this default width.
fn body(default: u32, facing: Facing) -> PictureSpec {
    PictureSpec::new(View::IsometricBody, Size::px(default)).with_facing(facing)
}

#[test]
fn flat_views_take_a_size_and_a_hat() {
    let spec = PictureSpec::new(View::Body, Size::px(128)).with_layers(Layers::WithOverlay);
    let player = PictureParams::specified(Endpoint::Player, spec, Some(64));
    check(&[
        ("/head/Notch", notch(head(Layers::Base, None))),
        ("/head/Notch/64", notch(head(Layers::Base, Some(64)))),
        (
            "/head/Notch/64/hat",
            notch(head(Layers::WithOverlay, Some(64))),
        ),
        (
            "/head/Notch/64/HAT",
            notch(head(Layers::WithOverlay, Some(64))),
        ),
        ("/head/Notch//hat", notch(head(Layers::WithOverlay, None))),
        ("/player/Notch/64/hat", notch(player)),
    ]);
}

#[test]
fn malformed_parameters_count_as_missing() {
    check(&[
        (
            "/head/Notch/big/hat",
            notch(head(Layers::WithOverlay, None)),
        ),
        ("/head/Notch/hat", notch(head(Layers::Base, None))),
        ("/head/Notch/64/hats", notch(head(Layers::Base, Some(64)))),
        ("/head/Notch/0", notch(head(Layers::Base, None))),
        ("/head/Notch/-64", notch(head(Layers::Base, None))),
    ]);
}

#[test]
fn players_are_decoded() {
    let params = head(Layers::Base, None);
    check(&[
        ("/HEAD/Notch.png", notch(params)),
        ("/head/Notch/", notch(params)),
        ("/head/a%2Fb", picture(params, "a/b")),
    ]);
}

#[test]
fn skin_files() {
    check(&[
        ("/skin/Notch", notch(PictureParams::SKIN)),
        ("/download/Notch.png", notch(PictureParams::DOWNLOAD)),
    ]);
}

#[test]
fn isometric_views_take_a_direction_and_a_size() {
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
    let plain = head(Layers::Base, None);
    check(&[
        ("/preview/head", preview(plain, None)),
        (
            "/preview/head?model=slim",
            preview(plain, Some(Model::Slim)),
        ),
        (
            "/preview/head/64/hat",
            preview(head(Layers::WithOverlay, Some(64)), None),
        ),
        ("/Preview/Avatar/left/64.png", preview(left, None)),
    ]);
}

#[test]
fn isometric_views_without_a_direction_are_rejected() {
    let message = "Direction must be \"left\" or \"right\"";
    for url in [
        "/avatar/Notch",
        "/iosbody/Notch/64",
        "/preview/avatar",
        "/preview/avatar/64?model=x",
    ] {
        assert_eq!(rejected(url), Rejection::bad_request(message), "{url}");
    }
}

#[test]
fn rejected_request_keeps_the_methods_of_its_route() {
    let rows = [
        ("/preview/avatar", Methods::Post),
        ("/v1/preview/face?x=1", Methods::Post),
        ("/avatar/Notch", Methods::Get),
    ];
    for (url, methods) in rows {
        let request = parse(url);
        assert!(request.operation.is_err(), "{url}");
        assert_eq!(request.methods, methods, "{url}");
    }
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
    ]);
}

#[test]
fn other_paths_are_not_found() {
    assert_not_found(
        "/nowhere /head /head/ /head// /head//64 /head/.png /head/Notch/64/hat/more \
         /avatar/Notch/left/64/more /avatar /avatar//up /skin /skin/Notch/64 /download/Notch/64 \
         /minecraft /minecraft/mhf/more /minecraft/heads /allstats/java /health/now /assets \
         /assets/page.css/more /preview /preview/skin /preview/download /preview/health \
         /preview/head/64/hat/more /minotar//avatar//64 * head",
    );
    assert_not_found("");
}

#[test]
fn name_is_the_route_and_not_the_path() {
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
fn surface_follows_from_the_path() {
    let rows = [
        ("/head/Notch", Surface::Specified("Failed to render head")),
        (
            "/avatar/Notch/up",
            Surface::Specified("Failed to render avatar"),
        ),
        ("/health", Surface::Specified("Health check failed")),
        ("/minecraft/mhf", Surface::Unprefixed),
        ("/nowhere", Surface::Unprefixed),
        ("/head/%zz", Surface::Unprefixed),
        ("/", Surface::Own),
        ("/preview/head", Surface::Own),
        ("/v1/face/Notch", Surface::Own),
        ("/v1/nothing/Notch", Surface::Own),
        ("/minotar/avatar/Notch", Surface::Family(Family::Minotar)),
        ("/minotar/nothing/Notch", Surface::Own),
    ];
    for (url, surface) in rows {
        assert_eq!(parse(url).surface, surface, "{url}");
    }
}

#[test]
fn malformed_escapes_are_rejected_if_they_are_read() {
    for url in [
        "/head/%zz",
        "/nowhere/%zz",
        "/v1/head/Notch?size=%zz",
        "/v1/head/Notch?sise=%ff",
        "/v1/profile/Notch?%",
        "/preview/head?model=%",
    ] {
        let expected = Rejection::bad_request("Malformed URL");
        assert_eq!(rejected(url), expected, "{url}");
    }
}

#[test]
fn malformed_escapes_are_ignored_if_the_query_is() {
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
