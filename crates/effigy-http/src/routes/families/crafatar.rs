//! Crafatar: `/avatars/<uuid>`, `/renders/head/<uuid>`, `/renders/body/<uuid>`, `/skins/<uuid>`,
//! `/capes/<uuid>`, and a query of `size`, `scale`, `overlay` and `default`.

use effigy_player::Uuid;
use effigy_render::{ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::{PictureParams, SizeParameter};

use super::{Ask, STEVE};
use crate::routes::query::Query;

const ALEX: &str = "MHF_Alex";

const DEFAULT_SIZE: u32 = 160;
const LARGEST_SIZE: u32 = 512;

const DEFAULT_SCALE: u32 = 6;
const LARGEST_SCALE: u32 = 10;

/// How many tenths of a pixel the head's picture is wide and high for each step of its scale.
const HEAD_STEP: [u32; 2] = [200, 185];

/// The same of the body's.
const BODY_STEP: [u32; 2] = [200, 451];

const NO_UUID: &str = "Invalid UUID";
const NO_SCALE: &str = "Invalid Scale";

/// What the segments after the prefix ask for.
pub(super) fn ask(segments: &[&str], query: &Query) -> Option<Ask> {
    let (view, player) = match segments {
        [word, view, player] if word.eq_ignore_ascii_case("renders") => {
            (format!("renders/{view}"), player)
        }
        [view, player] => ((*view).to_owned(), player),
        _ => return None,
    };
    let draw = match view.to_ascii_lowercase().as_str() {
        "avatars" => avatar,
        "renders/head" => head,
        "renders/body" => body,
        "skins" => |_: &Query| Ok(PictureParams::SKIN),
        "capes" => return Some(cape(player)),
        _ => return None,
    };
    let Some(uuid) = uuid(player) else {
        return Some(Ask::Refused(NO_UUID));
    };
    Some(match draw(query) {
        Err(reason) => Ask::Refused(reason),
        Ok(picture) => Ask::Picture {
            picture,
            input: uuid.to_string(),
            otherwise: otherwise(query, uuid),
        },
    })
}

/// The UUID of a player. Whatever follows a dot is there for the eye.
fn uuid(player: &str) -> Option<Uuid> {
    Uuid::parse(player.split('.').next().unwrap_or_default())
}

fn cape(player: &str) -> Ask {
    match uuid(player) {
        Some(uuid) => Ask::Cape(uuid.to_string()),
        None => Ask::Refused(NO_UUID),
    }
}

fn avatar(query: &Query) -> Result<PictureParams, &'static str> {
    let pixels = number(query.get("size"), DEFAULT_SIZE, LARGEST_SIZE).ok_or("Invalid Size")?;
    Ok(PictureParams::head(
        SizeParameter::pixels(pixels),
        layers(query),
    ))
}

fn layers(query: &Query) -> Layers {
    match query.get("overlay") {
        Some(_) => Layers::WithOverlay,
        None => Layers::Base,
    }
}

fn head(query: &Query) -> Result<PictureParams, &'static str> {
    let [width, height] = frame(query, HEAD_STEP)?;
    // As large as the frame allows, which is wider than high.
    let spec = PictureSpec::new(View::IsometricHead, height);
    Ok(framed(spec, layers(query), [width, height]))
}

fn body(query: &Query) -> Result<PictureParams, &'static str> {
    let [width, height] = frame(query, BODY_STEP)?;
    let spec = PictureSpec::new(View::IsometricBody, width);
    Ok(framed(spec, layers(query), [width, height]))
}

fn framed(spec: PictureSpec, layers: Layers, frame: [Size; 2]) -> PictureParams {
    PictureParams::extension(spec.with_layers(layers).with_frame(frame), ImageFormat::Png)
}

/// The width and height of a render that grows by so many tenths of a pixel a step.
fn frame(query: &Query, step: [u32; 2]) -> Result<[Size; 2], &'static str> {
    let scale = number(query.get("scale"), DEFAULT_SCALE, LARGEST_SCALE).ok_or(NO_SCALE)?;
    // The canvas there takes the whole pixels.
    let [width, height] = step.map(|tenths| Size::new(scale * tenths / 10));
    width.zip(height).map(Into::into).ok_or(NO_SCALE)
}

/// A number from 1 on; nothing where there is none or it is too large.
fn number(text: Option<&str>, default: u32, largest: u32) -> Option<u32> {
    let Some(text) = text else {
        return Some(default);
    };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits)?;
    (1..=largest).contains(&number).then_some(number)
}

