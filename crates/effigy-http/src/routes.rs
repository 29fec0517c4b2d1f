//! Routing: from the path and query of a URL to a typed [`ParsedRequest`].
//!
//! This file finds the route of a path. `specified` has the routes of the specification, `v1` our
//! own and `families` those of other services. `assets/openapi.json` documents them, and tests
//! check that both agree.

mod families;
mod path;
#[cfg(test)]
mod properties;
mod query;
mod rejection;
mod request;
mod specified;
#[cfg(test)]
pub(crate) mod tests;
mod unknown_parameter;
mod v1;
mod version;

use effigy_parameters::Family;

pub(crate) use path::escaped;
pub(crate) use query::Query;
pub(crate) use rejection::{INTERNAL, NOT_FOUND, Rejection, TOO_LARGE, capitalized};
#[cfg(test)]
pub(crate) use request::Methods;
pub(crate) use request::{Operation, ParsedRequest, ProfileForm, STEVE, Surface};
pub(crate) use v1::render_params::{LIMITS, VIEWS, parse_default};
pub(crate) use version::version;

use self::{
    path::{Url, is_beyond_specification, segments, without_png},
    rejection::Parsed,
};

/// The name of the route in the metrics for requests without one. All unknown paths share it,
/// because they would fill the metrics otherwise.
pub(crate) const UNROUTED: &str = "other";

impl ParsedRequest {
    /// Parses the path and query of a URL.
    pub(crate) fn parse(path: &str, query: Option<&str>) -> Self {
        match parse_routed(Url { path, query }) {
            Ok(request) => request,
            Err(rejection) => Self::unrouted(path, rejection),
        }
    }

    /// Parses the path and query of a URL at a host that has the URLs of a family at its root.
    pub(crate) fn parse_of_host(family: Family, path: &str, query: Option<&str>) -> Self {
        let mut request = Self::parse(&format!("/{family}{path}"), query);
        request.surface = Surface::Family(family);
        if let Err(rejection) = &mut request.operation
            && *rejection == Rejection::NOT_FOUND
        {
            let example = families::example(family);
            let message =
                format!("Not found. This host has the URLs of {family}, for example {example}");
            rejection.message = message.into();
        }
        request
    }

    /// The request of a client that the operator denies, whatever its URL is.
    pub(crate) const fn denied() -> Self {
        Self::get("denied", Surface::Own, Err(Rejection::DENIED))
    }

    /// A request without a route.
    fn unrouted(path: &str, rejection: Rejection) -> Self {
        let surface = if is_beyond_specification(path) {
            Surface::Own
        } else {
            Surface::Unprefixed
        };
        Self::get(UNROUTED, surface, Err(rejection))
    }
}

/// Parses a URL that has a route.
///
/// # Errors
/// If no route has the path, or the path can't be decoded.
fn parse_routed(url: Url<'_>) -> Parsed<ParsedRequest> {
    let segments = segments(url.path)?;
    let request = route(&without_png(&segments), url)?;
    match request.operation {
        // The parameters in the path turned out to be too many, or to name no view, so the URL is
        // answered and counted as an unknown path (`unrouted`).
        Err(rejection) if rejection.is_not_found() => Err(rejection),
        _ => Ok(request),
    }
}

/// Finds the route of a path, whose first segment is in lower case.
fn route(path: &[&str], url: Url<'_>) -> Parsed<ParsedRequest> {
    if let Some(request) = page(path) {
        return Ok(request);
    }
    if let Some(request) = specified::report(path) {
        return Ok(request);
    }
    match path {
        ["preview", view, parameters @ ..] => Ok(specified::preview(view, parameters, url.query)),
        ["v1", rest @ ..] => v1::route(rest, url.query),
        [word, rest @ ..] if let Some(family) = Family::find(word) => {
            Ok(families::route(family, rest, url))
        }
        [word, player, parameters @ ..] if let Some(endpoint) = specified::endpoint(word) => {
            Ok(specified::picture(endpoint, player, parameters))
        }
        _ => Err(v1::did_you_mean(path).unwrap_or(Rejection::NOT_FOUND)),
    }
}

/// Finds the page, the file, or the report about this process at a path.
fn page(path: &[&str]) -> Option<ParsedRequest> {
    let (name, operation) = match path {
        [""] => ("index", Operation::LandingPage),
        ["docs"] => ("docs", Operation::Reference),
        ["docs", word] if word.eq_ignore_ascii_case("families") => ("docs", Operation::Families),
        ["openapi.json"] => ("openapi", Operation::OpenApi),
        ["assets", name] => ("assets", Operation::Asset((*name).to_owned())),
        ["favicon.ico"] => ("assets", Operation::Asset("favicon.png".to_owned())),
        ["robots.txt"] => ("assets", Operation::Asset("robots.txt".to_owned())),
        ["metrics"] => ("metrics", Operation::Metrics),
        ["livez"] => ("livez", Operation::Live),
        ["readyz"] => ("readyz", Operation::Ready),
        _ => return None,
    };
    Some(ParsedRequest::get(name, Surface::Own, Ok(operation)))
}
