//! Tests of the routes: from URLs to requests.

use effigy_player::{Edition, Model};
use effigy_render::{Camera, Facing, ImageFormat, Layers, NamedPose, PictureSpec, Size, View};
use effigy_service::{Endpoint, FileSpec, PictureParams, Substitute};

use hyper::Method;

use super::{
    DIRECTION_ERROR, parse_facing, parse_layers, parse_size,
    request::{DocPage, Operation, Parsed, ParsedRequest, Rejection},
};

const NOT_FOUND: Parsed = Err(Rejection::NOT_FOUND);

/// Asserts what URLs ask for.
#[track_caller]
pub(super) fn check(rows: &[(&str, Parsed)]) {
    for (url, expected) in rows {
        assert_eq!(parse(url).operation, *expected, "{url}");
    }
}

pub(super) fn parse(url: &str) -> ParsedRequest {
    let (path, query) = url.split_once('?').unzip();
    ParsedRequest::parse(path.unwrap_or(url), query)
}

/// Returns why a request for a URL is rejected.
#[track_caller]
pub(super) fn rejected(url: &str) -> Rejection {
    parse(url).operation.expect_err(url)
}

/// A picture of a player, with the player who is shown instead of one who does not exist.
pub(super) fn shown(params: PictureParams, input: &str, substitute: &'static str) -> Parsed {
    let mut request = params.of_player(input);
    request.substitute = Some(Substitute {
        player: substitute.into(),
        in_outage: false,
    });
    Ok(Operation::File(request))
}

/// A picture of a texture on the classic model.
pub(super) fn of_texture(params: PictureParams, hash: &str) -> Parsed {
    let hash = effigy_upstream::TextureHash::parse(hash).unwrap();
    Ok(Operation::File(params.of_texture(hash, Model::Classic)))
}

/// A picture beyond the specification.
pub(super) fn extension(view: View, layers: Layers, facing: Facing, size: u32) -> PictureParams {
    let spec = PictureSpec::new(view, Size::new(size).unwrap());
    let spec = spec.with_layers(layers).with_facing(facing);
    PictureParams::extension(spec, ImageFormat::Png)
}

fn notch(params: PictureParams) -> Parsed {
    picture(params, "Notch")
}

fn picture(params: PictureParams, input: &str) -> Parsed {
    Ok(Operation::File(params.of_player(input)))
}

fn preview(params: PictureParams, model: Model) -> Parsed {
    Ok(Operation::Preview { params, model })
}

/// The flat picture of one of our own paths.
pub(super) fn flat(word: &str, size: u32, layers: Layers) -> PictureParams {
    let option = match layers {
        Layers::Base => "",
        Layers::WithOverlay => "hat",
    };
    params_of(&format!("/{word}/Notch/{size}/{option}"))
}

/// The isometric picture of one of our own paths.
pub(super) fn isometric(word: &str, size: u32, facing: Facing) -> PictureParams {
    params_of(&format!("/{word}/Notch/{facing}/{size}"))
}

fn params_of(url: &str) -> PictureParams {
    match parse(url).operation {
        Ok(Operation::File(request)) => match &*request.spec {
            FileSpec::Picture(params, _) => *params,
            other => panic!("{url}: {other:?}"),
        },
        other => panic!("{url}: {other:?}"),
    }
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
        ("/head/Notch/64/helm", notch(head(base, 64))),
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
    let (left, right, size) = (Facing::Left, Facing::Right, Some(64));
    let head = PictureSpec::new(View::IsometricHead, Size::px(64)).with_facing(right);
    let specified = PictureParams::specified;
    check(&[
        (
            "/avatar/Notch/left/64",
            notch(specified(Endpoint::Avatar, body(128, left), size)),
        ),
        (
            "/ioshead/Notch/right/64.png",
            notch(specified(Endpoint::Ioshead, head, size)),
        ),
        (
            "/iosbody/Notch/LEFT/64/",
            notch(specified(Endpoint::Iosbody, body(64, left), size)),
        ),
        (
            "/iosbody/Notch/right.png",
            notch(specified(Endpoint::Iosbody, body(64, right), None)),
        ),
    ]);
}

#[test]
fn a_direction_is_required() {
    for word in ["avatar", "ioshead", "iosbody"] {
        for rest in ["", "/", "/front", "/64", "/up/64", "//64", "/.png"] {
            let path = format!("/{word}/Notch{rest}");
            let request = parse(&path);
            let expected = Err(Rejection::bad_request(DIRECTION_ERROR));
            assert_eq!(
                (request.name, request.operation),
                (word, expected),
                "{path}"
            );
        }
    }
}