/// Who is shown where there is no such player: who the query says, else the one whom old versions
/// of the game would show. A URL there is not followed: anybody could lead anywhere by it.
fn otherwise(query: &Query, uuid: Uuid) -> String {
    let wish = query
        .get("default")
        .unwrap_or_default()
        .to_ascii_lowercase();
    let preset = match wish.as_str() {
        "steve" | "mhf_steve" => Some(STEVE),
        "alex" | "mhf_alex" => Some(ALEX),
        _ => None,
    };
    if let Some(preset) = preset {
        return preset.to_owned();
    }
    if let Some(other) = Uuid::parse(&wish) {
        return other.to_string();
    }
    let odd = uuid.java_hash_code() & 1 == 1;
    let preset = if odd { ALEX } else { STEVE };
    preset.to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    /// Of an even hash: the game would show Steve.
    const UUID: &str = "069a79f444e94726a5befca90e38aaf5";

    fn shown(picture: PictureParams, otherwise: &str) -> Option<Ask> {
        Some(Ask::Picture {
            picture,
            input: UUID.to_owned(),
            otherwise: otherwise.to_owned(),
        })
    }

    fn face(layers: Layers, size: u32) -> Option<Ask> {
        let size = SizeParameter::pixels(size);
        shown(PictureParams::head(size, layers), default())
    }

    fn default() -> &'static str {
        let odd = Uuid::parse(UUID).unwrap().java_hash_code() & 1 == 1;
        if odd { ALEX } else { STEVE }
    }

    fn url(path: &str) -> String {
        path.replace("{}", UUID)
    }

    #[test]
    fn avatars() {
        let (base, worn) = (Layers::Base, Layers::WithOverlay);
        let dashed = "/crafatar/avatars/069A79F4-44e9-4726-a5be-fca90e38aaf5";
        check(&[
            (&url("/crafatar/avatars/{}"), face(base, 160)),
            (&url("/crafatar/avatars/{}.png"), face(base, 160)),
            (&url("/crafatar/avatars/{}.jpg"), face(base, 160)),
            (dashed, face(base, 160)),
            (&url("/crafatar/avatars/{}?size=64"), face(base, 64)),
            (&url("/crafatar/avatars/{}?overlay"), face(worn, 160)),
            (
                &url("/crafatar/avatars/{}?overlay=true&size=1"),
                face(worn, 1),
            ),
            (
                &url("/crafatar/avatars/{}?overlay=false&size=512"),
                face(worn, 512),
            ),
        ]);
    }

    #[test]
    fn renders_and_skins() {
        let (base, worn) = (Layers::Base, Layers::WithOverlay);
        let render = |view, layers, size, frame: [u32; 2]| {
            let [size, width, height] = [size, frame[0], frame[1]].map(|n| Size::new(n).unwrap());
            let spec = PictureSpec::new(view, size);
            let picture = framed(spec, layers, [width, height]);
            shown(picture, default())
        };
        let head = |layers, size, frame| render(View::IsometricHead, layers, size, frame);
        let body = |layers, size, frame| render(View::IsometricBody, layers, size, frame);
        check(&[
            (
                &url("/crafatar/renders/head/{}"),
                head(base, 111, [120, 111]),
            ),
            (
                &url("/crafatar/renders/head/{}?scale=10&overlay"),
                head(worn, 185, [200, 185]),
            ),
            (
                &url("/crafatar/renders/head/{}?scale=1"),
                head(base, 18, [20, 18]),
            ),
            (
                &url("/crafatar/renders/body/{}?scale=1"),
                body(base, 20, [20, 45]),
            ),
            (
                &url("/Crafatar/Renders/Body/{}?overlay=true"),
                body(worn, 120, [120, 270]),
            ),
            (
                &url("/crafatar/capes/{}.png"),
                Some(Ask::Cape(UUID.to_owned())),
            ),
            (
                &url("/crafatar/skins/{}"),
                shown(PictureParams::SKIN, default()),
            ),
        ]);
    }

    #[test]
    fn who_is_shown_for_nobody() {
        let picture = PictureParams::SKIN;
        let other = "853c80ef3c3749fdaa49938b674adae6";
        let by_uuid = format!("/crafatar/skins/{{}}?default={other}");
        check(&[
            (
                &url("/crafatar/skins/{}?default=MHF_Alex"),
                shown(picture, ALEX),
            ),
            (
                &url("/crafatar/skins/{}?default=alex"),
                shown(picture, ALEX),
            ),
            (
                &url("/crafatar/skins/{}?default=Steve"),
                shown(picture, STEVE),
            ),
            (&url(&by_uuid), shown(picture, other)),
            (
                &url("/crafatar/skins/{}?default=https%3A%2F%2Fexample.org%2Fx.png"),
                shown(picture, default()),
            ),
        ]);
    }

    #[test]
    fn the_parity_of_the_hash_decides() {
        let rows = [
            // Hash codes 0 and 1: the last digit is in the lowest byte.
            ("00000000000000000000000000000000", STEVE),
            ("00000000000000000000000000000001", ALEX),
            ("00000000000000010000000000000001", STEVE),
        ];
        for (uuid, expected) in rows {
            let uuid = Uuid::parse(uuid).unwrap();
            assert_eq!(otherwise(&Query::default(), uuid), expected, "{uuid}");
        }
    }

    #[test]
    fn what_it_refuses_is_refused() {
        let refused = |reason| Some(Ask::Refused(reason));
        check(&[
            ("/crafatar/avatars/Notch", refused("Invalid UUID")),
            ("/crafatar/skins/x", refused("Invalid UUID")),
            ("/crafatar/capes/Notch", refused("Invalid UUID")),
            (&url("/crafatar/avatars/{}?size=0"), refused("Invalid Size")),
            (
                &url("/crafatar/avatars/{}?size=513"),
                refused("Invalid Size"),
            ),
            (
                &url("/crafatar/avatars/{}?size=+1"),
                refused("Invalid Size"),
            ),
            (&url("/crafatar/avatars/{}?size="), refused("Invalid Size")),
            (
                &url("/crafatar/avatars/{}?size=big"),
                refused("Invalid Size"),
            ),
            (
                &url("/crafatar/avatars/{}?size=-1"),
                refused("Invalid Size"),
            ),
            (
                &url("/crafatar/renders/head/{}?scale=0"),
                refused("Invalid Scale"),
            ),
            (
                &url("/crafatar/renders/body/{}?scale=11"),
                refused("Invalid Scale"),
            ),
        ]);
    }

    #[test]
    fn the_rest_is_not_offered() {
        check(&[
            ("/crafatar", None),
            ("/crafatar/avatars", None),
            (&url("/crafatar/renders/{}"), None),
            (&url("/crafatar/renders/bust/{}"), None),
            (&url("/crafatar/avatars/{}/64"), None),
        ]);
    }
}
