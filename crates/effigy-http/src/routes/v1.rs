//! The routes under `/v1/`. Unlike those without a prefix, they reject invalid and unknown
//! parameters.

mod alternatives;
mod arrangement;
mod file_name;
pub(super) mod render_params;
mod route;
mod suggestion;

use effigy_parameters::{Output, find_view};
use effigy_player::Model;
use effigy_render::{ImageFormat, View};
use effigy_service::{CapeSize, FileSpec, PictureParams};
use effigy_upstream::TextureHash;

pub(super) use self::suggestion::did_you_mean;
use self::{
    alternatives::{NAMES, is_unfilled_id, picture_of_query},
    arrangement::{group, players, sheet},
    file_name::{ViewFile, checked, moving, png, still, trimmed},
    render_params::{picture, size, substitute},
    route::Route,
    suggestion::no_view,
};
use super::{
    path::FileName,
    query::Query,
    rejection::{Parsed, Rejection},
    request::{Methods, Operation, ParsedRequest, Surface},
    unknown_parameter::STILL,
};

/// The file name of the element's script.
const ELEMENT: &str = "effigy-figure.js";

const ONLY_FREE_VIEWS_MOVE: &str = "Only figures, portraits and cubes can be \".apng\" or \".gif\"";
const BAD_HASH: &str = "A texture hash has 56 to 64 hexadecimal digits";
const BAD_ARRANGEMENT_FORMAT: &str = "Pictures of several players are PNG: end the path with \
    \".png\" or without an extension. With \".json\", you get the place of each player";

/// Parses a path below `/v1/`.
///
/// # Errors
/// If no route has the path, or the query can't be decoded.
pub(super) fn route(path: &[&str], query: Option<&str>) -> Parsed<ParsedRequest> {
    let [word, rest @ ..] = path else {
        return Err(no_view(path));
    };
    let word = word.to_ascii_lowercase();
    let query = Query::parse(query)?;
    if rest.is_empty() && word == ELEMENT {
        // Other sites add a version to its URL, so it takes any parameters.
        return Ok(ParsedRequest::get(
            "v1-element",
            Surface::Own,
            Ok(Operation::Asset(word)),
        ));
    }
    if rest.is_empty() && is_arrangement_in_other_format(&word) {
        return Err(Rejection::bad_request(BAD_ARRANGEMENT_FORMAT));
    }
    let route = match rest {
        [] => route_of_query(&word, &query),
        [last_segment] => route_of_last_segment(&word, last_segment, &query),
        [hash, view] if word == "texture" => Some(texture_picture_route(hash, view, &query)),
        _ => None,
    };
    match route {
        Some(route) => Ok(route.into_request(&query)),
        None => Err(no_view(path)),
    }
}

/// Returns `true` for a file name of a group or a sheet that is neither PNG nor JSON. An extension
/// `.png` has been removed already.
fn is_arrangement_in_other_format(file: &str) -> bool {
    let is_arrangement = file.starts_with("group.") || file.starts_with("sheet.");
    is_arrangement && !["group.json", "sheet.json"].contains(&file)
}

/// Finds the route of a path whose players are in the query.
fn route_of_query(word: &str, query: &Query<'_>) -> Option<Route> {
    match word {
        "profiles" => {
            let operation = players(query).map(Operation::Profiles);
            Some(Route::new("v1-profiles", Output::Profiles, operation))
        }
        "group" | "group.json" => {
            let operation = group(word, query);
            Some(Route::new("v1-group", Output::Group, operation))
        }
        "sheet" | "sheet.json" => {
            let operation = sheet(word, query);
            Some(Route::new("v1-sheet", Output::Sheet, operation))
        }
        "skin" => {
            let operation = picture_of_query(PictureParams::OWN_SKIN, query);
            Some(Route::new("v1-skin-of-query", Output::Skin, operation).with_parameters(&NAMES))
        }
        view => picture_of_query_route(&ViewFile::parse(view)?, query),
    }
}

/// Returns the route of a picture whose player is in the query, if the query names one.
fn picture_of_query_route(file: &ViewFile, query: &Query<'_>) -> Option<Route> {
    let params = if file.moves {
        moving_params(file.view, file.format, query)
    } else {
        still_params(file.view, file.format, query)
    };
    let output = if file.moves {
        Output::Moving
    } else {
        Output::Picture
    };
    let operation = params.and_then(|params| picture_of_query(params, query));
    if operation == Err(Rejection::NOT_FOUND) {
        return None;
    }
    Some(Route::new("v1-picture-of-query", output, operation).with_parameters(&NAMES))
}

/// Finds the route of a path with two segments. The last one is a player, a texture hash, or the
/// view of a preview.
fn route_of_last_segment(word: &str, last_segment: &str, query: &Query<'_>) -> Option<Route> {
    match word {
        "profile" => Some(Route::new("v1-profile", None, profile(last_segment))),
        "refresh" => {
            let route = Route::new("v1-refresh", None, refresh(last_segment));
            Some(route.with_methods(Methods::Post))
        }
        "skin" => Some(Route::new(
            "v1-skin",
            Output::Skin,
            skin(last_segment, query),
        )),
        "cape" => Some(Route::new(
            "v1-cape",
            Output::Cape,
            cape(last_segment, query),
        )),
        "texture" => {
            let operation = texture_file(last_segment, query);
            Some(Route::new("v1-texture", None, operation).with_parameters(&["default"]))
        }
        "preview" => {
            let route = Route::new("v1-preview", Output::Texture, preview(last_segment, query));
            Some(route.with_methods(Methods::Post))
        }
        view => Some(picture_route(find_view(view)?, last_segment, query)),
    }
}