#[test]
fn previews_have_the_paths_of_pictures_without_the_player() {
    let spec = body(128, Facing::Left);
    let left = PictureParams::specified(Endpoint::Avatar, spec, Some(64));
    let plain = head(Layers::Base, 0);
    let bad_direction = || Err(Rejection::bad_request(DIRECTION_ERROR));
    check(&[
        ("/preview/head", preview(plain, Model::Classic)),
        ("/preview/head?model=slim", preview(plain, Model::Slim)),
        (
            "/preview/head/64/hat",
            preview(head(Layers::WithOverlay, 64), Model::Classic),
        ),
        ("/Preview/Avatar/left/64.png", preview(left, Model::Classic)),
        ("/preview/avatar", bad_direction()),
        ("/preview/avatar/64", bad_direction()),
        ("/preview/avatar/64?model=x", bad_direction()),
    ]);
    assert_eq!(parse("/preview/avatar").method, Method::POST);
}

#[test]
fn paths_beyond_the_specification() {
    let bust = extension(View::Bust, Layers::WithOverlay, Facing::Right, 128);
    let (hash, uppercase) = ("ab".repeat(32), "AB".repeat(32));
    let model = Model::Classic;
    check(&[
        (
            "/v1/profile/Notch",
            Ok(Operation::File(
                FileSpec::Profile("Notch".to_owned()).into(),
            )),
        ),
        (
            "/v1/Cape/.Tag",
            Ok(Operation::File(
                FileSpec::Cape(".Tag".to_owned(), None).into(),
            )),
        ),
        ("/v1/Bust/Notch.png", notch(bust)),
        ("/v1/BUST/Notch", notch(bust)),
        ("/v1/face/Notch", parse("/v1/head/Notch").operation),
        ("/v1/Body/Notch", parse("/v1/player/Notch").operation),
        (
            "/v1/sheet?players=a&view=face",
            parse("/v1/sheet?players=a&view=head").operation,
        ),
        ("/v1/skin/Notch.png", notch(PictureParams::OWN_SKIN)),
        (
            &format!("/v1/texture/{hash}"),
            of_texture(PictureParams::SKIN, &hash),
        ),
        (
            &format!("/v1/texture/{uppercase}/bust"),
            of_texture(bust, &hash),
        ),
        ("/v1/preview/bust", preview(bust, model)),
        ("/v1/preview/bust?model=slim", preview(bust, Model::Slim)),
        (
            "/v1/figure/Notch?yaw=-30&pose=walk",
            notch(PictureParams::extension(
                PictureSpec::new(View::Figure, Size::new(128).unwrap())
                    .with_camera(Camera::orthographic(-30.0, 10.0))
                    .with_pose(NamedPose::Walk),
                ImageFormat::Png,
            )),
        ),
        ("/v1/bust/%20Notch%09.png", notch(bust)),
        ("/v1/bust/%20", NOT_FOUND),
        (
            "/v1/profile/+Notch",
            Ok(Operation::File(
                FileSpec::Profile("+Notch".to_owned()).into(),
            )),
        ),
        (
            "/v1/profile/%20Notch",
            Ok(Operation::File(
                FileSpec::Profile("Notch".to_owned()).into(),
            )),
        ),
        (
            "/v1/profiles?players=Notch,+.Two+Words",
            Ok(Operation::Profiles(vec![
                "Notch".to_owned(),
                ".Two Words".to_owned(),
            ])),
        ),
        (
            "/v1/cape/Notch%20",
            Ok(Operation::File(
                FileSpec::Cape("Notch".to_owned(), None).into(),
            )),
        ),
        (
            "/v1/cube/Notch?cape=true",
            Err(Rejection::bad_request(
                "Cape applies only to isobody, figure and portrait",
            )),
        ),
        (
            "/v1/avatar/Notch.svg",
            notch(PictureParams::extension(
                PictureSpec::new(View::IsometricBody, Size::new(128).unwrap())
                    .with_filter(effigy_render::Filter::Area)
                    .with_light(effigy_render::Light::Soft),
                ImageFormat::Svg,
            )),
        ),
    ]);
    for (url, format) in [
        ("/v1/bust/Notch", ImageFormat::Png),
        ("/v1/bust/Notch.svg", ImageFormat::Svg),
    ] {
        let Ok(Operation::File(request)) = parse(url).operation else {
            panic!("{url} is no picture");
        };
        let FileSpec::Picture(params, input) = &*request.spec else {
            panic!("{url} is no picture");
        };
        assert_eq!((params.format, &**input), (format, "Notch"));
    }
}

