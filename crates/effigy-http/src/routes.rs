//! Routing: from the path and query of a URL to a typed [`ParsedRequest`].
//!
//! This file has the paths without a prefix, of which `specified` reads the parameters; `v1` and `families` have the
//! others. `assets/openapi.json` documents them, and tests check that both agree.

mod families;
mod query;
mod request;
mod specified;
#[cfg(test)]
mod tests;
mod v1;

use effigy_player::Edition;
use effigy_service::{Endpoint, PictureParams};

pub(crate) use query::Query;
pub(crate) use request::{
    DocPage, Errors, INTERNAL, NO_PLAYER, NOT_FOUND, Operation, ParsedRequest, Rejection,
    TOO_LARGE, escaped,
};
pub(crate) use v1::render_params::{
    PICTURE_PARAMETERS, VIEWS, applies_to, find_view, picture_spec,
};

use self::{
    families::{crafatar, mc_heads, minotar},
    request::segments,
    specified::{specified, view},
};

impl ParsedRequest {
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
}

/// Returns the request for a path, whose first segment is in lower case.
fn route(path: &[&str], query: Option<&str>) -> Result<ParsedRequest, Rejection> {
    let page = |name, operation| ParsedRequest::get(name, Errors::GENERAL, Ok(operation));
    let asset = |name: &str| page("assets", Operation::Asset(name.to_owned()));
    // Spec, "Errors".
    let report = |name, message, operation| {
        ParsedRequest::get(name, Errors::Specified(message), Ok(operation))
    };
    let is = |segment: &str, word| segment.eq_ignore_ascii_case(word);
    Ok(match path {
        [""] => page("index", Operation::LandingPage),
        ["docs"] => page("docs", Operation::Reference(DocPage::Main)),
        ["docs", word] if is(word, "families") => {
            page("docs", Operation::Reference(DocPage::Families))
        }
        ["openapi.json"] => page("openapi", Operation::OpenApi),
        ["assets", name] => asset(name),
        ["favicon.ico"] => asset("favicon.png"),
        ["robots.txt"] => asset("robots.txt"),
        ["metrics"] => page("metrics", Operation::Metrics),
        ["minecraft", word] if is(word, "mhf") => {
            page("presets", Operation::Asset("presets.json".to_owned()))
        }
        ["allstats"] => {
            let count = Operation::Count(Edition::Java);
            report("allstats", "Failed to get stats", count)
        }
        ["allstatsbedrock"] => {
            let count = Operation::Count(Edition::Bedrock);
            report("allstatsbedrock", "Failed to get bedrock stats", count)
        }
        ["allstatssorted"] => {
            let counts = Operation::Counts;
            report("allstatsSorted", "Failed to get sorted stats", counts)
        }
        ["health"] => report("health", "Health check failed", Operation::Health),
        ["preview", view, rest @ ..] => preview(view, rest, query)?,
        ["v1", rest @ ..] => v1::route(rest, query)?,
        ["crafatar", rest @ ..] => crafatar::route(rest, query)?,
        ["minotar", rest @ ..] => minotar::route(rest)?,
        ["mc-heads", rest @ ..] => mc_heads::route(rest)?,
        [word, player, rest @ ..] => picture(word, player, rest)?,
        _ => return Err(Rejection::NOT_FOUND),
    })
}

/// Returns the request for `/{word}/{player}` and what follows.
fn picture(word: &str, player: &str, rest: &[&str]) -> Result<ParsedRequest, Rejection> {
    let (endpoint, params) = match (word, rest) {
        ("skin", []) => (Endpoint::Skin, Ok(PictureParams::SKIN)),
        ("download", []) => (Endpoint::Download, Ok(PictureParams::DOWNLOAD)),
        _ => view(word, rest)?,
    };
    if player.is_empty() {
        return Err(Rejection::NOT_FOUND);
    }
    let operation = params.map(|params| Operation::File(params.of_player(player)));
    Ok(specified(endpoint, operation))
}

/// Returns the request for `/preview/{word}` and what follows.
fn preview(word: &str, rest: &[&str], query: Option<&str>) -> Result<ParsedRequest, Rejection> {
    let (_, params) = view(&word.to_ascii_lowercase(), rest)?;
    let operation = params.and_then(|params| {
        let model = Query::parse(query)?.word("model")?.unwrap_or_default();
        Ok(Operation::Preview { params, model })
    });
    Ok(ParsedRequest::post("preview", operation))
}
