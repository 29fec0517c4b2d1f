//! Tests of the routes under `/v1/`: from URLs to requests.

use effigy_render::{Camera, Facing, Filter, Layers, Light, NamedPose, PictureSpec};

use super::*;
use crate::routes::tests::{check, extension, notch, of_texture, parse, preview, rejected};

fn file_of(spec: FileSpec) -> Parsed<Operation> {
    Ok(Operation::file(spec))
}

fn profile_of(player: &str) -> Parsed<Operation> {
    file_of(FileSpec::Profile(player.to_owned()))
}

fn cape_of(player: &str) -> Parsed<Operation> {
    file_of(FileSpec::Cape(player.to_owned(), None))
}

#[test]
fn paths() {
    let bust = extension(View::Bust, Layers::WithOverlay, Facing::Right, 128);
    let hash = "ab".repeat(32);
    let texture = format!("/v1/texture/{hash}");
    let uppercase = format!("/v1/texture/{}/bust", "AB".repeat(32));
    let walking = PictureSpec::new(View::Figure, Size::px(128))
        .with_camera(Camera::perspective(-30.0, 16.0, 30.0))
        .with_pose(NamedPose::Walk);
    let walking = PictureParams::extension(walking, ImageFormat::Png);
    let body = PictureSpec::new(View::IsometricBody, Size::px(128))
        .with_filter(Filter::Area)
        .with_light(Light::Soft);
    let body = PictureParams::extension(body, ImageFormat::Svg);
    let sheet = parse("/v1/sheet?players=a&view=head").operation;
    let players = ["Notch", ".Two Words"].map(str::to_owned);
    let profiles = Ok(Operation::Profiles(players.to_vec()));
    check(&[
        ("/v1/profile/Notch", profile_of("Notch")),
        ("/v1/profile/+Notch", profile_of("+Notch")),
        ("/v1/profile/%20Notch", profile_of("Notch")),
        ("/v1/Cape/.Tag", cape_of(".Tag")),
        ("/v1/cape/Notch%20", cape_of("Notch")),
        ("/v1/BUST/Notch", notch(bust)),
        ("/v1/Bust/%20Notch%09.png", notch(bust)),
        ("/v1/face/Notch", parse("/v1/head/Notch").operation),
        ("/v1/Body/Notch", parse("/v1/player/Notch").operation),
        ("/v1/sheet?players=a&view=face", sheet),
        ("/v1/skin/Notch.png", notch(PictureParams::OWN_SKIN)),
        (&texture, of_texture(PictureParams::OWN_SKIN, &hash)),
        (&uppercase, of_texture(bust, &hash)),
        (
            "/v1/preview/bust?model=classic",
            preview(bust, Some(Model::Classic)),
        ),
        ("/v1/preview/bust", preview(bust, None)),
        (
            "/v1/preview/bust?model=slim",
            preview(bust, Some(Model::Slim)),
        ),
        ("/v1/figure/Notch?yaw=-30&pose=walk", notch(walking)),
        ("/v1/avatar/Notch.svg", notch(body)),
        ("/v1/profiles?players=Notch,+.Two+Words", profiles),
    ]);
}

#[test]
fn other_formats_and_hashes_are_errors() {
    let hash = "ab".repeat(32);
    let rows = [
        ("/v1/head/Notch.webp", BAD_FORMAT),
        ("/v1/head/Notch.JPG?size=64", BAD_FORMAT),
        ("/v1/figure/.Tag.jpeg", BAD_FORMAT),
        ("/v1/cape/Notch.gif", BAD_FORMAT),
        (&format!("/v1/texture/{hash}.avif"), BAD_FORMAT),
        (&format!("/v1/texture/{hash}/head.webp"), BAD_FORMAT),
        ("/v1/preview/head.webp", BAD_FORMAT),
        ("/v1/group.webp?players=a", BAD_ARRANGEMENT_FORMAT),
        ("/V1/Sheet.svg?players=a", BAD_ARRANGEMENT_FORMAT),
        ("/v1/texture/Notch/head", BAD_HASH),
    ];
    for (url, reason) in rows {
        assert_eq!(rejected(url), Rejection::bad_request(reason), "{url}");
    }
    for url in ["/v1/back/Notch.webp", "/v1/groups.webp", "/group.webp"] {
        assert_eq!(rejected(url).status, 404, "{url}");
    }
    for url in ["/v1/head/.gif", "/v1/head/webp", "/head/Notch.webp"] {
        assert!(parse(url).operation.is_ok(), "{url}");
    }
}

