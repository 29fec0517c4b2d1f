//! The routes under `/v1/`. Unlike those without a prefix they reject invalid and unknown
//! parameters.

mod arrangement;
pub(super) mod render_params;

use effigy_parameters::{
    Output, find_meant_view, find_view,
    value::{list, whole_number},
};
use effigy_player::{Model, Uuid};
use effigy_render::{ImageFormat, Size, View};
use effigy_service::{CapeSize, FileSpec, PictureParams};
use effigy_upstream::TextureHash;
use hyper::StatusCode;

use self::{
    arrangement::{group, players, sheet},
    render_params::{LIMITS, VIEWS, picture, size, substitute},
};
use super::{
    query::{Query, cut},
    request::{Operation, Parsed, Rejection, escaped, split_format, without_extension},
};

/// The largest size of a moving picture, which has up to 96 frames.
const MAX_MOVING_SIZE: Size = Size::px(512);

const TOO_LARGE_TO_MOVE: &str = "Size must be a whole number from 1 to 512 where a picture moves";
const ONLY_FREE_VIEWS_MOVE: &str = "Only figures, portraits and cubes can be \".apng\" or \".gif\"";
const BAD_HASH: &str = "A texture hash has 56 to 64 hexadecimal digits";

/// The extensions of formats that pictures do not have, and that no name of a player ends with.
const OTHER_EXTENSIONS: [&str; 11] = [
    ".webp", ".jpg", ".jpeg", ".apng", ".gif", ".avif", ".bmp", ".ico", ".jxl", ".tif", ".tiff",
];

const BAD_FORMAT: &str = "Pictures are PNG or SVG: end the path with \".png\", \".svg\" or neither. \
    Figures, portraits and cubes of players can move: end theirs with \".apng\" or \".gif\"";
const BAD_ARRANGEMENT_FORMAT: &str = "Pictures of several players are PNG: end the path with \".png\" \
    or without an extension. With \".json\" it is the place of each player";

/// The file of a texture, which has no model.
const TEXTURE_FILE: (PictureParams, Model) = (PictureParams::SKIN, Model::Classic);

/// Reads `/v1/` and a path. Returns the name of the route, too.
pub(super) fn route(path: &[&str], query: Option<&str>) -> Parsed<(&'static str, Parsed)> {
    let [word, rest @ ..] = path else {
        return Err(no_view(path));
    };
    let (word, query) = (&*word.to_ascii_lowercase(), &Query::parse(query)?);
    let (name, output, operation) = match (word, rest) {
        ("profile", [player]) => ("v1-profile", None, profile(player)),
        ("refresh", [player]) => ("v1-refresh", None, refresh(player)),
        ("profiles", []) => {
            let operation = players(query).map(Operation::Profiles);
            ("v1-profiles", Some(Output::Profiles), operation)
        }
        ("skin", [player]) => ("v1-skin", Some(Output::Skin), skin(player, query)),
        ("cape", [player]) => ("v1-cape", Some(Output::Cape), cape(player, query)),
        // The script of the element, for other sites, which add the number of a version to it.
        ("effigy-figure.js", []) => {
            return Ok(("v1-element", Ok(Operation::Asset(word.to_owned()))));
        }
        ("group" | "group.json", []) => ("v1-group", Some(Output::Group), group(word, query)),
        ("sheet" | "sheet.json", []) => ("v1-sheet", Some(Output::Sheet), sheet(word, query)),
        ("texture", [hash]) => {
            let operation = file(hash).and_then(|hash| of_texture(hash, TEXTURE_FILE));
            ("v1-texture", None, operation)
        }
        ("texture", [hash, view]) => {
            let picture = view_and_model(view, query);
            let operation = picture.and_then(|picture| of_texture(trimmed(hash)?, picture));
            ("v1-texture-picture", Some(Output::Texture), operation)
        }
        ("preview", [view]) => {
            let operation = view_and_model(view, query)
                .map(|(params, model)| Operation::Preview { params, model });
            ("v1-preview", Some(Output::Texture), operation)
        }
        (view, [player]) if let Some(view) = find_view(view) => match moving(player) {
            Some(moving) => {
                let operation = moving_picture(view, moving, query);
                ("v1-picture", Some(Output::Moving), operation)
            }
            None => {
                let operation = picture_of(view, player, query);
                ("v1-picture", Some(Output::Picture), operation)
            }
        },
        (file, []) if file.starts_with("group.") || file.starts_with("sheet.") => {
            return Err(Rejection::bad_request(BAD_ARRANGEMENT_FORMAT));
        }
        _ => return Err(no_view(path)),
    };
    let operation = match operation {
        Err(rejection) if rejection.status == StatusCode::NOT_FOUND => Err(rejection),
        // An unknown parameter may be a misspelled one whose absence is an error too.
        operation => query.reject_unknown(output).and(operation),
    };
    Ok((name, operation))
}

