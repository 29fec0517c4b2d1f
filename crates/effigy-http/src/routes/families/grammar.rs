//! The rules that the families share: players and textures, sizes, frames, and words of the query.

use std::borrow::Cow;

use effigy_parameters::value::switch;
use effigy_player::{Edition, Model, PlayerId, Uuid};
use effigy_render::{ImageFormat, PictureSpec, Size, View};
use effigy_service::{CapeSize, FileSpec, PictureParams, Substitute};
use effigy_upstream::{TextureHash, offline_uuid};

use crate::routes::{
    path::without_extension,
    query::Query,
    request::{ALEX, Operation, STEVE},
};

/// The extensions of pictures that mean PNG, because no family draws these formats.
const EXTENSIONS: [&str; 8] = [
    ".png", ".webp", ".jpg", ".jpeg", ".gif", ".jxl", ".avif", ".bmp",
];

/// Returns a segment without whitespace around it, and without the extension of a format that is
/// not drawn. `.gif` alone is the gamertag of a Bedrock player.
pub(super) fn trimmed(segment: &str) -> &str {
    let text = segment.trim();
    let stems = EXTENSIONS.iter();
    let mut stems = stems.filter_map(|extension| without_extension(text, extension));
    match stems.next() {
        Some(stem) if !stem.is_empty() => stem,
        _ => text,
    }
}

/// Returns a picture of a texture, on this model or on the one that it seems to have; or of a
/// player, or of the `default` one if there is no such player.
pub(super) fn picture(
    params: PictureParams,
    subject: &str,
    model: Option<Model>,
    default: &'static str,
) -> Operation {
    match TextureHash::parse(subject) {
        Some(hash) => Operation::File(params.of_texture(hash, model)),
        None => of_player_or(params, subject, None, default),
    }
}

/// Returns a picture of a player. Without such a player, it shows the one who is `named`, else the
/// `default` one. One who is named also stands for a player who has set no skin.
pub(super) fn of_player_or(
    params: PictureParams,
    player: &str,
    named: Option<Cow<'static, str>>,
    default: &'static str,
) -> Operation {
    let is_bedrock = PlayerId::edition_of(player) == Edition::Bedrock;
    let replaces_default_skin = is_bedrock || named.is_some();
    let params = if replaces_default_skin {
        params.of_own_skin()
    } else {
        params
    };
    let other = Substitute {
        player: named.unwrap_or(default.into()),
        otherwise: Some(default),
        in_outage: replaces_default_skin,
    };
    Operation::picture(params, player, Some(other))
}

/// Returns Steve or Alex, as old versions of the game choose by the UUID. That of a name is the one
/// of a server in offline mode.
pub(super) fn steve_or_alex(player: &str) -> &'static str {
    let uuid = Uuid::parse(player).unwrap_or_else(|| offline_uuid(player));
    if uuid.java_hash_code() & 1 == 1 {
        ALEX
    } else {
        STEVE
    }
}

/// Returns a picture of the front of a player's cape, as wide and as high as this.
pub(super) fn cape(player: &str, size: Option<[u32; 2]>) -> Operation {
    let size = size.map(|sides| CapeSize::Box(sides.map(Size::px)));
    Operation::file(FileSpec::Cape(player.to_owned(), size))
}

/// Returns the picture of a specification as PNG.
pub(super) const fn png(spec: PictureSpec) -> PictureParams {
    PictureParams::extension(spec, ImageFormat::Png)
}

/// Returns a view in the middle of a picture of this width and height, as large as it fits.
pub(super) fn fitted(view: View, [width, height]: [u32; 2]) -> PictureSpec {
    let frame = [width, height].map(Size::px);
    let mut size = width;
    let full_height = PictureSpec::new(view, Size::px(width)).height();
    if full_height > u64::from(height) {
        let share = u64::from(width) * u64::from(height) / full_height;
        size = u32::try_from(share).unwrap_or(width).max(1);
    }
    let mut spec = PictureSpec::new(view, Size::px(size));
    while spec.height() > u64::from(height) && size > 1 {
        size -= 1;
        spec = PictureSpec::new(view, Size::px(size));
    }
    if [spec.width(), spec.height()] == [width, height].map(u64::from) {
        return spec;
    }
    spec.with_frame(frame)
}

