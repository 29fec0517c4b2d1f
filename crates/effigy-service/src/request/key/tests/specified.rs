//! Keys of the specified routes. Spec, "Common rules" 5.

use std::collections::HashMap;

use effigy_render::Facing;

use super::*;
use crate::Endpoint;

fn head(size: Option<u32>, layers: Layers) -> PictureParams {
    let mut spec = PictureSpec::new(View::Face, Size::px(128));
    spec.layers = layers;
    PictureParams::specified(Endpoint::Head, spec, size)
}

fn avatar(size: Option<u32>, facing: Facing) -> PictureParams {
    let spec = PictureSpec::new(View::IsometricBody, Size::px(128)).with_facing(facing);
    PictureParams::specified(Endpoint::Avatar, spec, size)
}

fn text(params: PictureParams, input: &str) -> String {
    Key::specified(params, input, false).text()
}

/// Neither another parameter nor an input that looks like the rest of a key leads to the key of
/// another picture.
#[test]
fn no_input_leads_to_the_key_of_another_picture() {
    let pictures = [
        head(Some(64), Layers::WithOverlay),
        head(None, Layers::WithOverlay),
        head(None, Layers::Base),
        avatar(Some(64), Facing::Left),
        avatar(None, Facing::Right),
        PictureParams::SKIN,
        PictureParams::DOWNLOAD,
    ];
    let inputs = "a A A_B A_64 A_64_hat _ 64 _default A_left a_default_default d1/picture/a";
    let mut known = HashMap::new();
    for picture in pictures {
        for input in inputs.split(' ') {
            let other = known.insert(text(picture, input), (picture, input));
            assert_eq!(other, None, "{picture:?} {input}");
        }
    }
    // No input completes another request to one of these keys.
    for picture in pictures {
        let form = text(picture, "|");
        let (begin, end) = form.split_once('|').unwrap();
        for (key, request) in &known {
            let rest = key.strip_prefix(begin);
            if let Some(input) = rest.and_then(|rest| rest.strip_suffix(end)) {
                assert_eq!(*request, (picture, input), "{key}");
            }
        }
    }
}

#[test]
fn letter_case_matters_if_providers_tell_it_apart() {
    let params = head(None, Layers::Base);
    let key = |input, ignores_case| Key::specified(params, input, ignores_case);
    assert_eq!(key("Notch", true), key("nOTCH", true));
    assert_ne!(key("Notch", false), key("nOTCH", false));
}
