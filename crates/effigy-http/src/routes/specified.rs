//! The routes of the specification, and the previews of its pictures.

use effigy_parameters::value;
use effigy_player::Edition;
use effigy_render::{Facing, Layers, PictureSpec, Size, View};
use effigy_service::{Endpoint, PictureParams};

use super::{
    query::Query,
    rejection::{INTERNAL, Parsed, Rejection},
    request::{Operation, ParsedRequest, Surface},
};

/// The message for a missing or unknown direction. Spec, "Errors".
pub(super) const DIRECTION_ERROR: &str = "Direction must be \"left\" or \"right\"";

/// Finds the route of a report, or of the list of presets.
pub(super) fn report(path: &[&str]) -> Option<ParsedRequest> {
    // The messages of failures: spec, "Errors".
    let (name, failure, operation) = match path {
        ["allstats"] => (
            "allstats",
            "Failed to get stats",
            Operation::Count(Edition::Java),
        ),
        ["allstatsbedrock"] => (
            "allstatsbedrock",
            "Failed to get bedrock stats",
            Operation::Count(Edition::Bedrock),
        ),
        ["allstatssorted"] => (
            "allstatsSorted",
            "Failed to get sorted stats",
            Operation::Counts,
        ),
        ["health"] => ("health", "Health check failed", Operation::Health),
        ["minecraft", word] if word.eq_ignore_ascii_case("mhf") => return Some(presets()),
        _ => return None,
    };
    Some(ParsedRequest::get(
        name,
        Surface::Specified(failure),
        Ok(operation),
    ))
}

fn presets() -> ParsedRequest {
    let file = Operation::Asset("presets.json".to_owned());
    ParsedRequest::get("presets", Surface::Unprefixed, Ok(file))
}

/// Finds the endpoint of a word in lower case.
pub(super) fn endpoint(word: &str) -> Option<Endpoint> {
    word.parse().ok()
}

/// Reads `/{endpoint}/{player}` and the parameters after it.
pub(super) fn picture(endpoint: Endpoint, player: &str, parameters: &[&str]) -> ParsedRequest {
    let params = match endpoint {
        _ if player.is_empty() => Err(Rejection::NOT_FOUND),
        Endpoint::Skin if parameters.is_empty() => Ok(PictureParams::SKIN),
        Endpoint::Download if parameters.is_empty() => Ok(PictureParams::DOWNLOAD),
        _ => picture_params(endpoint, parameters),
    };
    ParsedRequest::get(
        endpoint.as_str(),
        Surface::Specified(error_message(endpoint)),
        params.map(|params| Operation::file(params.of_player(player))),
    )
}

/// Reads `/preview/{view}` and the parameters after it.
pub(super) fn preview(view: &str, parameters: &[&str], query: Option<&str>) -> ParsedRequest {
    let operation = preview_operation(view, parameters, query);
    ParsedRequest::post("preview", Surface::Own, operation)
}

fn preview_operation(view: &str, parameters: &[&str], query: Option<&str>) -> Parsed<Operation> {
    let endpoint = endpoint(&view.to_ascii_lowercase()).ok_or(Rejection::NOT_FOUND)?;
    let params = picture_params(endpoint, parameters)?;
    let model = Query::parse(query)?.read("model", value::word)?;
    Ok(Operation::Preview { params, model })
}

/// Reads the parameters of a picture: a size and `hat` for the flat views, a direction and a size
/// for the others.
fn picture_params(endpoint: Endpoint, parameters: &[&str]) -> Parsed<PictureParams> {
    let default_spec = default_spec(endpoint).ok_or(Rejection::NOT_FOUND)?;
    if parameters.len() > 2 {
        return Err(Rejection::NOT_FOUND);
    }
    let first = parameters.first().copied();
    let second = parameters.get(1).copied();
    if default_spec.view.is_flat() {
        let spec = default_spec.with_layers(layers(second));
        return Ok(PictureParams::specified(endpoint, spec, parse_size(first)));
    }
    let Some(facing) = parse_facing(first) else {
        return Err(Rejection::bad_request(DIRECTION_ERROR));
    };
    let spec = default_spec.with_facing(facing);
    Ok(PictureParams::specified(endpoint, spec, parse_size(second)))
}

/// Returns the picture of an endpoint in its default size, if it has a picture. Spec, "Limits".
fn default_spec(endpoint: Endpoint) -> Option<PictureSpec> {
    let (view, pixels) = match endpoint {
        Endpoint::Head => (View::Face, 128),
        Endpoint::Player => (View::Body, 128),
        Endpoint::Avatar => (View::IsometricBody, 128),
        Endpoint::Ioshead => (View::IsometricHead, 64),
        Endpoint::Iosbody => (View::IsometricBody, 64),
        Endpoint::Skin | Endpoint::Download | Endpoint::Profile | Endpoint::Cape => return None,
    };
    Some(PictureSpec::new(view, Size::px(pixels)))
}

/// Reads the option of a flat view.
fn layers(option: Option<&str>) -> Layers {
    match option {
        Some(word) if word.eq_ignore_ascii_case("hat") => Layers::WithOverlay,
        _ => Layers::Base,
    }
}

/// Parses a size in pixels: decimal digits and nothing else. Returns `None`, which means the
/// default, for anything else and for zero. A number that is too large for any picture becomes the
/// largest number, so that it fails later as other pictures do that can't exist.
pub(super) fn parse_size(text: Option<&str>) -> Option<u32> {
    let digits = text?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match digits.parse() {
        Ok(0) => None,
        Ok(pixels) => Some(pixels),
        Err(_) => Some(u32::MAX),
    }
}

/// Parses a direction: `left` or `right` in any letter case.
pub(super) fn parse_facing(direction: Option<&str>) -> Option<Facing> {
    match &*direction?.to_ascii_lowercase() {
        "left" => Some(Facing::Left),
        "right" => Some(Facing::Right),
        _ => None,
    }
}

/// Returns the message of an endpoint's failures, whatever the reason. Spec, "Errors".
const fn error_message(endpoint: Endpoint) -> &'static str {
    match endpoint {
        Endpoint::Head => "Failed to render head",
        Endpoint::Player => "Failed to render player",
        Endpoint::Avatar => "Failed to render avatar",
        Endpoint::Ioshead => "Failed to render iOS head",
        Endpoint::Iosbody => "Failed to render iOS body",
        Endpoint::Skin => "Failed to get skin",
        Endpoint::Download => "Failed to download skin",
        // No specified path has these.
        Endpoint::Profile | Endpoint::Cape => INTERNAL,
    }
}