#[test]
fn other_paths_are_not_found() {
    let rows = "/v1/preview /v1/head/.svg /v1/bust/%20 /v1/texture/ab/back /v1/texture/ab/head/64 /v1/head/Notch/64 \
        /v1/profile//";
    for path in rows.split(' ') {
        assert_eq!(rejected(path).status, 404, "{path}");
    }
    let views = "Not found. Pictures are at /v1/{view}/{player}; the views are figure, portrait, cube, isobody, isohead, \
        face, bust, body, combo, body-back, body-left, body-right and layout";
    for path in "/v1 /v1/ /v1/banana/X /v1/preview/skin /v1/bust".split(' ') {
        assert_eq!(rejected(path).message, views, "{path}");
    }
}

#[test]
fn previews_and_pictures_of_textures_do_not_move() {
    let of_texture = format!("/v1/texture/{}/figure", "ab".repeat(32));
    for path in ["/v1/preview/figure", "/v1/preview/face", &of_texture] {
        for end in [".gif", ".apng", "?turn=true", "?animate", "?Animated=1"] {
            let rejection = rejected(&format!("{path}{end}"));
            assert_eq!(rejection.status, 400, "{path}{end}");
            assert!(
                rejection.message.ends_with(STILL),
                "{path}{end}: {}",
                rejection.message
            );
        }
    }
}

#[test]
fn words_that_people_type_get_the_right_word_as_an_answer() {
    let bad_default = "Default must be a player";
    let of_previews = "The parameters are: size, crop, facing";
    let twice = "Duplicate parameter \"turn\"";
    let only_free = "Only figures, portraits and cubes can be \".apng\" or \".gif\"";
    let rows = [
        ("/v1/isobody/a?Scale=10", 400, "Did you mean \"size\"?"),
        ("/v1/figure/a?back", 400, "a \"yaw\" of 180"),
        ("/v1/figure/a?turn", 400, "end in \".apng\" or \".gif\""),
        ("/v1/figure/a.gif?turn=1&turn", 400, twice),
        ("/v1/figure/a.gif?turn=2", 400, "Turn must be \"true\""),
        ("/v1/figure/a.gif?size=513", 400, "from 1 to 512 where"),
        ("/v1/figure/a.apng?facing=left", 400, "Facing applies only"),
        ("/v1/face/a.apng", 400, only_free),
        ("/v1/skin/a.svg", 400, "Skins and capes are PNG files"),
        ("/v1/cape/a.svg", 400, "Skins and capes are PNG files"),
        ("/v1/face/a.gif", 400, only_free),
        ("/v1/group?players=a&view=face", 400, "The parameters are"),
        (
            "/v1/face/a?default=https://a.example/b.png",
            400,
            bad_default,
        ),
        ("/v1/preview/face?x=1", 400, of_previews),
        ("/face/Notch", 404, "\"/v1/face/Notch\"?"),
        ("/Skull/Notch.png", 404, "\"/v1/face/Notch\"?"),
        ("/helm/Notch/64", 404, "\"/v1/face/Notch?size=64\"?"),
        ("/v1/bust/Notch/4096", 404, "\"/v1/bust/Notch\"?"),
        ("/figure/.A%20B", 404, "\"/v1/figure/.A%20B\"?"),
        ("/v1/full/a.apng", 404, "\"/v1/figure/a.apng\"?"),
        ("/v1/head/a/64/hat", 404, "\"/v1/face/a?size=64\"?"),
        ("/full/384/a", 404, "\"/v1/figure/a?size=384\"?"),
        ("/bust/64/100", 404, "\"/v1/bust/64?size=100\"?"),
        ("/bust/64", 404, "\"/v1/bust/64\"?"),
        (
            "/Skins/069a79f444e94726a5befca90e38aaf5.png",
            404,
            "\"/crafatar/skins/069a79f444e94726a5befca90e38aaf5\"?",
        ),
        ("/Avatars/a.png", 404, "\"/v1/face/a\"?"),
        ("/skins/a.png", 404, "\"/v1/skin/a\"?"),
        ("/v1/capes/a", 404, "\"/v1/cape/a\"?"),
        ("/renders/body/a", 404, "\"/crafatar/renders/body/a\"?"),
        ("/armor/body/a/64", 404, "\"/minotar/armor/body/a/64\"?"),
        ("/v1/group/A,.B%20C", 404, "\"/v1/group?players=A,.B%20C\"?"),
    ];
    for (url, status, words) in rows {
        let rejection = rejected(url);
        assert_eq!(rejection.status, status, "{url}");
        let message = rejection.message;
        assert!(message.contains(words), "{url}: {message}");
        assert!(!message.ends_with("model"), "{url}: {message}");
        let asks = status == 404;
        assert_eq!(message.contains("Not found. Did you mean"), asks, "{url}");
    }
    // None of these names a picture elsewhere.
    for url in ["/face//64", "/banana/Notch", "/docs/face", "/face"] {
        assert_eq!(rejected(url), Rejection::NOT_FOUND, "{url}");
    }
}

