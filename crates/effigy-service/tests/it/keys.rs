//! Cache keys. Spec, "Common rules" 5, and the decisions on parsing.

use effigy_render::{Facing, ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::{PictureParams, SizeParameter, parse_facing, parse_layers};

fn size(text: &str) -> SizeParameter {
    SizeParameter::parse(Some(text))
}

fn head(text: Option<&str>, option: Option<&str>) -> PictureParams {
    PictureParams::head(SizeParameter::parse(text), parse_layers(option))
}

fn key(picture: PictureParams, input: &str) -> String {
    picture.of_player(input).key().to_owned()
}

#[test]
fn keys_are_those_of_the_specification() {
    let (left, right) = (Facing::Left, Facing::Right);
    let none = SizeParameter::Default;
    let player = |layers, size| PictureParams::player(size, layers);
    let rows = [
        (head(Some("64"), Some("hat")), "head_Notch_64_hat"),
        (head(None, None), "head_Notch_default_default"),
        (player(Layers::Base, none), "player_Notch_default_default"),
        (
            player(Layers::WithOverlay, size("64")),
            "player_Notch_64_hat",
        ),
        (
            PictureParams::avatar(size("64"), left),
            "avatar_Notch_left_64",
        ),
        (
            PictureParams::ioshead(none, right),
            "ioshead_Notch_right_default",
        ),
        (
            PictureParams::iosbody(none, left),
            "iosbody_Notch_left_default",
        ),
        (PictureParams::SKIN, "skin_Notch_default_default"),
        (PictureParams::DOWNLOAD, "download_Notch_default_default"),
    ];
    for (picture, expected) in rows {
        assert_eq!(key(picture, "Notch"), expected, "{picture:?}");
    }
}

#[test]
fn keys_beyond_the_specification_differ_from_those_of_specified_paths() {
    let size = |pixels| Size::new(pixels).unwrap();
    let spec = |view, layers| PictureSpec::new(view, size(64)).with_layers(layers);
    let drawing = |(view, facing), layers| {
        let spec = spec(view, layers).with_facing(facing);
        key(PictureParams::extension(spec, ImageFormat::Png), "Notch")
    };
    let framed = spec(View::Bust, Layers::Base).with_frame([size(80), size(90)]);
    let framed = PictureParams::extension(framed, ImageFormat::Png);
    let scalable = spec(View::Head, Layers::WithOverlay);
    let scalable = PictureParams::extension(scalable, ImageFormat::Svg);
    let (base, overlay) = (Layers::Base, Layers::WithOverlay);
    let rows = [
        (
            drawing((View::Head, Facing::Right), base),
            "x-head_Notch_64_base",
        ),
        (
            drawing((View::Bust, Facing::Right), overlay),
            "x-bust_Notch_64_overlay",
        ),
        (
            drawing((View::Body, Facing::Right), overlay),
            "x-body_Notch_64_overlay",
        ),
        (key(framed, "Notch"), "x-bust_Notch_64_base-in-80x90"),
        (key(scalable, "Notch"), "x-head_Notch_64_overlay-svg"),
        (
            drawing((View::Combo, Facing::Right), base),
            "x-combo_Notch_64_base",
        ),
        (
            drawing((View::IsometricHead, Facing::BackLeft), overlay),
            "x-isometric-head_Notch_64_back-left-overlay",
        ),
        (
            drawing((View::IsometricBody, Facing::Left), base),
            "x-isometric-body_Notch_64_left-base",
        ),
    ];
    for (key, expected) in rows {
        assert_eq!(key, expected);
        let word = key.split('_').next().unwrap();
        assert!(word.starts_with("x-"), "{word}");
    }
}

#[test]
fn equal_requests_have_one_key() {
    let rows = [
        (head(Some("064"), Some("hat")), "head_Notch_64_hat"),
        (head(Some("64"), Some("HAT")), "head_Notch_64_hat"),
        (head(Some("64"), Some("helm")), "head_Notch_64_default"),
        (head(Some("big"), None), "head_Notch_default_default"),
        (head(Some("0"), None), "head_Notch_default_default"),
        (head(Some("-64"), None), "head_Notch_default_default"),
        // The default and its number have different keys: only one of them follows a change.
        (head(Some("128"), None), "head_Notch_128_default"),
        (
            PictureParams::avatar(size("064"), parse_facing(Some("LEFT")).unwrap()),
            "avatar_Notch_left_64",
        ),
    ];
    for (picture, expected) in rows {
        assert_eq!(key(picture, "Notch"), expected, "{picture:?}");
    }
}

#[test]
fn different_requests_have_different_keys() {
    let confusable = [
        key(head(Some("64"), Some("hat")), "A_B"),
        key(head(Some("B_64"), Some("hat")), "A"),
        key(head(Some("64"), Some("hat")), "A"),
        key(head(None, Some("hat")), "A_64"),
        key(head(None, None), "A_64_hat"),
        key(head(None, None), "a"),
        key(head(None, None), "A"),
    ];
    for (index, key) in confusable.iter().enumerate() {
        assert!(!confusable[..index].contains(key), "{key}");
    }
}
