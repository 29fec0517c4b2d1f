//! Crafatar's URLs: `/avatars/<uuid>`, `/renders/head/<uuid>`, `/renders/body/<uuid>`,
//! `/skins/<uuid>` and `/capes/<uuid>`, with `size`, `scale`, `overlay` and `default` in the query.

use std::borrow::Cow;

use effigy_parameters::value::whole_number;
use effigy_player::Uuid;
use effigy_render::{ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::{FileSpec, PictureParams};
use hyper::StatusCode;

use super::grammar::{of_player_or, steve_or_alex};
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection},
    request::{ALEX, Operation, STEVE},
};

const DEFAULT_SIZE: u32 = 160;
const MAX_SIZE: u32 = 512;

const DEFAULT_SCALE: u32 = 6;
const MAX_SCALE: u32 = 10;

/// The width and height of a head's picture for each step of its scale, in tenths of a pixel.
const HEAD_STEP: [u32; 2] = [200, 185];

/// The width and height of a body's picture for each step, likewise.
const BODY_STEP: [u32; 2] = [200, 451];

const BAD_UUID: &str = "Invalid UUID";
const BAD_SIZE: &str = "Invalid Size";
const BAD_SCALE: &str = "Invalid Scale";

fn unprocessable(message: &'static str) -> Rejection {
    Rejection::new(StatusCode::UNPROCESSABLE_ENTITY, message)
}

/// Reads a path after `/crafatar/`, and the query.
pub(super) fn parse(path: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    let [words @ .., player] = path else {
        return Err(Rejection::NOT_FOUND);
    };
    let params = match words.join("/").to_ascii_lowercase().as_str() {
        "avatars" => face(query),
        "renders/head" => render(View::IsometricHead, HEAD_STEP, query),
        "renders/body" => render(View::IsometricBody, BODY_STEP, query),
        "skins" => Ok(PictureParams::OWN_SKIN),
        "capes" => {
            let cape = FileSpec::Cape(uuid(player)?.to_string(), None);
            return Ok(Operation::file(cape));
        }
        _ => return Err(Rejection::NOT_FOUND),
    };
    let uuid = uuid(player)?;
    let digits = uuid.to_string();
    let default = steve_or_alex(&digits);
    Ok(of_player_or(params?, &digits, named(query), default))
}

/// Reads the player's UUID, which an extension may follow.
fn uuid(player: &str) -> Parsed<Uuid> {
    let uuid = player.split('.').next().and_then(Uuid::parse);
    uuid.ok_or_else(|| unprocessable(BAD_UUID))
}

fn face(query: &Query<'_>) -> Parsed<PictureParams> {
    let size = number(query, "size", DEFAULT_SIZE, MAX_SIZE, BAD_SIZE)?;
    let spec = PictureSpec::new(View::Face, Size::px(size)).with_layers(layers(query));
    Ok(PictureParams::extension(spec, ImageFormat::Png))
}

fn render(view: View, step: [u32; 2], query: &Query<'_>) -> Parsed<PictureParams> {
    let scale = number(query, "scale", DEFAULT_SCALE, MAX_SCALE, BAD_SCALE)?;
    // Crafatar drops fractions of a pixel.
    let [width, height] = step.map(|tenths| Size::px(scale * tenths / 10));
    // The figure fills the frame: a head its height, a body its width.
    let spec = PictureSpec::new(view, width.min(height))
        .with_layers(layers(query))
        .with_frame([width, height]);
    Ok(PictureParams::extension(spec, ImageFormat::Png))
}

/// Returns the whole number with which the parameter of that name begins, or `default` if that is 0
/// or there is none.
fn number(query: &Query<'_>, name: &str, default: u32, max: u32, bad: &'static str) -> Parsed<u32> {
    let text = query.word(&[name]).unwrap_or_default();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = digits.find(|letter: char| !letter.is_ascii_digit());
    let digits = &digits[..end.unwrap_or(digits.len())];
    match whole_number(digits, 0..=max) {
        _ if digits.trim_matches('0').is_empty() => Ok(default),
        Ok(number) if !text.starts_with('-') => Ok(number),
        _ => Err(unprocessable(bad)),
    }
}

fn layers(query: &Query<'_>) -> Layers {
    // The second is the name that it had first.
    let overlay = query.word(&["overlay", "helm"]);
    overlay.map_or(Layers::Base, |_| Layers::WithOverlay)
}

