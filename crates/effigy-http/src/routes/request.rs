//! What a request asks for, as a typed value.

use std::{borrow::Cow, sync::LazyLock};

use effigy_player::{Edition, Model};
use effigy_service::{PictureParams, PictureRequest};

use super::{
    path,
    pattern::{Captures, Pattern},
    query::Query,
    route::Route,
    table::ROUTES,
};

/// A request whose path and query have been parsed. The cache key, the name in the metrics, the error
/// message and the handler follow from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    /// The row of the table, if the path is one of its.
    pub(crate) route: Option<&'static Route>,
    /// The name of the request in the metrics.
    pub(crate) name: &'static str,
    /// What the request asks for, or why it is rejected.
    pub(crate) target: Result<Target, Rejection>,
}

/// What a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// A picture or an unmodified skin.
    Picture {
        request: PictureRequest,
        /// The player that is shown if the requested one does not exist.
        substitute: Option<Cow<'static, str>>,
    },
    /// A picture of the skin file in the request's body.
    Preview {
        params: PictureParams,
        model: Model,
    },
    /// The profile of the player that this input names.
    Profile(String),
    /// The cape of the player that this input names.
    Cape(String),
    /// A permanent redirect to this path.
    Redirect(String),
    Count(Edition),
    Counts,
    Health,
    Presets,
    Metrics,
    LandingPage,
    /// A file of the pages.
    Asset(String),
    Reference,
    OpenApi,
}

/// Why a request is rejected before anything is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rejection {
    /// The path is none of a route.
    NotFound,
    /// The path or a parameter is invalid.
    BadRequest(&'static str),
    /// A parameter is invalid, in the way of services that answer 422.
    Unprocessable(&'static str),
}

/// A parser's result. [`Rejection::NotFound`] means that the path is not of this route.
pub(super) type Parsed = Result<Target, Rejection>;

/// A reason is that of a bad request.
impl From<&'static str> for Rejection {
    fn from(reason: &'static str) -> Self {
        Self::BadRequest(reason)
    }
}

/// Every route with its pattern.
static PATTERNS: LazyLock<Vec<(&Route, Pattern)>> = LazyLock::new(|| {
    let patterns = ROUTES
        .iter()
        .map(|route| (route, Pattern::new(route.pattern)));
    patterns.collect()
});

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
            return rejected(Rejection::NotFound);
        }
        let Ok(segments) = path::segments(path) else {
            return rejected(Rejection::BadRequest("Malformed URL"));
        };
        for (route, pattern) in PATTERNS.iter() {
            let Some(captures) = pattern.captures(&segments, Query::new(query)) else {
                continue;
            };
            let target = (route.parse)(&captures);
            if target != Err(Rejection::NotFound) {
                return Self {
                    route: Some(route),
                    name: route.name,
                    target,
                };
            }
        }
        rejected(Rejection::NotFound)
    }
}

/// Returns the name of a path that no route matches: that of the routes with the same first word.
/// Other paths share one name, because there are endless many.
fn name_of_unrouted(path: &str) -> &'static str {
    let first = |path: &'static str| path.split('/').nth(1);
    let word = path
        .strip_prefix('/')
        .and_then(|rest| rest.split('/').next());
    let word = word.unwrap_or(path);
    let known = ROUTES
        .iter()
        .find(|route| first(route.pattern).is_some_and(|known| known.eq_ignore_ascii_case(word)));
    known.map_or("other", |route| route.name)
}

impl Captures<'_> {
    /// The target of a picture of the player that the path names.
    pub(super) fn picture(&self, params: PictureParams) -> Parsed {
        Ok(Target::Picture {
            request: params.of_player(self.required("input")?),
            substitute: None,
        })
    }

    /// Returns a parameter that must not be empty.
    pub(super) fn required(&self, name: &str) -> Result<&str, Rejection> {
        let value = self.get(name).filter(|value| !value.is_empty());
        value.ok_or(Rejection::NotFound)
    }
}
