//! Parsed requests, and the operations that they ask for.

use std::borrow::Cow;

use effigy_player::{Edition, Model};
use effigy_service::{GroupRequest, PictureParams, PictureRequest};
use hyper::{Method, StatusCode};

/// The message of [`Rejection::NOT_FOUND`].
pub(crate) const NOT_FOUND: &str = "Not found";

pub(crate) const TOO_LARGE: &str = "The picture would be too large";

/// The messages of failures that name no reason.
pub(crate) const INTERNAL: &str = "Internal server error";
pub(crate) const NO_PLAYER: &str = "No such player";

/// The players with the game's own default skins.
pub(super) const STEVE: &str = "MHF_Steve";
pub(super) const ALEX: &str = "MHF_Alex";

/// The thing that a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Operation {
    /// A picture or an unmodified skin.
    Picture(PictureRequest),
    /// A picture of several players, or their places. In a box, it does not make every operation longer.
    Group(Box<GroupRequest>),
    /// A picture of the skin file in the request's body.
    Preview {
        params: PictureParams,
        model: Model,
    },
    /// The profile of the player that this input names.
    Profile(String),
    /// The profiles of the players that these inputs name.
    Profiles(Vec<String>),
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
    Reference(DocPage),
    OpenApi,
}

/// A page of the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocPage {
    /// The service's own routes.
    Main,
    /// The URLs of other services.
    Families,
}

impl From<PictureRequest> for Operation {
    fn from(request: PictureRequest) -> Self {
        Self::Picture(request)
    }
}

/// The reason why a request is rejected: the status and the message of the response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rejection {
    pub(crate) status: StatusCode,
    pub(crate) message: Cow<'static, str>,
}

impl Rejection {
    /// No route has the path.
    pub(crate) const NOT_FOUND: Self = Self::new(StatusCode::NOT_FOUND, NOT_FOUND);

    pub(crate) const fn new(status: StatusCode, message: &'static str) -> Self {
        let message = Cow::Borrowed(message);
        Self { status, message }
    }
}

/// A parser's result. [`Rejection::NOT_FOUND`] means that no route has the path.
pub(super) type Parsed = Result<Operation, Rejection>;

/// A reason is that of a bad request.
impl<T: Into<Cow<'static, str>>> From<T> for Rejection {
    fn from(reason: T) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            message: reason.into(),
        }
    }
}

/// A request whose path and query have been parsed. The cache key and the handler follow from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParsedRequest {
    /// The name of the route in the metrics.
    pub(crate) name: &'static str,
    /// GET, which also answers HEAD, or POST with a skin file in the body.
    pub(crate) method: Method,
    /// The form of failures.
    pub(crate) errors: Errors,
    /// The operation, or why the request is rejected.
    pub(crate) operation: Parsed,
}

/// The form in which a route reports failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Errors {
    /// With status 500 and this message, whatever the reason. Spec, "Errors".
    Specified(&'static str),
    /// With a status and a message that depend on the reason. This is the message for "not found".
    ByReason(&'static str),
    /// With a status that depends on the reason, and this message.
    ByStatus(&'static str),
}

impl Errors {
    /// Those of a route on which nothing can be missing.
    pub(super) const GENERAL: Self = Self::ByReason(NOT_FOUND);
}

impl ParsedRequest {
    /// A request that no route has. All share one name, because there are endless many.
    pub(super) fn rejected(rejection: Rejection) -> Self {
        Self::get("other", Errors::GENERAL, Err(rejection))
    }

    pub(super) fn get(name: &'static str, errors: Errors, operation: Parsed) -> Self {
        Self {
            name,
            method: Method::GET,
            errors,
            operation,
        }
    }

    pub(super) fn post(name: &'static str, operation: Parsed) -> Self {
        Self {
            method: Method::POST,
            ..Self::get(name, Errors::GENERAL, operation)
        }
    }
}
