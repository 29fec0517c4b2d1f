//! A route: one row of the table.

use effigy_service::Endpoint;

use super::{
    docs::{Parameter, Reply},
    pattern::{Captures, parameter_name},
    target::Parsed,
};

/// A route: what its paths look like, how they are parsed, and how it is documented.
#[derive(Debug)]
pub(crate) struct Route {
    /// The paths; see [`Pattern`](super::pattern::Pattern) for the notation. A path belongs to the
    /// first row that accepts it.
    pub(crate) pattern: &'static str,
    /// The name in the metrics. Routes with the same first word share it.
    pub(crate) name: &'static str,
    pub(crate) method: RouteMethod,
    /// Reads the parameters.
    pub(super) parse: fn(&Captures<'_>) -> Parsed,
    /// The form of failures.
    pub(crate) errors: Errors,
    /// The heading in the documentation. Routes without one are not documented.
    pub(crate) tag: &'static str,
    /// The purpose, in a few words.
    pub(crate) summary: &'static str,
    pub(crate) description: &'static str,
    /// The parameters in the path, and the others in the query.
    pub(crate) parameters: &'static [Parameter],
    /// The responses beyond the failures in `errors`.
    pub(crate) replies: &'static [Reply],
}

/// The method of a route. Routes with GET also answer HEAD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RouteMethod {
    Get,
    /// With a skin file in the body.
    Post,
}

/// How a route reports failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Errors {
    /// With status 500 and the message of the endpoint, whatever the reason. Spec, "Errors".
    Specified(Endpoint),
    /// With a status and a message that depend on the reason. This is the message for "not found".
    ByReason { not_found: &'static str },
    /// With a status that depends on the reason, and the message of the picture's endpoint.
    ByStatus,
    /// It does not fail.
    None,
}

/// Two rows are the same if they have the same pattern.
impl PartialEq for Route {
    fn eq(&self, other: &Self) -> bool {
        self.pattern == other.pattern
    }
}

impl Eq for Route {}

impl Route {
    /// The paths as OpenAPI writes them, without and with each optional parameter.
    pub(crate) fn paths(&self) -> Vec<String> {
        let mut path = String::new();
        let mut paths = Vec::new();
        for segment in self.pattern.trim_start_matches('/').split('/') {
            if segment.ends_with("?}") {
                paths.push(path.clone());
            }
            path.push('/');
            match segment.starts_with('{') {
                true => path.extend(["{", parameter_name(segment), "}"]),
                false => path.push_str(segment),
            }
        }
        paths.push(path);
        paths
    }

    /// Tells whether a parameter is in the path. The others are in the query.
    pub(crate) fn has_in_path(&self, parameter: &Parameter) -> bool {
        let mut segments = self.pattern.split('/');
        segments
            .any(|segment| segment.starts_with('{') && parameter_name(segment) == parameter.name)
    }
}