/// Returns the player whom the query names as the default. A URL there is not followed, because it
/// could lead anywhere.
fn named(query: &Query<'_>) -> Option<Cow<'static, str>> {
    Some(
        match query.word(&["default"])?.to_ascii_lowercase().as_str() {
            "steve" | "mhf_steve" => STEVE.into(),
            "alex" | "mhf_alex" => ALEX.into(),
            text => Uuid::parse(text)?.to_string().into(),
        },
    )
}

#[cfg(test)]
mod tests {
    use effigy_render::Facing;
    use effigy_service::Substitute;

    use super::*;
    use crate::routes::{
        rejection::Parsed,
        tests::{assert_not_found, extension, parse, shown},
    };

    /// The hash code of this UUID is even: the game would show Steve.
    const UUID: &str = "069a79f444e94726a5befca90e38aaf5";

    fn face(layers: Layers, size: u32) -> Parsed<Operation> {
        let params = extension(View::Face, layers, Facing::Right, size);
        shown(params, UUID, STEVE)
    }

    /// Asserts what URLs ask for, in which `{}` is the UUID.
    #[track_caller]
    fn check(rows: &[(&str, Parsed<Operation>)]) {
        for (url, expected) in rows {
            let found = parse(&url.replace("{}", UUID)).operation;
            assert_eq!(found, *expected, "{url}");
        }
    }

    #[test]
    fn avatars() {
        let (base, overlay) = (Layers::Base, Layers::WithOverlay);
        // What is no size counts as missing.
        for end in " .png .jpg ?size= ?size=big ?size=0 ?size=- ?size=-00.5".split(' ') {
            let url = format!("/crafatar/avatars/{UUID}{end}");
            check(&[(&url, face(base, 160))]);
        }
        let dashed = "/crafatar/avatars/069A79F4-44e9-4726-a5be-fca90e38aaf5";
        check(&[
            (dashed, face(base, 160)),
            ("/crafatar/avatars/{}?size=64", face(base, 64)),
            ("/crafatar/avatars/{}?overlay", face(overlay, 160)),
            ("//crafatar//avatars/{}?helm", face(overlay, 160)),
            ("/crafatar/avatars/{}?size=+064.5px", face(base, 64)),
            ("/crafatar/avatars/{}?size=%2B512px", face(base, 512)),
            ("/crafatar/avatars/{}?overlay=true&size=1", face(overlay, 1)),
            (
                "/crafatar/avatars/{}?overlay=false&size=512",
                face(overlay, 512),
            ),
        ]);
    }

    #[test]
    fn renders_and_files() {
        let (base, overlay) = (Layers::Base, Layers::WithOverlay);
        let render = |view, layers, size, frame: [u32; 2]| {
            let spec = PictureSpec::new(view, Size::new(size).unwrap())
                .with_layers(layers)
                .with_frame(frame.map(|side| Size::new(side).unwrap()));
            let params = PictureParams::extension(spec, ImageFormat::Png);
            shown(params, UUID, STEVE)
        };
        let head = |layers, size, frame| render(View::IsometricHead, layers, size, frame);
        let body = |layers, size, frame| render(View::IsometricBody, layers, size, frame);
        let large = head(overlay, 185, [200, 185]);
        let small_head = head(base, 18, [20, 18]);
        let small_body = body(base, 20, [20, 45]);
        let cape = FileSpec::Cape(UUID.to_owned(), None);
        let skin = shown(PictureParams::OWN_SKIN, UUID, STEVE);
        check(&[
            ("/crafatar/renders/head/{}", head(base, 111, [120, 111])),
            ("/crafatar/renders/head/{}?scale=10&overlay", large),
            ("/crafatar/renders/head/{}?scale=1", small_head),
            ("/crafatar/renders/body/{}?scale=1", small_body),
            ("/Crafatar/Renders/Body/{}", body(base, 120, [120, 270])),
            ("/crafatar/capes/{}.png", Ok(Operation::file(cape))),
            ("/crafatar/skins/{}", skin),
        ]);
    }

    #[test]
    fn the_query_names_a_substitute() {
        let other = "853c80ef3c3749fdaa49938b674adae6";
        let rows = [
            ("MHF_Alex", ALEX),
            ("alex", ALEX),
            ("Steve", STEVE),
            (other, other),
        ];
        let url = |default| format!("/crafatar/skins/{UUID}?default={default}");
        for (default, substitute) in rows {
            let mut request = PictureParams::OWN_SKIN.of_own_skin().of_player(UUID);
            request.substitute = Some(Substitute {
                player: substitute.into(),
                otherwise: Some(STEVE),
                in_outage: true,
            });
            check(&[(&url(default), Ok(Operation::File(request)))]);
        }
        // Anything else names nobody.
        for default in ["", "404", "https%3A%2F%2Fexample.org%2Fx.png"] {
            check(&[(&url(default), shown(PictureParams::OWN_SKIN, UUID, STEVE))]);
        }
    }

    #[test]
    fn the_parity_of_the_hash_code_selects_a_substitute() {
        let rows = [
            // Hash codes 0 and 1: the last digit is in the lowest byte.
            ("00000000000000000000000000000000", STEVE),
            ("00000000000000000000000000000001", ALEX),
            ("00000000000000010000000000000001", STEVE),
        ];
        for (uuid, expected) in rows {
            let Ok(Operation::File(request)) = parse(&format!("/crafatar/skins/{uuid}")).operation
            else {
                panic!("{uuid}")
            };
            let substitute = request.substitute.unwrap();
            assert_eq!(substitute.player, expected, "{uuid}");
            assert_eq!(substitute.otherwise, Some(expected), "{uuid}");
        }
    }

    #[test]
    fn invalid_parameters_are_rejected() {
        let rows = [
            ("/crafatar/avatars/", "Notch .png", BAD_UUID),
            ("/crafatar/skins/", "x", BAD_UUID),
            ("/crafatar/capes/", "Notch", BAD_UUID),
            (
                "/crafatar/avatars/{}?size=",
                "513 -1 -1x 513.5 99999999999",
                BAD_SIZE,
            ),
            ("/crafatar/renders/head/{}?scale=", "11 -1", BAD_SCALE),
            ("/crafatar/renders/body/{}?scale=", "11 -1", BAD_SCALE),
        ];
        for (start, ends, message) in rows {
            for end in ends.split(' ') {
                check(&[(&format!("{start}{end}"), Err(unprocessable(message)))]);
            }
        }
    }

    #[test]
    fn other_paths_are_not_found() {
        assert_not_found(
            "/crafatar /crafatar/avatars /crafatar/renders/x /crafatar/renders/bust/x",
        );
        assert_not_found(&format!("/crafatar/avatars/{UUID}/64"));
    }
}
