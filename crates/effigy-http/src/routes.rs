//! Routing: from the path and query of a URL to a typed [`ParsedRequest`].
//!
//! This file has the paths without a prefix, most of which are those of the specification; `v1` and
//! `families` have the others. `assets/openapi.json` documents them, and tests check that both
//! agree.

mod families;
mod path;
mod query;
mod rejection;
mod request;
#[cfg(test)]
pub(crate) mod tests;
mod v1;
mod version;

use effigy_parameters::{Family, value};
use effigy_player::Edition;
use effigy_render::{Facing, Layers, PictureSpec, Size, View};
use effigy_service::{Endpoint, PictureParams};
use hyper::StatusCode;

pub(crate) use path::escaped;
pub(crate) use query::Query;
pub(crate) use rejection::{INTERNAL, NOT_FOUND, Rejection, TOO_LARGE, capitalized};
pub(crate) use request::{Operation, ParsedRequest, ProfileForm, STEVE};
pub(crate) use v1::{
    MAX_MOVING_SIZE,
    render_params::{LIMITS, VIEWS},
};
pub(crate) use version::version;

use self::{
    path::{is_beyond_specification, segments, without_png},
    rejection::Parsed,
};

/// The message for a missing or unknown direction. Spec, "Errors".
const DIRECTION_ERROR: &str = "Direction must be \"left\" or \"right\"";

impl ParsedRequest {
    /// Parses the path and query of a URL.
    pub(crate) fn parse(path: &str, query: Option<&str>) -> Self {
        let segments = segments(path);
        let request = segments.and_then(|segments| route(&without_png(&segments), (path, query)));
        request.unwrap_or_else(|rejection| Self {
            // One for all, because there are endless many.
            name: "other",
            failure: None,
            has_plain_errors: !is_beyond_specification(path),
            family: None,
            operation: Err(rejection),
        })
    }

    /// A request of a client that the operator denies, whatever it asks for.
    pub(crate) const fn denied() -> Self {
        Self {
            name: "denied",
            failure: None,
            has_plain_errors: false,
            family: None,
            operation: Err(Rejection::DENIED),
        }
    }

    /// Parses the path and query of a URL at a host whose root is that of a family.
    pub(crate) fn parse_of_host(family: Family, path: &str, query: Option<&str>) -> Self {
        let mut request = Self::parse(&format!("/{family}{path}"), query);
        request.family = Some(family);
        request.has_plain_errors = false;
        if let Err(rejection) = &mut request.operation
            && *rejection == Rejection::NOT_FOUND
        {
            let example = families::example(family);
            let message = format!("Not found. This host has the URLs of {family}, as {example}");
            rejection.message = message.into();
        }
        request
    }

    /// Returns the methods of the route. A POST has a skin file in its body.
    pub(crate) fn methods(&self) -> &'static str {
        if let Ok(Operation::Form { .. }) = &self.operation {
            return "POST, OPTIONS";
        }
        match self.name {
            "preview" | "v1-preview" | "v1-refresh" => "POST, OPTIONS",
            _ => "GET, HEAD, OPTIONS",
        }
    }
}

/// Returns the request for a path, whose first segment is in lower case, of a URL with this path
/// and query.
fn route(path: &[&str], url: (&str, Option<&str>)) -> Parsed<ParsedRequest> {
    let (_, query) = url;
    use Operation::{
        Asset, Count, Counts, Families, Health, LandingPage, Live, Metrics, OpenApi, Ready,
        Reference,
    };
    let asset = |name: &str| Asset(name.to_owned());
    let page = |name, operation| (name, None, Ok(operation));
    // Spec, "Errors".
    let report = |name, message, operation| (name, Some(message), Ok(operation));
    let is = |segment: &str, word| segment.eq_ignore_ascii_case(word);
    let family = Family::find(path[0]);
    let (name, failure, operation) = match path {
        [""] => page("index", LandingPage),
        ["docs"] => page("docs", Reference),
        ["docs", word] if is(word, "families") => page("docs", Families),
        ["openapi.json"] => page("openapi", OpenApi),
        ["assets", name] => page("assets", asset(name)),
        ["favicon.ico"] => page("assets", asset("favicon.png")),
        ["robots.txt"] => page("assets", asset("robots.txt")),
        ["metrics"] => page("metrics", Metrics),
        ["livez"] => page("livez", Live),
        ["readyz"] => page("readyz", Ready),
        ["minecraft", word] if is(word, "mhf") => page("presets", asset("presets.json")),
        ["allstats"] => report("allstats", "Failed to get stats", Count(Edition::Java)),
        ["allstatsbedrock"] => {
            let count = Count(Edition::Bedrock);
            report("allstatsbedrock", "Failed to get bedrock stats", count)
        }
        ["allstatssorted"] => report("allstatsSorted", "Failed to get sorted stats", Counts),
        ["health"] => report("health", "Health check failed", Health),
        ["preview", view, rest @ ..] => ("preview", None, preview(view, rest, query)),
        ["v1", rest @ ..] => {
            let (name, operation) = v1::route(rest, query)?;
            (name, None, operation)
        }
        [_, rest @ ..] if let Some(family) = family => {
            (family.as_str(), None, families::parse(family, rest, url))
        }
        [word, player, rest @ ..] => {
            let endpoint = endpoint(word);
            let endpoint = endpoint.map_err(|other| v1::did_you_mean(path).unwrap_or(other))?;
            let message = Some(error_message(endpoint));
            (endpoint.as_str(), message, picture(endpoint, player, rest))
        }
        _ => return Err(Rejection::NOT_FOUND),
    };
    match operation {
        // The path turned out to have no route.
        Err(rejection) if rejection.status == StatusCode::NOT_FOUND => Err(rejection),
        operation => Ok(ParsedRequest {
            name,
            failure,
            // The list of presets has no failure.
            has_plain_errors: failure.is_some() || name == "presets",
            family,
            operation,
        }),
    }
}

