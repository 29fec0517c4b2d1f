//! Rejections: the reasons why a request has no operation.

use std::borrow::Cow;

use effigy_parameters::ParameterError;
use hyper::StatusCode;

/// The message of [`Rejection::NOT_FOUND`].
pub(crate) const NOT_FOUND: &str = "Not found";

pub(crate) const TOO_LARGE: &str = "The picture would be too large";

/// The message of a failure of our own, whose reason is only logged.
pub(crate) const INTERNAL: &str = "Internal server error";

/// The reason why a request is rejected: the status and the message of the response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rejection {
    pub(crate) status: StatusCode,
    pub(crate) message: Cow<'static, str>,
}

impl Rejection {
    /// No route has the path.
    pub(crate) const NOT_FOUND: Self = Self::new(StatusCode::NOT_FOUND, NOT_FOUND);

    /// The route doesn't have the method of the request.
    pub(crate) const METHOD: Self = Self::new(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed");

    /// The operator denies the network of the client.
    pub(crate) const DENIED: Self = Self::new(
        StatusCode::FORBIDDEN,
        "Requests from this address are denied",
    );

    pub(crate) const fn new(status: StatusCode, message: &'static str) -> Self {
        Self {
            status,
            message: Cow::Borrowed(message),
        }
    }

    pub(crate) fn bad_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            message: message.into(),
        }
    }

    /// A path without a route, with a message that says what may have been meant.
    pub(super) fn not_found(message: String) -> Self {
        Self {
            status: StatusCode::NOT_FOUND,
            message: message.into(),
        }
    }

    /// Returns `true` if no route has the path.
    pub(crate) fn is_not_found(&self) -> bool {
        self.status == StatusCode::NOT_FOUND
    }
}

impl From<ParameterError> for Rejection {
    fn from(error: ParameterError) -> Self {
        Self::bad_request(capitalized(&error.to_string()))
    }
}

/// A part of a request, or the reason why the request is rejected. The status 404 means that no
/// route has the path.
pub(super) type Parsed<T> = Result<T, Rejection>;

/// Returns a sentence that begins with the name of a parameter, which is ASCII.
pub(crate) fn capitalized(sentence: &str) -> String {
    let (first, rest) = sentence.split_at(1);
    first.to_uppercase() + rest
}