fn picture_route(view: View, player: &str, query: &Query<'_>) -> Route {
    match moving(player) {
        Some(file) => {
            let operation = moving_picture(view, file, query);
            Route::new("v1-picture", Output::Moving, operation)
        }
        None => {
            let operation = still_picture(view, player, query);
            Route::new("v1-picture", Output::Picture, operation)
        }
    }
}

fn texture_picture_route(hash: &str, view: &str, query: &Query<'_>) -> Route {
    let operation = texture_picture(hash, view, query);
    Route::new("v1-texture-picture", Output::Texture, operation).with_parameters(&["default"])
}

fn profile(player: &str) -> Parsed<Operation> {
    let spec = FileSpec::Profile(trimmed(player)?.to_owned());
    Ok(Operation::file(spec))
}

fn refresh(player: &str) -> Parsed<Operation> {
    Ok(Operation::Refresh(trimmed(player)?.to_owned()))
}

fn skin(player: &str, query: &Query<'_>) -> Parsed<Operation> {
    picture_or_default(PictureParams::OWN_SKIN, png(player)?, query)
}

fn cape(player: &str, query: &Query<'_>) -> Parsed<Operation> {
    let size = size(query)?.map(CapeSize::Width);
    let player = trimmed(png(player)?)?;
    let spec = FileSpec::Cape(player.to_owned(), size);
    Ok(Operation::file(spec))
}

fn still_picture(view: View, player: &str, query: &Query<'_>) -> Parsed<Operation> {
    let file = still(player)?;
    let params = still_params(view, file.format, query)?;
    picture_or_default(params, file.stem, query)
}

/// Returns the picture of a player. An empty one is not found, unless there is a default.
fn picture_or_default(params: PictureParams, player: &str, query: &Query<'_>) -> Parsed<Operation> {
    let substitute = substitute(query)?;
    if player.is_empty() && substitute.is_none() {
        return Err(Rejection::NOT_FOUND);
    }
    Ok(Operation::picture(params, player, substitute))
}

fn still_params(view: View, format: ImageFormat, query: &Query<'_>) -> Parsed<PictureParams> {
    let spec = picture(view, query)?.spec;
    Ok(PictureParams::beyond_specification(spec, format))
}

fn moving_picture(view: View, file: FileName<'_>, query: &Query<'_>) -> Parsed<Operation> {
    let params = moving_params(view, file.format, query)?;
    let substitute = substitute(query)?;
    Ok(Operation::picture(params, file.stem, substitute))
}

fn moving_params(view: View, format: ImageFormat, query: &Query<'_>) -> Parsed<PictureParams> {
    let picture = picture(view, query)?;
    if !view.is_free() {
        return Err(Rejection::bad_request(ONLY_FREE_VIEWS_MOVE));
    }
    picture.check_moving_size()?;
    Ok(match picture.motion_by_default() {
        Some(motion) => PictureParams::moving(picture.spec, motion, format),
        None => PictureParams::beyond_specification(picture.spec, format),
    })
}

/// The picture of a skin file, whose model is not the player's.
struct FilePicture {
    params: PictureParams,
    /// The model, or `None` to guess it from the skin.
    model: Option<Model>,
}

impl FilePicture {
    /// The file itself.
    const FILE: Self = Self {
        params: PictureParams::OWN_SKIN,
        model: None,
    };

    /// Reads a view, which an extension may follow, and the query.
    fn read(view: &str, query: &Query<'_>) -> Parsed<Self> {
        if moving(view).is_some() {
            return Err(Rejection::bad_request(STILL));
        }
        let file = still(view)?;
        let Some(parsed) = find_view(file.stem) else {
            return Err(no_view(&[]));
        };
        let mut spec = picture(parsed, query)?.spec;
        let model = spec.model.take();
        let params = PictureParams::beyond_specification(spec, file.format);
        Ok(Self { params, model })
    }
}

fn preview(view: &str, query: &Query<'_>) -> Parsed<Operation> {
    let FilePicture { params, model } = FilePicture::read(view, query)?;
    Ok(Operation::Preview { params, model })
}

fn texture_file(hash: &str, query: &Query<'_>) -> Parsed<Operation> {
    of_texture(checked(hash)?, FilePicture::FILE, query)
}

fn texture_picture(hash: &str, view: &str, query: &Query<'_>) -> Parsed<Operation> {
    let picture = FilePicture::read(view, query)?;
    of_texture(hash.trim(), picture, query)
}

/// Returns the picture of a texture, or of the default if the hash is an unfilled placeholder.
fn of_texture(hash: &str, picture: FilePicture, query: &Query<'_>) -> Parsed<Operation> {
    let substitute = substitute(query)?;
    if let Some(parsed) = TextureHash::parse(hash) {
        let mut request = picture.params.of_texture(parsed, picture.model);
        request.substitute = substitute;
        return Ok(Operation::File(request));
    }
    if is_unfilled_id(hash) && substitute.is_some() {
        // An empty player does not exist, so the default is shown.
        return Ok(Operation::picture(picture.params, "", substitute));
    }
    if hash.is_empty() {
        return Err(Rejection::NOT_FOUND);
    }
    Err(Rejection::bad_request(BAD_HASH))
}

#[cfg(test)]
mod tests;
