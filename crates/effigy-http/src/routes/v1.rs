//! The routes under `/v1/`. Unlike those without a prefix they reject invalid and unknown parameters.

mod arrangement;
pub(super) mod format;
pub(super) mod render_params;
mod substitute;
mod unknown;

use effigy_player::Model;
use effigy_render::{ImageFormat, View};
use effigy_service::{GroupRequest, PictureParams};
use effigy_upstream::TextureHash;

use self::{
    arrangement::{group, players, sheet},
    format::{BAD_ARRANGEMENT_FORMAT, reject_other_formats, split_format},
    render_params::{PICTURE_PARAMETERS, RenderParams},
    substitute::substitute,
    unknown::reject_unknown,
};
use super::{
    request::{Errors, NO_PLAYER, Request},
    target::{Parsed, Rejection, Target},
    url::Query,
};

/// Words that people try first.
const OTHER_WORDS: [(&str, View); 2] = [("face", View::Head), ("body", View::Body)];

const BAD_HASH: &str = "A texture hash has 56 to 64 hexadecimal digits";
const NO_CAPE: &str = "No such player, or the player has no cape";
const NO_TEXTURE: &str = "No such texture";

/// The parameters in the query of a route: none, or those of pictures.
const NONE: &[&str] = &[];
const PICTURE: &[&str] = &PICTURE_PARAMETERS;

/// Returns the request for `/v1/` and a path. The query may have no parameter that the route does not have.
pub(super) fn route(path: &[&str], query: Query<'_>) -> Option<Request> {
    let (word, rest) = path.split_first()?;
    let word = word.to_ascii_lowercase();
    let of_player = |name, target| Request::get(name, Errors::ByReason(NO_PLAYER), target);
    let of_texture = |name, target| Request::get(name, Errors::ByReason(NO_TEXTURE), target);
    let (request, parameters) = match (word.as_str(), rest) {
        ("profile", [player]) => (of_player("v1-profile", profile(player)), [NONE, NONE]),
        ("profiles", []) => (
            of_player("v1-profiles", profiles(query)),
            [NONE, &["players"]],
        ),
        ("skin", [player]) => (
            of_player("v1-skin", skin(player, query)),
            [NONE, &["default"]],
        ),
        ("cape", [player]) => {
            let errors = Errors::ByReason(NO_CAPE);
            (Request::get("v1-cape", errors, cape(player)), [NONE, NONE])
        }
        ("group" | "group.json", []) => {
            let target = arrangement(group(query), &word);
            (
                of_player("v1-group", target),
                [PICTURE, &["players", "default"]],
            )
        }
        ("sheet" | "sheet.json", []) => {
            let target = arrangement(sheet(query), &word);
            (
                of_player("v1-sheet", target),
                [PICTURE, &["players", "view", "columns", "default"]],
            )
        }
        ("texture", [hash]) => (of_texture("v1-texture", texture(hash)), [NONE, NONE]),
        ("texture", [hash, view]) => {
            let target = texture_picture(hash, view, query);
            (
                of_texture("v1-texture-picture", target),
                [PICTURE, &["model"]],
            )
        }
        ("preview", [view]) => (
            Request::post("v1-preview", preview(view, query)),
            [PICTURE, &["model"]],
        ),
        (view, [player]) => (
            of_player("v1-picture", picture(view, player, query)),
            [PICTURE, &["default"]],
        ),
        (file, []) if file.starts_with("group.") || file.starts_with("sheet.") => {
            return Some(Request::rejected(BAD_ARRANGEMENT_FORMAT.into()));
        }
        _ => return None,
    };
    if request.target == Err(Rejection::NOT_FOUND) {
        return None;
    }
    // An unknown parameter may be a misspelled one whose absence is an error too.
    let known = query
        .checked()
        .and_then(|query| reject_unknown(query, parameters));
    Some(Request {
        target: known.and(request.target),
        ..request
    })
}

fn picture(view: &str, player: &str, query: Query<'_>) -> Parsed {
    let view = find_view(view).ok_or(Rejection::NOT_FOUND)?;
    let (player, format) = split_format(file(player)?);
    if player.is_empty() {
        return Err(Rejection::NOT_FOUND);
    }
    let (params, _) = picture_params(view, format, query)?;
    picture_of_player(params, player, query)
}

fn profile(player: &str) -> Parsed {
    Ok(Target::Profile(trimmed(player)?.to_owned()))
}

fn profiles(query: Query<'_>) -> Parsed {
    Ok(Target::Profiles(players(query)?))
}

fn skin(player: &str, query: Query<'_>) -> Parsed {
    picture_of_player(PictureParams::OWN_SKIN, file(player)?, query)
}

fn cape(player: &str) -> Parsed {
    Ok(Target::Cape(file(player)?.to_owned()))
}

/// A picture of several players, or their places.
fn arrangement(request: Result<GroupRequest, Rejection>, file: &str) -> Parsed {
    let request = request?;
    Ok(match file.ends_with(".json") {
        true => request.places().into(),
        false => request.into(),
    })
}

fn texture(hash: &str) -> Parsed {
    picture_of_texture(file(hash)?, PictureParams::SKIN, Model::default())
}

fn texture_picture(hash: &str, view: &str, query: Query<'_>) -> Parsed {
    let (params, model) = view_and_params(view, query)?;
    picture_of_texture(trimmed(hash)?, params, model)
}

fn preview(view: &str, query: Query<'_>) -> Parsed {
    let (params, model) = view_and_params(view, query)?;
    Ok(Target::Preview { params, model })
}

/// Reads a view, which an extension may follow, and the query.
fn view_and_params(view: &str, query: Query<'_>) -> Result<(PictureParams, Model), Rejection> {
    let (view, format) = split_format(file(view)?);
    let view = find_view(view).ok_or(Rejection::NOT_FOUND)?;
    picture_params(view, format, query)
}

fn picture_params(
    view: View,
    format: ImageFormat,
    query: Query<'_>,
) -> Result<(PictureParams, Model), Rejection> {
    let params = RenderParams::parse(view, query)?;
    let picture = PictureParams::extension(params.spec(view), format);
    Ok((picture, params.model.unwrap_or_default()))
}

fn picture_of_player(params: PictureParams, player: &str, query: Query<'_>) -> Parsed {
    let request = params.of_player(player);
    Ok(Target::Picture(match substitute(query)? {
        Some(substitute) => request.with_substitute(substitute),
        None => request,
    }))
}

fn picture_of_texture(hash: &str, params: PictureParams, model: Model) -> Parsed {
    let hash = TextureHash::parse(hash).ok_or(BAD_HASH)?;
    Ok(params.of_texture(hash, model).into())
}

/// Finds the view of a word in any letter case.
fn find_view(word: &str) -> Option<View> {
    let words = View::ALL.map(|view| (view.as_str(), view));
    let mut words = words.into_iter().chain(OTHER_WORDS);
    let found = words.find(|(known, _)| known.eq_ignore_ascii_case(word.trim()));
    found.map(|(_, view)| view)
}

/// Returns a segment without blanks around it, which come along when text is copied.
fn trimmed(segment: &str) -> Result<&str, Rejection> {
    let text = segment.trim();
    (!text.is_empty())
        .then_some(text)
        .ok_or(Rejection::NOT_FOUND)
}

/// Returns a segment that a format may follow.
fn file(segment: &str) -> Result<&str, Rejection> {
    reject_other_formats(trimmed(segment)?)
}
