//! The router: from the path and query of a URL to a request.

use effigy_player::Edition;
use effigy_service::Endpoint;

use super::{
    families::{crafatar, mc_heads, minotar},
    request::{DocPage, Errors, Operation, ParsedRequest, Rejection},
    specified,
    url::segments,
    v1,
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
    let page = |name, operation| ParsedRequest::get(name, Errors::None, Ok(operation));
    let asset = |name: &str| page("assets", Operation::Asset(name.to_owned()));
    let stats = |endpoint, operation| ParsedRequest::specified(endpoint, Ok(operation));
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
        ["minecraft", word] if is(word, "mhf") => page("presets", Operation::Presets),
        ["allstats"] => stats(Endpoint::AllStats, Operation::Count(Edition::Java)),
        ["allstatsbedrock"] => stats(
            Endpoint::AllStatsBedrock,
            Operation::Count(Edition::Bedrock),
        ),
        ["allstatssorted"] => stats(Endpoint::AllStatsSorted, Operation::Counts),
        ["health"] => stats(Endpoint::Health, Operation::Health),
        ["preview", view, rest @ ..] => specified::preview(view, rest, query)?,
        ["v1", rest @ ..] => v1::route(rest, query)?,
        ["crafatar", rest @ ..] => crafatar::route(rest, query)?,
        ["minotar", rest @ ..] => minotar::route(rest)?,
        ["mc-heads", rest @ ..] => mc_heads::route(rest)?,
        [word, player, rest @ ..] => specified::picture(word, player, rest)?,
        _ => return Err(Rejection::NOT_FOUND),
    })
}