/// Reads `/{endpoint}/{player}` and the segments after it.
fn picture(endpoint: Endpoint, player: &str, rest: &[&str]) -> Parsed<Operation> {
    let params = match (endpoint, rest) {
        _ if player.is_empty() => Err(Rejection::NOT_FOUND),
        (Endpoint::Skin, []) => Ok(PictureParams::SKIN),
        (Endpoint::Download, []) => Ok(PictureParams::DOWNLOAD),
        _ => picture_params(endpoint, rest),
    };
    Ok(Operation::file(params?.of_player(player)))
}

/// Reads `/preview/{word}` and the segments after it.
fn preview(word: &str, rest: &[&str], query: Option<&str>) -> Parsed<Operation> {
    let params = picture_params(endpoint(&word.to_ascii_lowercase())?, rest)?;
    let model = Query::parse(query)?.read("model", value::word)?;
    Ok(Operation::Preview { params, model })
}

/// Finds the endpoint with this word in lower case.
fn endpoint(word: &str) -> Parsed<Endpoint> {
    word.parse().map_err(|_| Rejection::NOT_FOUND)
}

/// Returns the view of an endpoint, and its size by default. Spec, "Limits".
const fn view_of(endpoint: Endpoint) -> Option<(View, u32)> {
    match endpoint {
        Endpoint::Head => Some((View::Face, 128)),
        Endpoint::Player => Some((View::Body, 128)),
        Endpoint::Avatar => Some((View::IsometricBody, 128)),
        Endpoint::Ioshead => Some((View::IsometricHead, 64)),
        Endpoint::Iosbody => Some((View::IsometricBody, 64)),
        _ => None,
    }
}

/// Reads the parameters of a picture: a size and `hat` for the flat views, a direction and a size
/// for the others.
fn picture_params(endpoint: Endpoint, parameters: &[&str]) -> Parsed<PictureParams> {
    let (view, default) = view_of(endpoint).ok_or(Rejection::NOT_FOUND)?;
    if parameters.len() > 2 {
        return Err(Rejection::NOT_FOUND);
    }
    let (first, second) = (parameters.first().copied(), parameters.get(1).copied());
    let spec = PictureSpec::new(view, Size::px(default));
    let (spec, size) = if view.is_flat() {
        let hat = second.filter(|option| option.eq_ignore_ascii_case("hat"));
        let layers = hat.map_or(Layers::Base, |_| Layers::WithOverlay);
        (spec.with_layers(layers), first)
    } else {
        let facing = parse_facing(first);
        let facing = facing.ok_or_else(|| Rejection::bad_request(DIRECTION_ERROR))?;
        (spec.with_facing(facing), second)
    };
    Ok(PictureParams::specified(endpoint, spec, parse_size(size)))
}

/// Parses a size in pixels: decimal digits and nothing else. Anything else, and zero, is none,
/// which means the default. Of one that does not fit into the number, no picture can exist, as of
/// the largest number.
fn parse_size(text: Option<&str>) -> Option<u32> {
    let digits = text?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let pixels = digits.parse().unwrap_or(u32::MAX);
    (pixels > 0).then_some(pixels)
}

/// Parses a direction: `left` or `right` in any letter case.
fn parse_facing(direction: Option<&str>) -> Option<Facing> {
    let facing = direction?.to_ascii_lowercase().parse().ok();
    facing.filter(|facing| matches!(facing, Facing::Left | Facing::Right))
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
