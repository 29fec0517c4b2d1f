//! Parsed requests.

use effigy_service::Endpoint;

use super::operation::{Parsed, Rejection};

/// A request whose path and query have been parsed. The cache key, the name in the metrics, the error
/// message and the handler follow from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParsedRequest {
    /// The name of the route in the metrics.
    pub(crate) name: &'static str,
    pub(crate) method: RouteMethod,
    /// The form of failures.
    pub(crate) errors: Errors,
    /// The operation, or why the request is rejected.
    pub(crate) operation: Parsed,
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

impl ParsedRequest {
    /// A request that no route has. All share one name, because there are endless many.
    pub(super) fn rejected(rejection: Rejection) -> Self {
        Self::get("other", Errors::None, Err(rejection))
    }

    pub(super) fn get(name: &'static str, errors: Errors, operation: Parsed) -> Self {
        Self {
            name,
            method: RouteMethod::Get,
            errors,
            operation,
        }
    }

    pub(super) fn post(name: &'static str, operation: Parsed) -> Self {
        Self {
            method: RouteMethod::Post,
            ..Self::get(name, Errors::None, operation)
        }
    }

    /// A request of the specification.
    pub(super) fn specified(endpoint: Endpoint, operation: Parsed) -> Self {
        Self::get(endpoint.as_str(), Errors::Specified(endpoint), operation)
    }
}
