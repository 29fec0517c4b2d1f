//! Tests of the routes under `/v1/`: from URLs to requests.

use effigy_render::{Camera, Facing, Filter, Layers, Light, NamedPose, PictureSpec, Size};

use super::{file_name::BAD_FORMAT, *};
use crate::routes::tests::{check, extension, notch, of_texture, parse, preview, rejected};

fn file_of(spec: FileSpec) -> Parsed<Operation> {
    Ok(Operation::file(spec))
}

fn bust() -> PictureParams {
    extension(View::Bust, Layers::WithOverlay, Facing::Right, 128)
}

/// Asserts the whole messages of rejections with status 400.
#[track_caller]
fn check_bad_requests(rows: &[(&str, &'static str)]) {
    for (url, message) in rows {
        assert_eq!(rejected(url), Rejection::bad_request(*message), "{url}");
    }
}

/// Asserts the suggestions for paths that no route has.
#[track_caller]
fn check_suggestions(rows: &[(&str, &str)]) {
    for (url, path) in rows {
        let rejection = rejected(url);
        assert_eq!(rejection.status, 404, "{url}");
        let expected = format!("Not found. Did you mean \"{path}\"?");
        assert_eq!(rejection.message, expected, "{url}");
    }
}

#[test]
fn players_are_trimmed() {
    let profile = |player: &str| file_of(FileSpec::Profile(player.to_owned()));
    let cape = |player: &str| file_of(FileSpec::Cape(player.to_owned(), None));
    check(&[
        ("/v1/profile/Notch", profile("Notch")),
        ("/v1/profile/+Notch", profile("+Notch")),
        ("/v1/profile/%20Notch", profile("Notch")),
        ("/v1/Cape/.Tag", cape(".Tag")),
        ("/v1/cape/Notch%20", cape("Notch")),
        ("/v1/Bust/%20Notch%09.png", notch(bust())),
        ("/v1/skin/Notch.png", notch(PictureParams::OWN_SKIN)),
    ]);
}

#[test]
fn profiles_of_a_list_of_players() {
    let players = ["Notch", ".Two Words"].map(str::to_owned).to_vec();
    check(&[(
        "/v1/profiles?players=Notch,+.Two+Words",
        Ok(Operation::Profiles(players)),
    )]);
}

#[test]
fn views_have_the_words_of_the_specification_too() {
    check(&[
        ("/v1/face/Notch", parse("/v1/head/Notch").operation),
        ("/v1/Body/Notch", parse("/v1/player/Notch").operation),
        (
            "/v1/sheet?players=a&view=face",
            parse("/v1/sheet?players=a&view=head").operation,
        ),
    ]);
}

#[test]
fn query_describes_the_picture() {
    let walking = PictureSpec::new(View::Figure, Size::px(128))
        .with_camera(Camera::perspective(-30.0, 16.0, 30.0))
        .with_pose(NamedPose::Walk);
    let params = PictureParams::beyond_specification(walking, ImageFormat::Png);
    check(&[("/v1/figure/Notch?yaw=-30&pose=walk", notch(params))]);
}

#[test]
fn isometric_pictures_are_lit_and_have_no_halos() {
    let body = PictureSpec::new(View::IsometricBody, Size::px(128))
        .with_filter(Filter::Area)
        .with_light(Light::Soft);
    let params = PictureParams::beyond_specification(body, ImageFormat::Svg);
    check(&[("/v1/avatar/Notch.svg", notch(params))]);
}

#[test]
fn texture_hashes_match_in_any_letter_case() {
    let hash = "ab".repeat(32);
    let file = format!("/v1/texture/{hash}");
    let picture = format!("/v1/texture/{}/bust", hash.to_uppercase());
    check(&[
        (&file, of_texture(PictureParams::OWN_SKIN, &hash)),
        (&picture, of_texture(bust(), &hash)),
    ]);
}

#[test]
fn model_of_a_preview_is_guessed_by_default() {
    let slim = preview(bust(), Some(Model::Slim));
    let classic = preview(bust(), Some(Model::Classic));
    check(&[
        ("/v1/preview/bust", preview(bust(), None)),
        ("/v1/preview/bust?model=slim", slim),
        ("/v1/preview/bust?model=classic", classic),
    ]);
}

#[test]
fn other_formats_are_rejected() {
    let hash = "ab".repeat(32);
    check_bad_requests(&[
        ("/v1/head/Notch.webp", BAD_FORMAT),
        ("/v1/head/Notch.JPG?size=64", BAD_FORMAT),
        ("/v1/figure/.Tag.jpeg", BAD_FORMAT),
        ("/v1/cape/Notch.gif", BAD_FORMAT),
        (&format!("/v1/texture/{hash}.avif"), BAD_FORMAT),
        (&format!("/v1/texture/{hash}/head.webp"), BAD_FORMAT),
        ("/v1/preview/head.webp", BAD_FORMAT),
        ("/v1/group.webp?players=a", BAD_ARRANGEMENT_FORMAT),
        ("/V1/Sheet.svg?players=a", BAD_ARRANGEMENT_FORMAT),
        ("/v1/skin/a.svg", "Skins and capes are PNG files"),
        ("/v1/cape/a.svg", "Skins and capes are PNG files"),
    ]);
}

#[test]
fn unknown_paths_in_other_formats_are_not_found() {
    for url in ["/v1/back/Notch.webp", "/v1/groups.webp", "/group.webp"] {
        assert_eq!(rejected(url).status, 404, "{url}");
    }
}

#[test]
fn players_may_look_like_extensions() {
    for url in ["/v1/head/.gif", "/v1/head/webp", "/head/Notch.webp"] {
        assert!(parse(url).operation.is_ok(), "{url}");
    }
}

#[test]
fn malformed_hash_is_rejected() {
    check_bad_requests(&[("/v1/texture/Notch/head", BAD_HASH)]);
}

#[test]
fn only_free_views_move() {
    check_bad_requests(&[
        ("/v1/face/a.apng", ONLY_FREE_VIEWS_MOVE),
        ("/v1/face/a.gif", ONLY_FREE_VIEWS_MOVE),
    ]);
}

#[test]
fn moving_pictures_have_at_most_512_pixels() {
    let message = "Size must be a whole number from 1 to 512 for a moving picture";
    check_bad_requests(&[("/v1/figure/a.gif?size=513", message)]);
}

#[test]
fn previews_and_pictures_of_textures_do_not_move() {
    let of_texture = format!("/v1/texture/{}/figure", "ab".repeat(32));
    for path in ["/v1/preview/figure", "/v1/preview/face", &of_texture] {
        for end in [".gif", ".apng", "?turn=true", "?animate", "?Animated=1"] {
            let rejection = rejected(&format!("{path}{end}"));
            assert_eq!(rejection.status, 400, "{path}{end}");
            let message = rejection.message;
            assert!(message.ends_with(STILL), "{path}{end}: {message}");
        }
    }
}

#[test]
fn other_paths_are_not_found() {
    let paths = "/v1/preview /v1/head/.svg /v1/bust/%20 /v1/texture/ab/back \
        /v1/texture/ab/head/64 /v1/head/Notch/64 /v1/profile// /v1/back/Notch?sise=1";
    for path in paths.split(' ') {
        assert_eq!(rejected(path).status, 404, "{path}");
    }
}

#[test]
fn unknown_view_lists_the_views() {
    let views = "Not found. Pictures are at /v1/{view}/{player}; the views are figure, portrait, \
        cube, isobody, isohead, face, bust, body, combo, body-back, body-left, body-right and \
        layout";
    for path in [
        "/v1",
        "/v1/",
        "/v1/banana/X",
        "/v1/preview/skin",
        "/v1/bust",
    ] {
        assert_eq!(rejected(path).message, views, "{path}");
    }
}

#[test]
fn view_without_its_prefix_is_suggested() {
    check_suggestions(&[
        ("/face/Notch", "/v1/face/Notch"),
        ("/Skull/Notch.png", "/v1/face/Notch"),
        ("/figure/.A%20B", "/v1/figure/.A%20B"),
        ("/v1/full/a.apng", "/v1/figure/a.apng"),
        ("/skins/a.png", "/v1/skin/a"),
        ("/v1/capes/a", "/v1/cape/a"),
    ]);
}

#[test]
fn size_in_the_path_is_suggested_as_a_parameter() {
    check_suggestions(&[
        ("/helm/Notch/64", "/v1/face/Notch?size=64"),
        ("/v1/head/a/64/hat", "/v1/face/a?size=64"),
        ("/full/384/a", "/v1/figure/a?size=384"),
        ("/bust/64/100", "/v1/bust/64?size=100"),
        ("/bust/64", "/v1/bust/64"),
        // Too large for the parameter.
        ("/v1/bust/Notch/4096", "/v1/bust/Notch"),
    ]);
}

#[test]
fn paths_of_other_services_are_suggested_with_their_prefix() {
    let uuid = "069a79f444e94726a5befca90e38aaf5";
    check_suggestions(&[
        (
            &format!("/Skins/{uuid}.png"),
            &format!("/crafatar/skins/{uuid}"),
        ),
        ("/renders/body/a", "/crafatar/renders/body/a"),
        ("/armor/body/a/64", "/minotar/armor/body/a/64"),
        // Crafatar has no paths for names.
        ("/Avatars/a.png", "/v1/face/a"),
    ]);
}

#[test]
fn players_in_the_path_of_a_group_are_suggested_as_a_parameter() {
    check_suggestions(&[("/v1/group/A,.B%20C", "/v1/group?players=A,.B%20C")]);
}

#[test]
fn nothing_is_suggested_for_other_paths() {
    for url in ["/face//64", "/banana/Notch", "/docs/face", "/face"] {
        assert_eq!(rejected(url), Rejection::NOT_FOUND, "{url}");
    }
}

#[test]
fn similar_or_synonymous_parameter_is_suggested() {
    let rows = [
        ("/v1/head/Notch?sise=1", "sise", "size"),
        ("/v1/head/Notch?Size=1", "Size", "size"),
        ("/v1/isobody/a?Scale=10", "Scale", "size"),
        ("/v1/head/a?bg=202225", "bg", "background"),
        ("/v1/figure/a?size=0&yav=1", "yav", "yaw"),
        ("/v1/group?player=a", "player", "players"),
        ("/v1/sheet.json?cols=2", "cols", "columns"),
        ("/v1/preview/head?modle=slim", "modle", "model"),
    ];
    for (url, name, meant) in rows {
        let message = format!("Unknown parameter \"{name}\". Did you mean \"{meant}\"?");
        assert_eq!(rejected(url), Rejection::bad_request(message), "{url}");
    }
}

#[test]
fn parameter_with_another_meaning_is_explained() {
    let rows = [
        ("/v1/figure/a?back", "a \"yaw\" of 180"),
        ("/v1/figure/a?turn", "end in \".apng\" or \".gif\""),
    ];
    for (url, words) in rows {
        let message = rejected(url).message;
        assert!(message.contains(words), "{url}: {message}");
    }
}

#[test]
fn parameters_are_listed_if_none_is_similar() {
    let rows = [
        ("/v1/head/Notch?q=1", "q", "outline-width, v, default"),
        ("/v1/head/Notch?size=1&=2", "", "outline-width, v, default"),
        ("/v1/preview/face?x=1", "x", "outline-width, v"),
        (
            "/v1/group?players=a&view=face",
            "view",
            "v, players, names, default",
        ),
    ];
    for (url, name, last) in rows {
        let message = rejected(url).message;
        let start = format!("Unknown parameter \"{name}\". The parameters are: size, crop, ");
        assert!(message.starts_with(&start), "{url}: {message}");
        assert!(message.ends_with(last), "{url}: {message}");
    }
}

#[test]
fn path_without_parameters_says_so() {
    let message = "Unknown parameter \"size\". This path has no parameters";
    check_bad_requests(&[("/v1/profile/Notch?size=1", message)]);
}

#[test]
fn long_names_of_parameters_are_cut() {
    let url = format!("/v1/profile/Notch?{}", "x".repeat(50_000));
    assert!(rejected(&url).message.len() < 100);
}

#[test]
fn duplicate_parameter_is_rejected() {
    check_bad_requests(&[
        ("/v1/head/a?size=1&v&size=1", "Duplicate parameter \"size\""),
        (
            "/v1/figure/a.gif?turn=1&turn",
            "Duplicate parameter \"turn\"",
        ),
        ("/v1/face?name=a&name=b", "Duplicate parameter \"name\""),
    ]);
}

#[test]
fn invalid_values_are_rejected() {
    let rows = [
        ("/v1/figure/a.gif?turn=2", "Turn must be \"true\""),
        ("/v1/figure/a.apng?facing=left", "Facing applies only"),
        (
            "/v1/face/a?default=https://a.example/b.png",
            "Default must be a player",
        ),
    ];
    for (url, start) in rows {
        let message = rejected(url).message;
        assert!(message.starts_with(start), "{url}: {message}");
    }
}

#[test]
fn versions_and_queries_of_other_paths_are_ignored() {
    for url in [
        "/v1/head/Notch?v=2",
        "/head/Notch?sise=1",
        "/minotar/avatar/Notch?t=1",
    ] {
        assert!(parse(url).operation.is_ok(), "{url}");
    }
}
