//! The rules that families share: players and textures, sizes, frames, and words of the query.

use std::borrow::Cow;

use effigy_parameters::value::switch;
use effigy_player::{Edition, Model, PlayerId, Uuid};
use effigy_render::{ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::{CapeSize, FileSpec, PictureParams, Substitute, SubstitutePlayer};
use effigy_upstream::{TextureHash, offline_uuid};

use crate::routes::{
    path::without_extension,
    query::Query,
    request::{ALEX, Operation, STEVE},
};

/// The extensions of pictures that mean PNG in all families, whatever their own format.
const EXTENSIONS: [&str; 8] = [
    ".png", ".webp", ".jpg", ".jpeg", ".gif", ".jxl", ".avif", ".bmp",
];

/// Returns a segment without whitespace around it, and without the extension of a picture. `.gif`
/// alone is the gamertag of a Bedrock player.
pub(super) fn trimmed(segment: &str) -> &str {
    let text = segment.trim();
    for extension in EXTENSIONS {
        if let Some(stem) = without_extension(text, extension)
            && !stem.is_empty()
        {
            return stem;
        }
    }
    text
}

/// Splits the word of pictures with the overlay off a path. It becomes the prefix of the kind of
/// picture, which is empty without the word.
pub(super) fn split_armor<'a, 's>(path: &'a [&'s str]) -> (&'static str, &'a [&'s str]) {
    match path {
        [word, rest @ ..] if is_armor(word) => ("armor/", rest),
        _ => ("", path),
    }
}

/// Returns `true` for the word of pictures with the overlay, in both spellings.
fn is_armor(word: &str) -> bool {
    word.eq_ignore_ascii_case("armor") || word.eq_ignore_ascii_case("armour")
}

/// Returns a picture of a player, or of the texture whose hash takes the player's place. If there
/// is no such player, it shows the `default` one. Without a `model`, the model of a texture is
/// guessed.
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

/// Returns a picture of a player. If there is no such player, it shows the one whom the query has
/// `named`, or else the `default` one.
///
/// A named substitute is also shown for a player who has set no skin, and in an outage. A Bedrock
/// player has a substitute in both cases anyway, as on the compatibility paths.
pub(super) fn of_player_or(
    params: PictureParams,
    player: &str,
    named: Option<Cow<'static, str>>,
    default: &'static str,
) -> Operation {
    let is_bedrock = PlayerId::edition_of(player) == Edition::Bedrock;
    // Also instead of a default skin, and in an outage.
    let always_replaces = is_bedrock || named.is_some();
    let substitute = Substitute {
        player: SubstitutePlayer::Named(named.unwrap_or(default.into())),
        otherwise: Some(default),
        in_outage: always_replaces,
    };
    let shown = if always_replaces {
        params.of_own_skin()
    } else {
        params
    };
    Operation::picture(shown, player, Some(substitute))
}

/// Returns `true` for gamertags and XUIDs of Bedrock players, unless they are too long.
pub(super) fn is_bedrock_player(text: &str) -> bool {
    PlayerId::detect(text).is_ok_and(|id| id.edition() == Edition::Bedrock)
}

/// Returns Steve or Alex, whom old versions of the game choose by the UUID. A name has the UUID
/// that a server in offline mode gives it.
pub(super) fn steve_or_alex(player: &str) -> &'static str {
    let uuid = Uuid::parse(player).unwrap_or_else(|| offline_uuid(player));
    if uuid.java_hash_code() & 1 == 1 {
        ALEX
    } else {
        STEVE
    }
}

/// Returns a picture of the front of a player's cape with this width and height, or the file.
pub(super) fn cape(player: &str, size: Option<[u32; 2]>) -> Operation {
    let size = size.map(|sides| CapeSize::Box(sides.map(Size::px)));
    Operation::file(FileSpec::Cape(player.to_owned(), size))
}

/// Returns the parameters of a PNG.
pub(super) const fn png(spec: PictureSpec) -> PictureParams {
    PictureParams::beyond_specification(spec, ImageFormat::Png)
}

/// Returns a view in the middle of a picture of this width and height, as large as possible.
pub(super) fn fitted(view: View, [width, height]: [u32; 2]) -> PictureSpec {
    let max_height = u64::from(height);
    let mut size = width;
    let full_height = PictureSpec::new(view, Size::px(width)).height();
    if full_height > max_height {
        let share = u64::from(width) * max_height / full_height;
        size = u32::try_from(share).unwrap_or(width).max(1);
    }
    let mut spec = PictureSpec::new(view, Size::px(size));
    // Heights are rounded, so the share may be a little too large.
    while spec.height() > max_height && size > 1 {
        size -= 1;
        spec = PictureSpec::new(view, Size::px(size));
    }
    let fills_frame = spec.width() == u64::from(width) && spec.height() == max_height;
    if fills_frame {
        return spec;
    }
    spec.with_frame([width, height].map(Size::px))
}

/// Returns the whole number at the beginning of a text, as JavaScript reads it. One that does not
/// fit becomes the largest number.
pub(super) fn leading_number(text: &str) -> Option<u32> {
    let text = text.trim();
    let digits = leading_digits(text.strip_prefix('+').unwrap_or(text));
    if digits.is_empty() {
        return None;
    }
    Some(digits.parse().unwrap_or(u32::MAX))
}

/// Returns the digits at the beginning of a text.
pub(super) fn leading_digits(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_ascii_digit());
    &text[..end.unwrap_or(text.len())]
}

/// Returns the number of a parameter with one of these names. A value that is not a number counts
/// as absent.
pub(super) fn number(query: &Query<'_>, names: &[&str]) -> Option<f64> {
    let number: f64 = query.word(names)?.parse().ok()?;
    if number.is_finite() {
        Some(number)
    } else {
        None
    }
}

/// Returns the nearest whole number of pixels, at least one.
pub(super) fn pixels(number: f64) -> u32 {
    let digits = format!("{:.0}", number.clamp(1.0, f64::from(u32::MAX)));
    digits.parse().unwrap_or(1)
}

/// Returns the value of a switch with one of these names. A name without a value turns it on, and
/// an invalid value counts as absent.
pub(super) fn flag(query: &Query<'_>, names: &[&str]) -> Option<bool> {
    let text = query.word(names)?;
    if text.is_empty() {
        return Some(true);
    }
    switch(&text.to_ascii_lowercase()).ok()
}

/// Returns the layers of a query that asks for the overlay by a parameter of any value. `helm` is
/// an old name.
pub(super) fn layers(query: &Query<'_>) -> Layers {
    if query.word(&["overlay", "helm"]).is_some() {
        Layers::WithOverlay
    } else {
        Layers::Base
    }
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
    fn extensions_of_pictures_are_cut_off() {
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
    fn leading_number_ignores_the_rest_of_the_text() {
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
    fn fitted_view_is_as_large_as_its_frame_allows() {
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
    fn parity_of_the_uuid_selects_steve_or_alex() {
        let rows = [
            ("00000000000000000000000000000000", STEVE),
            ("00000000000000000000000000000001", ALEX),
            // Java's hash code is the exclusive or of both halves.
            ("00000000000000010000000000000001", STEVE),
            ("069a79f444e94726a5befca90e38aaf5", STEVE),
        ];
        for (uuid, expected) in rows {
            assert_eq!(steve_or_alex(uuid), expected, "{uuid}");
        }
    }

    #[test]
    fn name_has_the_uuid_of_a_server_in_offline_mode() {
        let of_name = steve_or_alex("Nobody");
        let of_uuid = steve_or_alex(&offline_uuid("Nobody").to_string());
        assert_eq!(of_name, of_uuid);
    }
}
