//! Rejections: the reasons why a request has no operation.

use std::borrow::Cow;

use effigy_parameters::ParameterError;
use hyper::StatusCode;

/// The message of [`Rejection::NOT_FOUND`].
pub(crate) const NOT_FOUND: &str = "Not found";

pub(crate) const TOO_LARGE: &str = "The picture would be too large";

/// The messages of failures that name no reason.
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

    /// The route has another method.
    pub(crate) const METHOD: Self = Self::new(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed");

    /// The operator denies the network of the client.
    pub(crate) const DENIED: Self = Self::new(
        StatusCode::FORBIDDEN,
        "Requests from this address are denied",
    );

    pub(crate) const fn new(status: StatusCode, message: &'static str) -> Self {
        let message = Cow::Borrowed(message);
        Self { status, message }
    }

    pub(crate) fn bad_request(message: impl Into<Cow<'static, str>>) -> Self {
        let (status, message) = (StatusCode::BAD_REQUEST, message.into());
        Self { status, message }
    }
}

impl From<ParameterError> for Rejection {
    fn from(error: ParameterError) -> Self {
        Self::bad_request(capitalized(&error.to_string()))
    }
}

/// A part of a request, or the reason why the request is rejected. The status "not found" means that no route has
/// the path.
pub(super) type Parsed<T> = Result<T, Rejection>;

/// Returns a sentence that begins with a name.
pub(crate) fn capitalized(sentence: &str) -> String {
    let (first, rest) = sentence.split_at(1);
    first.to_uppercase() + rest
}
