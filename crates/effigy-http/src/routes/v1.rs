//! The routes under `/v1/`. Unlike those without a prefix they reject invalid and unknown parameters.

mod arrangement;
pub(super) mod render_params;
mod unknown;

use effigy_player::Model;
use effigy_render::{Motion, Size};
use effigy_service::{FileSpec, PictureParams};
use effigy_upstream::TextureHash;
use hyper::StatusCode;

use self::{
    arrangement::{group, players, sheet},
    render_params::{PICTURE_PARAMETERS, VIEWS, find_view, picture_spec, substitute},
    unknown::reject_unknown,
};
use super::{
    query::{Query, list},
    request::{
        Errors, NO_PLAYER, Operation, Parsed, ParsedRequest, Rejection, split_format,
        without_extension,
    },
};

/// The largest size of a moving picture, which has 24 frames.
const MAX_MOVING_SIZE: Size = Size::px(512);

const TOO_LARGE_TO_MOVE: &str = "Size must be a whole number from 1 to 512 where a picture moves";
const ONLY_FREE_VIEWS_MOVE: &str = "Only figures, portraits and cubes can be \".apng\"";
const BAD_HASH: &str = "A texture hash has 56 to 64 hexadecimal digits";

/// The extensions of formats that pictures do not have, and that no name of a player ends with.
const OTHER_EXTENSIONS: [&str; 10] = [
    ".webp", ".jpg", ".jpeg", ".gif", ".avif", ".bmp", ".ico", ".jxl", ".tif", ".tiff",
];

const BAD_FORMAT: &str = "Pictures are PNG or SVG: end the path with \".png\", \".svg\" or neither";
const BAD_ARRANGEMENT_FORMAT: &str = "Pictures of several players are PNG: end the path with \".png\" or without an \
    extension. With \".json\" it is the place of each player";

/// The failures of routes.
const PLAYER_ERRORS: Errors = Errors::ByReason(NO_PLAYER);
const CAPE_ERRORS: Errors = Errors::ByReason("No such player, or the player has no cape");
const TEXTURE_ERRORS: Errors = Errors::ByReason("No such texture");

/// The parameters in the query of a route.
type Parameters = [&'static [&'static str]; 2];

const NONE: Parameters = [&[], &[]];
const PLAYERS: Parameters = [&[], &["players"]];
const SKIN: Parameters = [&[], &["default"]];
const PICTURE: Parameters = [&PICTURE_PARAMETERS, &["default"]];
const MOVING_PICTURE: Parameters = [&PICTURE_PARAMETERS, &["turn", "animate", "default"]];
const TEXTURE: Parameters = [&PICTURE_PARAMETERS, &["model"]];
const GROUP: Parameters = [&PICTURE_PARAMETERS, &["players", "default"]];
const SHEET: Parameters = [
    &PICTURE_PARAMETERS,
    &["players", "view", "columns", "default"],
];

/// Returns the request for `/v1/` and a path.
pub(super) fn route(path: &[&str], query: Option<&str>) -> Result<ParsedRequest, Rejection> {
    let [word, rest @ ..] = path else {
        return Err(no_view());
    };
    let (word, query) = (&*word.to_ascii_lowercase(), &Query::parse(query)?);
    let (name, errors, parameters, operation) = match (word, rest) {
        ("profile", [player]) => ("v1-profile", PLAYER_ERRORS, NONE, profile(player)),
        ("profiles", []) => ("v1-profiles", PLAYER_ERRORS, PLAYERS, profiles(query)),
        ("skin", [player]) => ("v1-skin", PLAYER_ERRORS, SKIN, skin(player, query)),
        ("cape", [player]) => ("v1-cape", CAPE_ERRORS, NONE, cape(player)),
        // The script of the element, for other sites.
        ("effigy-figure.js", []) => {
            let operation = Operation::Asset(word.to_owned());
            ("v1-element", Errors::GENERAL, NONE, Ok(operation))
        }
        ("group" | "group.json", []) => ("v1-group", PLAYER_ERRORS, GROUP, group(word, query)),
        ("sheet" | "sheet.json", []) => ("v1-sheet", PLAYER_ERRORS, SHEET, sheet(word, query)),
        ("texture", [hash]) => ("v1-texture", TEXTURE_ERRORS, NONE, texture(hash)),
        ("texture", [hash, view]) => {
            let operation = texture_picture(hash, view, query);
            ("v1-texture-picture", TEXTURE_ERRORS, TEXTURE, operation)
        }
        ("preview", [view]) => ("v1-preview", Errors::GENERAL, TEXTURE, preview(view, query)),
        (view, [player]) if let Some(player) = before_apng(player) => {
            let operation = moving_picture(view, player, query);
            ("v1-picture", PLAYER_ERRORS, MOVING_PICTURE, operation)
        }
        (view, [player]) => {
            let operation = picture(view, player, query);
            ("v1-picture", PLAYER_ERRORS, PICTURE, operation)
        }
        (file, []) if file.starts_with("group.") || file.starts_with("sheet.") => {
            return Err(BAD_ARRANGEMENT_FORMAT.into());
        }
        _ => return Err(no_view()),
    };
    if let Err(rejection) = &operation
        && rejection.status == StatusCode::NOT_FOUND
    {
        return Err(rejection.clone());
    }
    // An unknown parameter may be a misspelled one whose absence is an error too.
    let operation = reject_unknown(query, parameters).and(operation);
    Ok(match word {
        "preview" => ParsedRequest::post(name, operation),
        _ => ParsedRequest::get(name, errors, operation),
    })
}

