//! Parsed requests, and the router.

use effigy_player::Edition;
use effigy_service::Endpoint;

use super::{
    families::{crafatar, mc_heads, minotar},
    specified,
    target::{DocPage, Parsed, Rejection, Target},
    url::segments,
    v1,
};

/// The messages of failures that name no reason.
pub(crate) const INTERNAL: &str = "Internal server error";
pub(crate) const NO_PLAYER: &str = "No such player";

/// A request whose path and query have been parsed. The cache key, the name in the metrics, the error
/// message and the handler follow from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    /// The name of the route in the metrics.
    pub(crate) name: &'static str,
    pub(crate) method: RouteMethod,
    /// The form of failures.
    pub(crate) errors: Errors,
    /// The target, or why the request is rejected.
    pub(crate) target: Parsed,
}

/// The method of a route. Routes with GET also answer HEAD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RouteMethod {
    Get,
    /// With a skin file in the body.
    Post,
}

/// The form in which a route reports failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Errors {
    /// With status 500 and the message of the endpoint, whatever the reason. Spec, "Errors".
    Specified(Endpoint),
    /// With a status and a message that depend on the reason. This is the message for "not found".
    ByReason(&'static str),
    /// With a status that depends on the reason, and the message of the picture's endpoint.
    ByStatus,
    /// It does not fail.
    None,
}

impl Request {
    /// Parses the path and query of a URL.
    pub(crate) fn parse(path: &str, query: Option<&str>) -> Self {
        // The request line may contain a host or `*` instead of a path.
        if !path.starts_with('/') {
            return Self::rejected(Rejection::NOT_FOUND);
        }
        let found = segments(path).and_then(|segments| {
            let segments: Vec<&str> = segments.iter().map(AsRef::as_ref).collect();
            route(&segments, query)
        });
        found.unwrap_or_else(Self::rejected)
    }

    /// A request that no route has. All share one name, because there are endless many.
    fn rejected(rejection: Rejection) -> Self {
        Self::get("other", Errors::None, Err(rejection))
    }

    pub(super) fn get(name: &'static str, errors: Errors, target: Parsed) -> Self {
        Self {
            name,
            method: RouteMethod::Get,
            errors,
            target,
        }
    }

    pub(super) fn post(name: &'static str, target: Parsed) -> Self {
        Self {
            method: RouteMethod::Post,
            ..Self::get(name, Errors::None, target)
        }
    }

    /// A request of the specification.
    pub(super) fn specified(endpoint: Endpoint, target: Parsed) -> Self {
        Self::get(endpoint.as_str(), Errors::Specified(endpoint), target)
    }
}

/// Returns the request for a path, whose first segment is in lower case.
fn route(path: &[&str], query: Option<&str>) -> Result<Request, Rejection> {
    let page = |name, target| Request::get(name, Errors::None, Ok(target));
    let asset = |name: &str| page("assets", Target::Asset(name.to_owned()));
    let stats = |endpoint, target| Request::specified(endpoint, Ok(target));
    let is = |segment: &str, word| segment.eq_ignore_ascii_case(word);
    Ok(match path {
        [""] => page("index", Target::LandingPage),
        ["docs"] => page("docs", Target::Reference(DocPage::Main)),
        ["docs", word] if is(word, "families") => {
            page("docs", Target::Reference(DocPage::Families))
        }
        ["openapi.json"] => page("openapi", Target::OpenApi),
        ["assets", name] => asset(name),
        ["favicon.ico"] => asset("favicon.png"),
        ["robots.txt"] => asset("robots.txt"),
        ["metrics"] => page("metrics", Target::Metrics),
        ["minecraft", word] if is(word, "mhf") => page("presets", Target::Presets),
        ["allstats"] => stats(Endpoint::AllStats, Target::Count(Edition::Java)),
        ["allstatsbedrock"] => stats(Endpoint::AllStatsBedrock, Target::Count(Edition::Bedrock)),
        ["allstatssorted"] => stats(Endpoint::AllStatsSorted, Target::Counts),
        ["health"] => stats(Endpoint::Health, Target::Health),
        ["preview", view, rest @ ..] => specified::preview(view, rest, query)?,
        ["v1", rest @ ..] => v1::route(rest, query)?,
        ["crafatar", rest @ ..] => crafatar::route(rest, query)?,
        ["minotar", rest @ ..] => minotar::route(rest)?,
        ["mc-heads", rest @ ..] => mc_heads::route(rest)?,
        [word, player, rest @ ..] => specified::picture(word, player, rest)?,
        _ => return Err(Rejection::NOT_FOUND),
    })
}