#[test]
fn pages_and_data() {
    let presets = || Ok(Operation::Asset("presets.json".to_owned()));
    check(&[
        ("/", Ok(Operation::LandingPage)),
        (
            "/assets/page.css",
            Ok(Operation::Asset("page.css".to_owned())),
        ),
        ("/minecraft/mhf", presets()),
        ("/Minecraft/MHF/", presets()),
        ("/allstats", Ok(Operation::Count(Edition::Java))),
        ("/allstatsbedrock", Ok(Operation::Count(Edition::Bedrock))),
        ("/allstatsSorted", Ok(Operation::Counts)),
        ("/ALLSTATSSORTED", Ok(Operation::Counts)),
        ("/health", Ok(Operation::Health)),
        ("/health/", Ok(Operation::Health)),
        ("/openapi.json", Ok(Operation::OpenApi)),
        ("/docs", Ok(Operation::Reference(DocPage::Main))),
        (
            "/docs/families",
            Ok(Operation::Reference(DocPage::Families)),
        ),
        (
            "/favicon.ico",
            Ok(Operation::Asset("favicon.png".to_owned())),
        ),
        ("/metrics", Ok(Operation::Metrics)),
        ("/head/%zz", Err(Rejection::bad_request("Malformed URL"))),
        ("/nowhere/%zz", Err(Rejection::bad_request("Malformed URL"))),
    ]);
}

#[test]
fn other_paths_are_not_found() {
    let rows = [
        "/nowhere",
        "/head",
        "/head/",
        "/head//",
        "/head//64",
        "/head/.png",
        "/head/Notch/64/hat/more",
        "/avatar/Notch/left/64/more",
        "/avatar",
        "/avatar//up",
        "/skin",
        "/skin/Notch/64",
        "/download/Notch/64",
        "/minecraft",
        "/minecraft/mhf/more",
        "/minecraft/heads",
        "/allstats/java",
        "/health/now",
        "/assets",
        "/assets/page.css/more",
        "/preview",
        "/preview/skin",
        "/preview/download",
        "/preview/health",
        "/preview/head/64/hat/more",
        "/v1",
        "/v1/bust",
        "/v1/preview",
        "/v1/preview/skin",
        "/v1/head/.svg",
        "/v1/texture/ab/back",
        "/v1/texture/ab/head/64",
        "/v1/head/Notch/64",
        "/v1/profile//",
        "/v1/nothing/Notch",
        "//head/Notch",
        "",
        "*",
        "head",
    ];
    for path in rows {
        let rejection = parse(path).operation.unwrap_err();
        assert_eq!(rejection.status, 404, "{path}");
    }
}

#[test]
fn words_that_people_type_are_answered_with_those_that_are_meant() {
    let rows = [
        ("/v1/face/a?width=64", 400, "Did you mean \"size\"?"),
        ("/v1/face/a?w=64", 400, "Did you mean \"size\"?"),
        ("/v1/isobody/a?Scale=10", 400, "Did you mean \"size\"?"),
        ("/v1/figure/a?zoom=2", 400, "Did you mean \"size\"?"),
        ("/v1/figure/a?rotate=30", 400, "Did you mean \"yaw\"?"),
        ("/v1/figure/a?angle=30", 400, "Did you mean \"yaw\"?"),
        ("/v1/body/a?hat", 400, "Did you mean \"overlay\"?"),
        ("/v1/body/a?helm=false", 400, "Did you mean \"overlay\"?"),
        (
            "/v1/face/a?fallback=steve",
            400,
            "Did you mean \"default\"?",
        ),
        ("/v1/face/a?_=1", 400, "Did you mean \"v\"?"),
        ("/v1/face/a?t=1", 400, "Did you mean \"v\"?"),
        ("/v1/profile/a?_=1", 400, "This path has no parameters"),
        ("/v1/group?users=a,b", 400, "Did you mean \"players\"?"),
        (
            "/v1/face/a?format=svg",
            400,
            "The format is the extension: \".png\", \".svg\"",
        ),
        (
            "/v1/isobody/a?flip",
            400,
            "\"facing\" mirrors isometric views",
        ),
        ("/v1/figure/a?back", 400, "a \"yaw\" of 180"),
        ("/v1/figure/a?turn", 400, "end in \".apng\" or \".gif\""),
        (
            "/v1/face/a.apng",
            400,
            "Only figures, portraits and cubes can be \".apng\" or \".gif\"",
        ),
        ("/v1/face/a.gif", 400, "\".apng\" or \".gif\""),
        ("/face/Notch", 404, "Did you mean \"/v1/face/Notch\"?"),
        ("/Skull/Notch.png", 404, "Did you mean \"/v1/face/Notch\"?"),
        (
            "/helm/Notch/64",
            404,
            "Did you mean \"/v1/face/Notch?size=64\"?",
        ),
        (
            "/figure/.Two%20Words",
            404,
            "Did you mean \"/v1/figure/.Two%20Words\"?",
        ),
        ("/v1/helm/Notch", 404, "Did you mean \"/v1/face/Notch\"?"),
        (
            "/v1/full/Notch.apng",
            404,
            "Did you mean \"/v1/figure/Notch.apng\"?",
        ),
        (
            "/v1/bust/Notch/128",
            404,
            "Did you mean \"/v1/bust/Notch?size=128\"?",
        ),
        (
            "/v1/head/Notch/64/hat",
            404,
            "Did you mean \"/v1/face/Notch?size=64\"?",
        ),
        (
            "/v1/bust/Notch/4096",
            404,
            "Did you mean \"/v1/bust/Notch\"?",
        ),
        (
            "/v1/group/A,.B%20C",
            404,
            "Did you mean \"/v1/group?players=A,.B%20C\"?",
        ),
    ];
    for (url, status, words) in rows {
        let Rejection {
            status: found,
            message,
        } = rejected(url);
        assert_eq!(found, status, "{url}: {message}");
        assert!(message.contains(words), "{url}: {message}");
    }
    // None of these names a picture elsewhere.
    for url in ["/face//64", "/banana/Notch", "/docs/face", "/face"] {
        assert_eq!(rejected(url), Rejection::NOT_FOUND, "{url}");
    }
}