/// The rejection of a path that names no view.
fn no_view() -> Rejection {
    let views = list(VIEWS.iter().map(|(view, _)| view.to_string()), "and");
    Rejection {
        status: StatusCode::NOT_FOUND,
        message: format!(
            "Not found. Pictures are at /v1/{{view}}/{{player}}; the views are {views}"
        )
        .into(),
    }
}

fn picture(view: &str, player: &str, query: &Query<'_>) -> Parsed {
    let view = find_view(view).ok_or_else(no_view)?;
    let (player, format) = split_format(file(player)?);
    if player.is_empty() {
        return Err(Rejection::NOT_FOUND);
    }
    let params = PictureParams::extension(picture_spec(view, query)?, format);
    picture_of_player(params, player, query)
}

/// Returns what is before the extension of a moving picture. `.apng` alone is the gamertag of a Bedrock player.
fn before_apng(segment: &str) -> Option<&str> {
    without_extension(segment.trim(), ".apng").filter(|stem| !stem.is_empty())
}

fn moving_picture(view: &str, player: &str, query: &Query<'_>) -> Parsed {
    let view = find_view(view).ok_or(Rejection::NOT_FOUND)?;
    let spec = picture_spec(view, query)?;
    if !view.is_free() {
        return Err(ONLY_FREE_VIEWS_MOVE.into());
    }
    if spec.size > MAX_MOVING_SIZE {
        return Err(TOO_LARGE_TO_MOVE.into());
    }
    let moves = query.switch("animate")?.unwrap_or_default();
    let turns = query.switch("turn")?.unwrap_or(!moves);
    let params = PictureParams::moving(spec, Motion { turns, moves });
    picture_of_player(params, player, query)
}

fn profile(player: &str) -> Parsed {
    Ok(Operation::File(
        FileSpec::Profile(trimmed(player)?.to_owned()).into(),
    ))
}

fn profiles(query: &Query<'_>) -> Parsed {
    Ok(Operation::Profiles(players(query)?))
}

fn skin(player: &str, query: &Query<'_>) -> Parsed {
    picture_of_player(PictureParams::OWN_SKIN, file(player)?, query)
}

fn cape(player: &str) -> Parsed {
    Ok(Operation::File(
        FileSpec::Cape(file(player)?.to_owned()).into(),
    ))
}

fn texture(hash: &str) -> Parsed {
    picture_of_texture(file(hash)?, PictureParams::SKIN, Model::default())
}

fn texture_picture(hash: &str, view: &str, query: &Query<'_>) -> Parsed {
    let (params, model) = view_and_params(view, query)?;
    picture_of_texture(trimmed(hash)?, params, model)
}

fn preview(view: &str, query: &Query<'_>) -> Parsed {
    let (params, model) = view_and_params(view, query)?;
    Ok(Operation::Preview { params, model })
}

/// Reads a view, which an extension may follow, and the query.
fn view_and_params(view: &str, query: &Query<'_>) -> Result<(PictureParams, Model), Rejection> {
    let (view, format) = split_format(file(view)?);
    let view = find_view(view).ok_or_else(no_view)?;
    let params = PictureParams::extension(picture_spec(view, query)?, format);
    Ok((params, query.word("model")?.unwrap_or_default()))
}

fn picture_of_player(params: PictureParams, player: &str, query: &Query<'_>) -> Parsed {
    let mut request = params.of_player(player);
    request.substitute = substitute(query)?;
    Ok(Operation::File(request))
}

fn picture_of_texture(hash: &str, params: PictureParams, model: Model) -> Parsed {
    let hash = TextureHash::parse(hash).ok_or(BAD_HASH)?;
    Ok(Operation::File(params.of_texture(hash, model)))
}

/// Returns a segment without whitespace around it, which come along when text is copied.
fn trimmed(segment: &str) -> Result<&str, Rejection> {
    let text = segment.trim();
    (!text.is_empty())
        .then_some(text)
        .ok_or(Rejection::NOT_FOUND)
}

/// Returns a segment that a format may follow, unless it is one that pictures do not have. `.gif` alone is the
/// gamertag of a Bedrock player.
fn file(segment: &str) -> Result<&str, Rejection> {
    let text = trimmed(segment)?;
    let mut stems = OTHER_EXTENSIONS
        .iter()
        .filter_map(|extension| without_extension(text, extension));
    match stems.any(|stem| !stem.is_empty()) {
        true => Err(BAD_FORMAT.into()),
        false => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::tests::{parse, rejected};

    #[test]
    fn other_formats_are_errors() {
        let hash = "ab".repeat(32);
        let rows = [
            ("/v1/head/Notch.webp", BAD_FORMAT),
            ("/v1/head/Notch.JPG?size=64", BAD_FORMAT),
            ("/v1/figure/.Tag.jpeg", BAD_FORMAT),
            ("/v1/cape/Notch.gif", BAD_FORMAT),
            (&format!("/v1/texture/{hash}.avif"), BAD_FORMAT),
            (&format!("/v1/texture/{hash}/head.webp"), BAD_FORMAT),
            ("/v1/preview/head.webp", BAD_FORMAT),
            ("/v1/group.webp?players=a", BAD_ARRANGEMENT_FORMAT),
            ("/V1/Sheet.svg?players=a", BAD_ARRANGEMENT_FORMAT),
        ];
        for (url, reason) in rows {
            assert_eq!(rejected(url), reason.into(), "{url}");
        }
        for url in ["/v1/back/Notch.webp", "/v1/groups.webp", "/group.webp"] {
            assert_eq!(rejected(url).status, 404, "{url}");
        }
        for url in ["/v1/head/.gif", "/v1/head/webp", "/head/Notch.webp"] {
            assert!(parse(url).operation.is_ok(), "{url}");
        }
    }
}
