//! The targets of requests.

use std::borrow::Cow;

use effigy_player::{Edition, Model};
use effigy_service::{PictureParams, PictureRequest};

/// The thing that a request asks for.
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
