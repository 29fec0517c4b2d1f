//! Crafatar's URLs: `/avatars/<uuid>`, `/renders/head/<uuid>`, `/renders/body/<uuid>`,
//! `/skins/<uuid>` and `/capes/<uuid>`, with `size`, `scale`, `overlay` and `default` in the query.

use std::borrow::Cow;

use effigy_parameters::value::whole_number;
use effigy_player::Uuid;
use effigy_render::{PictureSpec, Size, View};
use effigy_service::PictureParams;
use hyper::StatusCode;

use super::grammar::{cape, layers, leading_digits, of_player_or, png, steve_or_alex};
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection},
    request::{ALEX, Operation, STEVE},
};

/// A parameter that is a whole number.
struct Number {
    name: &'static str,
    default: u32,
    max: u32,
    /// The message if the value is too large or negative.
    bad: &'static str,
}

const SIZE: Number = Number {
    name: "size",
    default: 160,
    max: 512,
    bad: "Invalid Size",
};

const SCALE: Number = Number {
    name: "scale",
    default: 6,
    max: 10,
    bad: "Invalid Scale",
};

/// The width and height of a head's picture for each step of its scale, in tenths of a pixel.
const HEAD_STEP: [u32; 2] = [200, 185];

/// The width and height of a body's picture for each step of its scale, in tenths of a pixel.
const BODY_STEP: [u32; 2] = [200, 451];

const BAD_UUID: &str = "Invalid UUID";

/// A kind of file.
enum Kind {
    Avatar,
    Head,
    Body,
    Skin,
    Cape,
}

impl Kind {
    /// Finds the kind by the words before the player.
    fn find(words: &str) -> Option<Self> {
        match words {
            "avatars" => Some(Self::Avatar),
            "renders/head" => Some(Self::Head),
            "renders/body" => Some(Self::Body),
            "skins" => Some(Self::Skin),
            "capes" => Some(Self::Cape),
            _ => None,
        }
    }
}

/// Reads a path behind the prefix.
pub(super) fn parse(path: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    let [words @ .., player] = path else {
        return Err(Rejection::NOT_FOUND);
    };
    let words = words.join("/").to_ascii_lowercase();
    let kind = Kind::find(&words).ok_or(Rejection::NOT_FOUND)?;
    let uuid = uuid(player)?.to_string();
    let params = match kind {
        Kind::Avatar => face(query)?,
        Kind::Head => render(View::IsometricHead, HEAD_STEP, query)?,
        Kind::Body => render(View::IsometricBody, BODY_STEP, query)?,
        Kind::Skin => PictureParams::OWN_SKIN,
        Kind::Cape => return Ok(cape(&uuid, None)),
    };
    let default = steve_or_alex(&uuid);
    Ok(of_player_or(params, &uuid, named(query), default))
}

/// Reads the player's UUID, which an extension may follow.
fn uuid(player: &str) -> Parsed<Uuid> {
    let uuid = player.split('.').next().and_then(Uuid::parse);
    uuid.ok_or_else(|| unprocessable(BAD_UUID))
}

fn unprocessable(message: &'static str) -> Rejection {
    Rejection::new(StatusCode::UNPROCESSABLE_ENTITY, message)
}

fn face(query: &Query<'_>) -> Parsed<PictureParams> {
    let size = SIZE.read(query)?;
    let spec = PictureSpec::new(View::Face, Size::px(size));
    Ok(png(spec.with_layers(layers(query))))
}

fn render(view: View, step: [u32; 2], query: &Query<'_>) -> Parsed<PictureParams> {
    let scale = SCALE.read(query)?;
    // Crafatar drops fractions of a pixel.
    let [width, height] = step.map(|tenths| Size::px(scale * tenths / 10));
    // The figure fills the frame: a head its height, a body its width.
    let spec = PictureSpec::new(view, width.min(height))
        .with_layers(layers(query))
        .with_frame([width, height]);
    Ok(png(spec))
}

impl Number {
    /// Returns the whole number at the beginning of the value, or the default if it is 0 or
    /// missing.
    fn read(&self, query: &Query<'_>) -> Parsed<u32> {
        let text = query.word(&[self.name]).unwrap_or_default();
        let digits = leading_digits(text.strip_prefix(['+', '-']).unwrap_or(text));
        if digits.trim_matches('0').is_empty() {
            return Ok(self.default);
        }
        if text.starts_with('-') {
            return Err(unprocessable(self.bad));
        }
        whole_number(digits, 1..=self.max).map_err(|_| unprocessable(self.bad))
    }
}

