//! The routes under `/v1/`. Unlike those without a prefix they reject invalid and unknown
//! parameters.

mod alternatives;
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
    alternatives::{NAMES, is_unfilled_id, picture_of_query},
    arrangement::{group, players, sheet},
    render_params::{LIMITS, VIEWS, picture, size, substitute},
};
use super::{
    path::{escaped, split_format, without_extension},
    query::{Query, STILL, cut},
    rejection::{Parsed, Rejection},
    request::Operation,
};

/// The largest size of a moving picture, which has up to 96 frames.
pub(crate) const MAX_MOVING_SIZE: Size = Size::px(512);

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
const TEXTURE_FILE: (PictureParams, Option<Model>) = (PictureParams::OWN_SKIN, None);

/// A route, and what the request asks of it.
struct Route {
    /// The name in the metrics.
    name: &'static str,
    /// The output, whose parameters the query may have.
    output: Option<Output>,
    /// The parameters of the route itself.
    own_parameters: &'static [&'static str],
    operation: Parsed<Operation>,
}

impl Route {
    fn new(
        name: &'static str,
        output: impl Into<Option<Output>>,
        operation: Parsed<Operation>,
    ) -> Self {
        Self {
            name,
            output: output.into(),
            own_parameters: &[],
            operation,
        }
    }

    fn with_parameters(self, own_parameters: &'static [&'static str]) -> Self {
        Self {
            own_parameters,
            ..self
        }
    }
}

/// Reads `/v1/` and a path. Returns the name of the route, too.
pub(super) fn route(
    path: &[&str],
    query: Option<&str>,
) -> Parsed<(&'static str, Parsed<Operation>)> {
    let [word, rest @ ..] = path else {
        return Err(no_view(path));
    };
    let word = &*word.to_ascii_lowercase();
    let query = &Query::parse(query)?;
    let found = match rest {
        [] if word == "effigy-figure.js" => {
            // The script of the element, for other sites, which add the number of a version to it.
            return Ok(("v1-element", Ok(Operation::Asset(word.to_owned()))));
        }
        [] => route_of_query(word, query)?,
        [player] => route_of_player(word, player, query),
        [hash, view] if word == "texture" => {
            let picture = view_and_model(view, query);
            let operation = picture.and_then(|picture| of_texture(hash, picture, query));
            let route = Route::new("v1-texture-picture", Output::Texture, operation);
            Some(route.with_parameters(&["default"]))
        }
        _ => None,
    };
    let route = found.ok_or_else(|| no_view(path))?;
    let operation = match route.operation {
        Err(rejection) if rejection.status == StatusCode::NOT_FOUND => Err(rejection),
        // An unknown parameter may be a misspelled one whose absence is an error too.
        operation => query
            .reject_unknown(route.output, route.own_parameters)
            .and(operation),
    };
    Ok((route.name, operation))
}

/// Reads the routes of one word, whose players are in the query.
fn route_of_query(word: &str, query: &Query<'_>) -> Parsed<Option<Route>> {
    Ok(Some(match word {
        "profiles" => {
            let operation = players(query).map(Operation::Profiles);
            Route::new("v1-profiles", Output::Profiles, operation)
        }
        "group" | "group.json" => Route::new("v1-group", Output::Group, group(word, query)),
        "sheet" | "sheet.json" => Route::new("v1-sheet", Output::Sheet, sheet(word, query)),
        "skin" => {
            let operation = picture_of_query(PictureParams::OWN_SKIN, query);
            Route::new("v1-skin-of-query", Output::Skin, operation).with_parameters(&NAMES)
        }
        view if let Some((view, format, output)) = view_of_file(view) => {
            let params = match output {
                Output::Moving => moving_params(view, format, query),
                _ => still_params(view, format, query),
            };
            let operation = params.and_then(|params| picture_of_query(params, query));
            if operation == Err(Rejection::NOT_FOUND) {
                // Nobody is named.
                return Ok(None);
            }
            Route::new("v1-picture-of-query", output, operation).with_parameters(&NAMES)
        }
        file if file.starts_with("group.") || file.starts_with("sheet.") => {
            return Err(Rejection::bad_request(BAD_ARRANGEMENT_FORMAT));
        }
        _ => return Ok(None),
    }))
}