#[test]
fn unknown_parameters_are_errors_with_a_suggestion() {
    let none = "This path has no parameters";
    let meant = |name: &str| format!("Did you mean \"{name}\"?");
    let rows = [
        ("/v1/head/Notch?sise=1", "sise", &*meant("size")),
        ("/v1/head/Notch?Size=1", "Size", &meant("size")),
        ("/v1/head/a?bg=202225", "bg", &meant("background")),
        ("/v1/figure/a?size=0&yav=1", "yav", &meant("yaw")),
        ("/v1/group?player=a", "player", &meant("players")),
        ("/v1/sheet.json?cols=2", "cols", &meant("columns")),
        ("/v1/preview/head?modle=slim", "modle", &meant("model")),
        ("/v1/profile/Notch?size=1", "size", none),
    ];
    for (url, name, hint) in rows {
        let message = format!("Unknown parameter \"{name}\". {hint}");
        assert_eq!(rejected(url), Rejection::bad_request(message), "{url}");
    }
    for (url, name) in [
        ("/v1/head/Notch?q=1", "q"),
        ("/v1/head/Notch?size=1&=2", ""),
    ] {
        let message = rejected(url).message;
        let first =
            format!("Unknown parameter \"{name}\". The parameters are: size, crop, facing, ");
        assert!(message.starts_with(&first), "{message}");
        assert!(message.ends_with(", v, default"), "{message}");
    }
    // Long names are cut.
    let url = format!("/v1/profile/Notch?{}", "x".repeat(50_000));
    assert!(rejected(&url).message.len() < 100);
}

#[test]
fn other_paths_come_first_and_the_specified_ones_ignore_queries() {
    assert_eq!(rejected("/v1/back/Notch?sise=1").status, 404);
    let twice = "Duplicate parameter \"size\"";
    let expected = Rejection::bad_request(twice);
    assert_eq!(rejected("/v1/head/a?size=1&v&size=1"), expected);
    for url in [
        "/v1/head/Notch?v=2",
        "/head/Notch?sise=1",
        "/minotar/avatar/Notch?t=1",
    ] {
        assert!(parse(url).operation.is_ok(), "{url}");
    }
}