/// Returns the player whom the query names as the default. A URL is not followed, because it could
/// lead anywhere.
fn named(query: &Query<'_>) -> Option<Cow<'static, str>> {
    let default = query.word(&["default"])?.to_ascii_lowercase();
    match &*default {
        "steve" | "mhf_steve" => Some(STEVE.into()),
        "alex" | "mhf_alex" => Some(ALEX.into()),
        uuid => Some(Uuid::parse(uuid)?.to_string().into()),
    }
}

#[cfg(test)]
mod tests {
    use effigy_render::{Facing, Layers};
    use effigy_service::{FileSpec, Substitute, SubstitutePlayer};

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

    /// Asserts the operations of URLs, in which `{}` is the UUID.
    #[track_caller]
    fn check(rows: &[(&str, Parsed<Operation>)]) {
        for (url, expected) in rows {
            let found = parse(&url.replace("{}", UUID)).operation;
            assert_eq!(found, *expected, "{url}");
        }
    }

    #[test]
    fn size_that_is_no_number_counts_as_missing() {
        for end in " .png .jpg ?size= ?size=big ?size=0 ?size=- ?size=-00.5".split(' ') {
            let url = format!("/crafatar/avatars/{UUID}{end}");
            check(&[(&url, face(Layers::Base, 160))]);
        }
    }

    #[test]
    fn avatars() {
        let base = Layers::Base;
        let overlay = Layers::WithOverlay;
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

    fn rendered(view: View, layers: Layers, size: u32, frame: [u32; 2]) -> Parsed<Operation> {
        let spec = PictureSpec::new(view, Size::px(size))
            .with_layers(layers)
            .with_frame(frame.map(Size::px));
        shown(png(spec), UUID, STEVE)
    }

    #[test]
    fn renders_grow_in_steps_of_the_scale() {
        let base = Layers::Base;
        let head = |size, frame| rendered(View::IsometricHead, base, size, frame);
        let body = |size, frame| rendered(View::IsometricBody, base, size, frame);
        let with_overlay = rendered(View::IsometricHead, Layers::WithOverlay, 185, [200, 185]);
        check(&[
            ("/crafatar/renders/head/{}", head(111, [120, 111])),
            ("/crafatar/renders/head/{}?scale=10&overlay", with_overlay),
            ("/crafatar/renders/head/{}?scale=1", head(18, [20, 18])),
            ("/crafatar/renders/body/{}?scale=1", body(20, [20, 45])),
            ("/Crafatar/Renders/Body/{}", body(120, [120, 270])),
        ]);
    }

    #[test]
    fn skins_and_capes_are_files() {
        let cape = FileSpec::Cape(UUID.to_owned(), None);
        let skin = shown(PictureParams::OWN_SKIN, UUID, STEVE);
        check(&[
            ("/crafatar/capes/{}.png", Ok(Operation::file(cape))),
            ("/crafatar/skins/{}", skin),
        ]);
    }

    #[test]
    fn query_names_the_substitute() {
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
                player: SubstitutePlayer::Named(substitute.into()),
                otherwise: Some(STEVE),
                in_outage: true,
            });
            check(&[(&url(default), Ok(Operation::File(request)))]);
        }
    }

    #[test]
    fn default_that_is_no_player_counts_as_missing() {
        let url = |default| format!("/crafatar/skins/{UUID}?default={default}");
        for default in ["", "404", "https%3A%2F%2Fexample.org%2Fx.png"] {
            check(&[(&url(default), shown(PictureParams::OWN_SKIN, UUID, STEVE))]);
        }
    }

    #[test]
    fn uuid_selects_the_substitute() {
        // The hash code of this UUID is odd.
        let alex = "853c80ef3c3749fdaa49938b674adae6";
        let expected = shown(PictureParams::OWN_SKIN, alex, ALEX);
        assert_eq!(
            parse(&format!("/crafatar/skins/{alex}")).operation,
            expected
        );
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
                SIZE.bad,
            ),
            ("/crafatar/renders/head/{}?scale=", "11 -1", SCALE.bad),
            ("/crafatar/renders/body/{}?scale=", "11 -1", SCALE.bad),
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
