//! Parsed requests.

use super::{
    route::Route,
    table::ROUTES,
    target::{Rejection, Target},
    url,
    url::Query,
    v1::format::rejection_of_unrouted,
};

/// A request whose path and query have been parsed. The cache key, the name in the metrics, the error
/// message and the handler follow from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    /// The row of the table, if the path is one of its.
    pub(crate) route: Option<&'static Route>,
    /// The name of the request in the metrics.
    pub(crate) name: &'static str,
    /// The target, or why the request is rejected.
    pub(crate) target: Result<Target, Rejection>,
}

impl Request {
    /// Parses the path and query of a URL.
    pub(crate) fn parse(path: &str, query: Option<&str>) -> Self {
        let rejected = |rejection| Self {
            route: None,
            name: name_of_unrouted(path),
            target: Err(rejection),
        };
        // The request line may contain a host or `*` instead of a path.
        if !path.starts_with('/') {
            return rejected(Rejection::NOT_FOUND);
        }
        let Ok(segments) = url::segments(path) else {
            return rejected(Rejection::from("Malformed URL"));
        };
        for route in ROUTES.iter() {
            let Some(captures) = route.pattern.captures(&segments, Query::new(query)) else {
                continue;
            };
            let target = route.parse(&captures);
            if target != Err(Rejection::NOT_FOUND) {
                return Self {
                    route: Some(route),
                    name: route.name,
                    target,
                };
            }
        }
        rejected(rejection_of_unrouted(&segments))
    }
}

/// Returns the name of a path that no route matches: that of the routes with the same first word.
/// Other paths share one name, because there are endless many.
fn name_of_unrouted(path: &str) -> &'static str {
    let word = path.split('/').nth(1).unwrap_or(path);
    let known = ROUTES
        .iter()
        .find(|route| route.pattern.first_word().eq_ignore_ascii_case(word));
    known.map_or("other", |route| route.name)
}
