//! Cache keys. Spec, "Common rules" 5, and the decisions on parsing.

use effigy_render::{Facing, Layers};
use effigy_service::{Picture, SizeParameter, parse_facing, parse_layers};

fn size(text: &str) -> SizeParameter {
    SizeParameter::parse(Some(text))
}

fn head(text: Option<&str>, option: Option<&str>) -> Picture {
    Picture::Head {
        layers: parse_layers(option),
        size: SizeParameter::parse(text),
    }
}

#[test]
fn keys_are_those_of_the_specification() {
    let (left, right) = (Facing::Left, Facing::Right);
    let none = SizeParameter::Default;
    let player = |layers, size| Picture::Player { layers, size };
    let rows = [
        (head(Some("64"), Some("hat")), "head_Notch_64_hat"),
        (head(None, None), "head_Notch_default_default"),
        (player(Layers::Base, none), "player_Notch_default_default"),
        (
            player(Layers::WithOverlay, size("64")),
            "player_Notch_64_hat",
        ),
        (
            Picture::Avatar {
                facing: left,
                size: size("64"),
            },
            "avatar_Notch_left_64",
        ),
        (
            Picture::Ioshead {
                facing: right,
                size: none,
            },
            "ioshead_Notch_right_default",
        ),
        (
            Picture::Iosbody {
                facing: left,
                size: none,
            },
            "iosbody_Notch_left_default",
        ),
        (Picture::Skin, "skin_Notch_default_default"),
        (Picture::Download, "download_Notch_default_default"),
    ];
    for (picture, key) in rows {
        assert_eq!(picture.cache_key("Notch"), key, "{picture:?}");
    }
}

#[test]
fn what_means_the_same_has_one_key() {
    let rows = [
        (head(Some("064"), Some("hat")), "head_Notch_64_hat"),
        (head(Some("64"), Some("HAT")), "head_Notch_64_hat"),
        (head(Some("64"), Some("helm")), "head_Notch_64_default"),
        (head(Some("big"), None), "head_Notch_default_default"),
        (head(Some("0"), None), "head_Notch_default_default"),
        (head(Some("-64"), None), "head_Notch_default_default"),
        // The default is not the number that it stands for: only one of them follows a change.
        (head(Some("128"), None), "head_Notch_128_default"),
        (
            Picture::Avatar {
                facing: parse_facing(Some("LEFT")).unwrap(),
                size: size("064"),
            },
            "avatar_Notch_left_64",
        ),
    ];
    for (picture, key) in rows {
        assert_eq!(picture.cache_key("Notch"), key, "{picture:?}");
    }
}

#[test]
fn what_differs_has_another_key() {
    let confusable = [
        head(Some("64"), Some("hat")).cache_key("A_B"),
        head(Some("B_64"), Some("hat")).cache_key("A"),
        head(Some("64"), Some("hat")).cache_key("A"),
        head(None, Some("hat")).cache_key("A_64"),
        head(None, None).cache_key("A_64_hat"),
        head(None, None).cache_key("a"),
        head(None, None).cache_key("A"),
    ];
    for (index, key) in confusable.iter().enumerate() {
        assert!(!confusable[..index].contains(key), "{key}");
    }
}
