//! The targets of requests.

use std::borrow::Cow;

use effigy_player::{Edition, Model};
use effigy_service::{ArrangementRequest, Endpoint, PictureParams, PictureRequest};
use hyper::StatusCode;

use super::request::INTERNAL;

/// The message of [`Rejection::NOT_FOUND`].
pub(crate) const NOT_FOUND: &str = "Not found";

/// The thing that a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// A picture or an unmodified skin.
    Picture {
        request: PictureRequest,
        substitute: Option<Substitute>,
    },
    /// A picture of several players, or their places. In a box, it does not make every target longer.
    Arrangement(Box<ArrangementRequest>),
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

/// The player who is shown instead of a requested one who does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Substitute {
    pub(crate) player: Cow<'static, str>,
    /// `true` if it is shown during an outage too.
    pub(crate) in_outage: bool,
}

impl Target {
    /// The message of failures that state their reason only by the status.
    pub(crate) fn error_message(&self) -> &'static str {
        match self {
            Self::Picture { request, .. } => request.endpoint().error_message(),
            Self::Cape(_) => Endpoint::Cape.error_message(),
            _ => INTERNAL,
        }
    }

    /// Returns the same target, for which a player who was looked up a moment ago may be reused.
    pub(crate) fn reusing_player(self) -> Self {
        match self {
            Self::Picture {
                request,
                substitute,
            } => Self::Picture {
                request: request.reusing_player(),
                substitute,
            },
            target => target,
        }
    }
}

/// A substitute that is not shown during an outage.
impl<T: Into<Cow<'static, str>>> From<T> for Substitute {
    fn from(player: T) -> Self {
        Self {
            player: player.into(),
            in_outage: false,
        }
    }
}

impl From<ArrangementRequest> for Target {
    fn from(request: ArrangementRequest) -> Self {
        Self::Arrangement(Box::new(request))
    }
}

/// A picture of the requested player only.
impl From<PictureRequest> for Target {
    fn from(request: PictureRequest) -> Self {
        Self::Picture {
            request,
            substitute: None,
        }
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
pub(super) type Parsed = Result<Target, Rejection>;

/// A reason is that of a bad request.
impl<T: Into<Cow<'static, str>>> From<T> for Rejection {
    fn from(reason: T) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            message: reason.into(),
        }
    }
}