#[test]
fn unknown_views_are_answered_with_all_of_them() {
    for path in [
        "/v1",
        "/v1/",
        "/v1/banana/X",
        "/v1/preview/skin",
        "/v1/bust",
    ] {
        let message = rejected(path).message;
        assert!(
            message.contains("figure, portrait, cube, isobody, isohead, face"),
            "{path}: {message}"
        );
    }
}

#[test]
fn names_are_few() {
    let hash = "ab".repeat(32);
    let rows = [
        ("/head/Notch/64", "head"),
        ("/HEAD/Notch", "head"),
        ("/allstatsSorted", "allstatsSorted"),
        ("/health", "health"),
        ("/minecraft/mhf", "presets"),
        ("/metrics", "metrics"),
        ("/preview/head", "preview"),
        ("/v1/bust/Notch", "v1-picture"),
        ("/v1/bust/Notch?size=0", "v1-picture"),
        ("/v1/group.json", "v1-group"),
        (&format!("/v1/texture/{hash}/head"), "v1-texture-picture"),
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
fn queries_with_malformed_escapes_are_errors_where_they_are_read() {
    let uuid = "069a79f444e94726a5befca90e38aaf5";
    for url in [
        "/v1/head/Notch?size=%zz",
        "/v1/head/Notch?sise=%ff",
        "/v1/profile/Notch?%",
        "/preview/head?model=%",
        &format!("/crafatar/avatars/{uuid}?%zz"),
    ] {
        assert_eq!(
            rejected(url),
            Rejection::bad_request("Malformed URL"),
            "{url}"
        );
    }
    for url in ["/head/Notch?%zz", "/?player=%", "/v1/head/Notch?v=100%25"] {
        assert!(parse(url).operation.is_ok(), "{url}");
    }
}

#[test]
fn sizes_are_decimal_digits_or_the_default() {
    let rows = [
        (None, Some(128)),
        (Some(""), Some(128)),
        (Some("abc"), Some(128)),
        (Some("0"), Some(128)),
        (Some("000"), Some(128)),
        (Some("-1"), Some(128)),
        (Some("+1"), Some(128)),
        (Some("1.5"), Some(128)),
        (Some("1e3"), Some(128)),
        (Some("0x10"), Some(128)),
        (Some(" 64"), Some(128)),
        (Some("64px"), Some(128)),
        (Some("٦٤"), Some(128)),
        (Some("1"), Some(1)),
        (Some("64"), Some(64)),
        (Some("0064"), Some(64)),
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

#[test]
fn the_option_is_hat_or_nothing() {
    let rows = [
        (None, Layers::Base),
        (Some("hat"), Layers::WithOverlay),
        (Some("HAT"), Layers::WithOverlay),
        (Some("helm"), Layers::Base),
        (Some("hats"), Layers::Base),
        (Some(""), Layers::Base),
        (Some("64"), Layers::Base),
    ];
    for (option, layers) in rows {
        assert_eq!(parse_layers(option), layers, "{option:?}");
    }
}

#[test]
fn the_direction_is_left_or_right() {
    let rows = [
        (Some("left"), Some(Facing::Left)),
        (Some("right"), Some(Facing::Right)),
        (Some("LEFT"), Some(Facing::Left)),
        (Some("Right"), Some(Facing::Right)),
        (None, None),
        (Some(""), None),
        (Some("front"), None),
        (Some("lef"), None),
        (Some("left "), None),
        (Some("64"), None),
    ];
    for (direction, facing) in rows {
        assert_eq!(parse_facing(direction), facing, "{direction:?}");
    }
}