/// Reads the routes of a word and a player or a texture.
fn route_of_player(word: &str, player: &str, query: &Query<'_>) -> Option<Route> {
    Some(match word {
        "profile" => Route::new("v1-profile", None, profile(player)),
        "refresh" => Route::new("v1-refresh", None, refresh(player)),
        "skin" => Route::new("v1-skin", Output::Skin, skin(player, query)),
        "cape" => Route::new("v1-cape", Output::Cape, cape(player, query)),
        "texture" => {
            let operation = file(player).and_then(|hash| of_texture(hash, TEXTURE_FILE, query));
            Route::new("v1-texture", None, operation).with_parameters(&["default"])
        }
        "preview" => {
            let operation = view_and_model(player, query)
                .map(|(params, model)| Operation::Preview { params, model });
            Route::new("v1-preview", Output::Texture, operation)
        }
        view => {
            let view = find_view(view)?;
            match moving(player) {
                Some(moving) => {
                    let operation = moving_picture(view, moving, query);
                    Route::new("v1-picture", Output::Moving, operation)
                }
                None => {
                    let operation = picture_of(view, player, query);
                    Route::new("v1-picture", Output::Picture, operation)
                }
            }
        }
    })
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

fn profile(player: &str) -> Parsed<Operation> {
    let spec = FileSpec::Profile(trimmed(player)?.to_owned());
    Ok(Operation::file(spec))
}

/// Reads the path of a check, to which a file name may belong as to others.
fn refresh(player: &str) -> Parsed<Operation> {
    Ok(Operation::Refresh(trimmed(player)?.to_owned()))
}

fn cape(player: &str, query: &Query<'_>) -> Parsed<Operation> {
    let size = size(query)?.map(CapeSize::Width);
    let spec = FileSpec::Cape(trimmed(png(player)?)?.to_owned(), size);
    Ok(Operation::file(spec))
}

fn skin(player: &str, query: &Query<'_>) -> Parsed<Operation> {
    picture_or_default(PictureParams::OWN_SKIN, png(player)?, query)
}

fn picture_of(view: View, player: &str, query: &Query<'_>) -> Parsed<Operation> {
    let (player, format) = split_format(file(player)?);
    picture_or_default(still_params(view, format, query)?, player, query)
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
    Ok(PictureParams::extension(spec, format))
}

/// Returns the view that a segment without a player names, with the format that its extension
/// selects. Only moving pictures have the output of these.
fn view_of_file(segment: &str) -> Option<(View, ImageFormat, Output)> {
    if let Some((word, format)) = moving(segment) {
        return Some((find_view(word)?, format, Output::Moving));
    }
    let (word, format) = split_format(segment);
    Some((find_view(word)?, format, Output::Picture))
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

fn moving_picture(
    view: View,
    (player, format): (&str, ImageFormat),
    query: &Query<'_>,
) -> Parsed<Operation> {
    let params = moving_params(view, format, query)?;
    Ok(Operation::picture(params, player, substitute(query)?))
}

fn moving_params(view: View, format: ImageFormat, query: &Query<'_>) -> Parsed<PictureParams> {
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
    Ok(match picture.motion(moves, turns) {
        Some(motion) => PictureParams::moving(picture.spec, motion, format),
        None => PictureParams::extension(picture.spec, format),
    })
}

/// Reads a view, which an extension may follow, and the query.
fn view_and_model(view: &str, query: &Query<'_>) -> Parsed<(PictureParams, Option<Model>)> {
    if moving(view).is_some() {
        return Err(Rejection::bad_request(STILL));
    }
    let (view, format) = split_format(file(view)?);
    let view = find_view(view).ok_or_else(|| no_view(&[]))?;
    let mut spec = picture(view, query)?.spec;
    let model = spec.model.take();
    Ok((PictureParams::extension(spec, format), model))
}

/// Returns the picture of a texture, or of the default if the hash was not filled in.
fn of_texture(
    hash: &str,
    (params, model): (PictureParams, Option<Model>),
    query: &Query<'_>,
) -> Parsed<Operation> {
    let hash = hash.trim();
    let substitute = substitute(query)?;
    if let Some(parsed) = TextureHash::parse(hash) {
        let mut request = params.of_texture(parsed, model);
        request.substitute = substitute;
        return Ok(Operation::File(request));
    }
    if is_unfilled_id(hash) && substitute.is_some() {
        // It names nobody, so the default is shown.
        return Ok(Operation::picture(params, "", substitute));
    }
    if hash.is_empty() {
        return Err(Rejection::NOT_FOUND);
    }
    Err(Rejection::bad_request(BAD_HASH))
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
/// alone is the gamertag of a Bedrock player. The segment may be empty.
fn file(segment: &str) -> Parsed<&str> {
    let text = segment.trim();
    let has = |extension| without_extension(text, extension).is_some_and(|stem| !stem.is_empty());
    if OTHER_EXTENSIONS.into_iter().any(has) {
        return Err(Rejection::bad_request(BAD_FORMAT));
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
