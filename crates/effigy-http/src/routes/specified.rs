//! The paths of the specification with a picture: their parameters, and the messages of their failures.

use effigy_render::{Facing, Layers, PictureSpec, Size, View};
use effigy_service::{Endpoint, PictureParams};

use super::request::{Parsed, Rejection};

/// The message for a missing or unknown direction. Spec, "Errors".
pub(super) const DIRECTION_ERROR: &str = "Direction must be \"left\" or \"right\"";

/// Finds the endpoint with this word in lower case.
pub(super) fn endpoint(word: &str) -> Parsed<Endpoint> {
    word.parse().map_err(|_| Rejection::NOT_FOUND)
}

/// Returns the view of an endpoint, and its size by default. Spec, "Limits".
pub(super) const fn view_of(endpoint: Endpoint) -> Option<(View, u32)> {
    match endpoint {
        Endpoint::Head => Some((View::Face, 128)),
        Endpoint::Player => Some((View::Body, 128)),
        Endpoint::Avatar => Some((View::IsometricBody, 128)),
        Endpoint::Ioshead => Some((View::IsometricHead, 64)),
        Endpoint::Iosbody => Some((View::IsometricBody, 64)),
        _ => None,
    }
}

/// Reads the parameters of a picture: a size and `hat` for the flat views, a direction and a size for the others.
pub(super) fn picture_params(endpoint: Endpoint, parameters: &[&str]) -> Parsed<PictureParams> {
    let (view, default) = view_of(endpoint).ok_or(Rejection::NOT_FOUND)?;
    if parameters.len() > 2 {
        return Err(Rejection::NOT_FOUND);
    }
    let (first, second) = (parameters.first().copied(), parameters.get(1).copied());
    let spec = PictureSpec::new(view, Size::px(default));
    let (spec, size) = if view.is_flat() {
        (spec.with_layers(parse_layers(second)), first)
    } else {
        let facing = parse_facing(first);
        let facing = facing.ok_or_else(|| Rejection::bad_request(DIRECTION_ERROR))?;
        (spec.with_facing(facing), second)
    };
    Ok(PictureParams::specified(endpoint, spec, parse_size(size)))
}

/// Parses a size in pixels: decimal digits and nothing else. Anything else, and zero, is none, which means the
/// default. Of one that does not fit into the number, no picture can exist, as of the largest number.
pub(super) fn parse_size(text: Option<&str>) -> Option<u32> {
    let is_decimal =
        |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let pixels = text.filter(is_decimal)?.parse().unwrap_or(u32::MAX);
    (pixels > 0).then_some(pixels)
}

/// Parses the option of a flat view: `hat` in any letter case means the overlay, anything else none.
fn parse_layers(option: Option<&str>) -> Layers {
    match option {
        Some(option) if option.eq_ignore_ascii_case("hat") => Layers::WithOverlay,
        _ => Layers::Base,
    }
}

/// Parses a direction: `left` or `right` in any letter case.
pub(super) fn parse_facing(direction: Option<&str>) -> Option<Facing> {
    let facing = direction?.to_ascii_lowercase().parse().ok();
    facing.filter(|facing| matches!(facing, Facing::Left | Facing::Right))
}

/// Returns the message of an endpoint's failures, whatever the reason. Spec, "Errors".
pub(super) const fn error_message(endpoint: Endpoint) -> &'static str {
    match endpoint {
        Endpoint::Head => "Failed to render head",
        Endpoint::Player => "Failed to render player",
        Endpoint::Avatar => "Failed to render avatar",
        Endpoint::Ioshead => "Failed to render iOS head",
        Endpoint::Iosbody => "Failed to render iOS body",
        Endpoint::Skin => "Failed to get skin",
        Endpoint::Download => "Failed to download skin",
        Endpoint::Profile => "Failed to get profile",
        Endpoint::Cape => "Failed to get cape",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