/// Returns the rejection of a path without a route: with the one that is meant, or else all views.
fn no_view(path: &[&str]) -> Rejection {
    did_you_mean(path).unwrap_or_else(|| {
        let views = list(VIEWS.iter().map(|(view, _)| view.to_string()), " and ");
        let paths = "Pictures are at /v1/{view}/{player}";
        not_found(format!("Not found. {paths}; the views are {views}"))
    })
}

/// Returns the rejection of a path whose words are those of one under `/v1/` or of a family, which
/// the message names.
pub(super) fn did_you_mean(path: &[&str]) -> Option<Rejection> {
    let [word, player, rest @ ..] = path else {
        return None;
    };
    let word = word.to_ascii_lowercase();
    let meant = match (&*word, rest) {
        _ if player.trim().is_empty() => return None,
        ("renders", _) => format!("crafatar/{}", joined(path, "/")),
        // Names have no such paths there.
        ("avatars" | "skins" | "capes", _) if Uuid::parse(player).is_some() => {
            format!("crafatar/{}", joined(path, "/"))
        }
        ("skins", []) => format!("v1/skin/{}", joined(&[player], "")),
        ("capes", []) => format!("v1/cape/{}", joined(&[player], "")),
        ("armor", _) => format!("minotar/{}", joined(path, "/")),
        ("group" | "sheet" | "profiles", []) => {
            let players: Vec<&str> = player.split(',').collect();
            format!("v1/{word}?players={}", joined(&players, ","))
        }
        _ => {
            let view = find_view(&word).or_else(|| find_meant_view(&word))?;
            let is_size = |text: &str| whole_number(text, 1..=LIMITS.size).is_ok();
            let mut name = *player;
            let mut size = rest.iter().copied().find(|text| is_size(text));
            if size.is_none()
                && is_size(player)
                && let [second, ..] = rest
            {
                // Other services put the size first.
                size = Some(name);
                name = *second;
            }
            let query = size.map(|size| format!("?size={size}"));
            let name = joined(&[name.trim()], "");
            format!("v1/{view}/{name}{}", query.unwrap_or_default())
        }
    };
    Some(not_found(format!("Not found. Did you mean \"/{meant}\"?")))
}

/// Joins parts of a URL. Long ones are cut.
fn joined(parts: &[&str], separator: &str) -> String {
    let parts: Vec<String> = parts.iter().map(|part| escaped(&cut(part))).collect();
    parts.join(separator)
}

fn not_found(message: String) -> Rejection {
    let (status, message) = (StatusCode::NOT_FOUND, message.into());
    Rejection { status, message }
}

fn profile(player: &str) -> Parsed {
    let spec = FileSpec::Profile(trimmed(player)?.to_owned());
    Ok(Operation::file(spec))
}

/// Reads the path of a check, to which a file name may belong as to others.
fn refresh(player: &str) -> Parsed {
    Ok(Operation::Refresh(trimmed(player)?.to_owned()))
}