/// Returns the whole number with which a text begins, as scripts read one. One that does not fit is
/// the largest.
pub(super) fn leading_number(text: &str) -> Option<u32> {
    let text = text.trim();
    let digits = text.strip_prefix('+').unwrap_or(text);
    let end = digits.find(|letter: char| !letter.is_ascii_digit());
    let digits = &digits[..end.unwrap_or(digits.len())];
    if digits.is_empty() {
        return None;
    }
    Some(digits.parse().unwrap_or(u32::MAX))
}

/// Returns the number of a parameter with one of these names, if it is one.
pub(super) fn number(query: &Query<'_>, names: &[&str]) -> Option<f64> {
    let number: f64 = query.word(names)?.parse().ok()?;
    number.is_finite().then_some(number)
}

/// Returns the nearest whole number of pixels, at least one.
pub(super) fn pixels(number: f64) -> u32 {
    let digits = format!("{:.0}", number.clamp(1.0, f64::from(u32::MAX)));
    digits.parse().unwrap_or(1)
}

/// Returns the value of a switch with one of these names. A name without a value turns it on, and
/// one that can't be read counts as absent.
pub(super) fn flag(query: &Query<'_>, names: &[&str]) -> Option<bool> {
    let text = query.word(names)?;
    if text.is_empty() {
        return Some(true);
    }
    switch(&text.to_ascii_lowercase()).ok()
}

/// Returns the model that a query names: by the parameter `model`, or by a word of its own.
pub(super) fn model(query: &Query<'_>) -> Option<Model> {
    let named = query.word(&["model"]).map(str::to_ascii_lowercase);
    match named.as_deref() {
        Some("slim" | "alex") => return Some(Model::Slim),
        Some("default" | "classic" | "wide" | "steve") => return Some(Model::Classic),
        _ => {}
    }
    if flag(query, &["slim", "alex"]) == Some(true) {
        return Some(Model::Slim);
    }
    if flag(query, &["wide", "steve"]) == Some(true) {
        return Some(Model::Classic);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_of_other_formats_are_cut_off() {
        let rows = [
            ("Notch", "Notch"),
            (" Notch ", "Notch"),
            ("Notch.webp", "Notch"),
            ("64.JPG", "64"),
            ("Notch.svg", "Notch.svg"),
            (".gif", ".gif"),
            (".Tag.jxl", ".Tag"),
            ("My.Name", "My.Name"),
        ];
        for (segment, expected) in rows {
            assert_eq!(trimmed(segment), expected, "{segment}");
        }
    }

    #[test]
    fn numbers_are_read_as_scripts_do() {
        let rows = [
            ("64", Some(64)),
            ("32px", Some(32)),
            ("+8", Some(8)),
            ("064.5", Some(64)),
            ("99999999999", Some(u32::MAX)),
            ("alex", None),
            ("-5", None),
            ("", None),
        ];
        for (text, expected) in rows {
            assert_eq!(leading_number(text), expected, "{text}");
        }
    }

    #[test]
    fn a_view_fills_its_frame_as_far_as_it_can() {
        let rows = [
            (View::Face, [64, 64], 64),
            (View::Figure, [512, 832], 416),
            (View::Figure, [512, 869], 434),
            (View::IsometricHead, [55, 64], 55),
            (View::IsometricBody, [70, 156], 70),
            (View::Body, [1, 1], 1),
        ];
        for (view, frame, size) in rows {
            let spec = fitted(view, frame);
            assert_eq!(spec.size.get(), size, "{view} {frame:?}");
            if size > 1 {
                assert_eq!(
                    [spec.width(), spec.height()],
                    frame.map(u64::from),
                    "{view}"
                );
            }
        }
    }

    #[test]
    fn switches_are_read_in_any_letter_case() {
        let rows = [
            ("overlay", Some(true)),
            ("Overlay=True", Some(true)),
            ("overlay=FALSE", Some(false)),
            ("overlay=maybe", None),
            ("other", None),
        ];
        for (text, expected) in rows {
            let query = Query::parse_lossy(Some(text));
            assert_eq!(flag(&query, &["overlay"]), expected, "{text}");
        }
    }

    #[test]
    fn the_uuid_of_a_name_is_that_of_a_server_in_offline_mode() {
        // The hash codes of the two UUIDs are even and odd.
        assert_eq!(steve_or_alex("069a79f444e94726a5befca90e38aaf5"), STEVE);
        assert_eq!(steve_or_alex("00000000000000000000000000000001"), ALEX);
        let of_name = steve_or_alex("Nobody");
        let of_uuid = steve_or_alex(&offline_uuid("Nobody").to_string());
        assert_eq!(of_name, of_uuid);
    }
}