fn cape(player: &str, query: &Query<'_>) -> Parsed {
    let spec = FileSpec::Cape(png(player)?.to_owned(), size(query)?.map(CapeSize::Width));
    Ok(Operation::file(spec))
}

fn skin(player: &str, query: &Query<'_>) -> Parsed {
    let (params, player) = (PictureParams::OWN_SKIN, png(player)?);
    Ok(Operation::picture(params, player, substitute(query)?))
}

fn picture_of(view: View, player: &str, query: &Query<'_>) -> Parsed {
    let (player, format) = split_format(file(player)?);
    if player.is_empty() {
        return Err(Rejection::NOT_FOUND);
    }
    let params = PictureParams::extension(picture(view, query)?.spec, format);
    Ok(Operation::picture(params, player, substitute(query)?))
}

/// Returns what is before the extension of a moving picture, and its format. `.apng` alone is the
/// gamertag of a Bedrock player.
fn moving(segment: &str) -> Option<(&str, ImageFormat)> {
    let formats = [(".apng", ImageFormat::Png), (".gif", ImageFormat::Gif)];
    formats.into_iter().find_map(|(extension, format)| {
        let stem = without_extension(segment.trim(), extension)?;
        (!stem.is_empty()).then_some((stem, format))
    })
}

fn moving_picture(view: View, (player, format): (&str, ImageFormat), query: &Query<'_>) -> Parsed {
    let picture = picture(view, query)?;
    if !view.is_free() {
        return Err(Rejection::bad_request(ONLY_FREE_VIEWS_MOVE));
    }
    if picture.spec.size > MAX_MOVING_SIZE {
        return Err(Rejection::bad_request(TOO_LARGE_TO_MOVE));
    }
    // A pose that is a moment of a movement moves unless it is asked not to.
    let moves = picture.animate.unwrap_or(picture.pose.is_moving());
    let turns = picture.turn.unwrap_or(!moves);
    let params = PictureParams::moving(picture.spec, picture.motion(moves, turns), format);
    Ok(Operation::picture(params, player, substitute(query)?))
}

/// Reads a view, which an extension may follow, and the query.
fn view_and_model(view: &str, query: &Query<'_>) -> Parsed<(PictureParams, Model)> {
    let (view, format) = split_format(file(view)?);
    let view = find_view(view).ok_or_else(|| no_view(&[]))?;
    let mut spec = picture(view, query)?.spec;
    let model = spec.model.take().unwrap_or_default();
    Ok((PictureParams::extension(spec, format), model))
}

fn of_texture(hash: &str, (params, model): (PictureParams, Model)) -> Parsed {
    let hash = TextureHash::parse(hash).ok_or_else(|| Rejection::bad_request(BAD_HASH))?;
    Ok(Operation::File(params.of_texture(hash, model)))
}

/// Returns a segment without whitespace around it, which come along when text is copied.
fn trimmed(segment: &str) -> Parsed<&str> {
    match segment.trim() {
        "" => Err(Rejection::NOT_FOUND),
        text => Ok(text),
    }
}

/// Returns a segment that no format follows but that of the file.
fn png(segment: &str) -> Parsed<&str> {
    match split_format(file(segment)?) {
        (player, ImageFormat::Png) => Ok(player),
        _ => Err(Rejection::bad_request("Skins and capes are PNG files")),
    }
}

/// Returns a segment that a format may follow, unless it is one that is not drawn here. `.gif`
/// alone is the gamertag of a Bedrock player.
fn file(segment: &str) -> Parsed<&str> {
    let text = trimmed(segment)?;
    let has = |extension| without_extension(text, extension).is_some_and(|stem| !stem.is_empty());
    if OTHER_EXTENSIONS.into_iter().any(has) {
        return Err(Rejection::bad_request(BAD_FORMAT));
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
