//! The type of responses, and how they are built.

use bytes::Bytes;
use hyper::{
    StatusCode,
    header::{CONTENT_TYPE, HeaderName, HeaderValue},
};

use super::body::ResponseBody;

/// A response, before the headers that all responses have.
pub(crate) type Response = hyper::Response<ResponseBody>;

/// A response with a body.
pub(crate) fn with_body(status: StatusCode, content_type: &'static str, body: Bytes) -> Response {
    let mut response = empty(status);
    *response.body_mut() = ResponseBody::new(body);
    set(&mut response, CONTENT_TYPE, content_type);
    response
}

/// A response without a body.
pub(crate) fn empty(status: StatusCode) -> Response {
    let mut response = Response::default();
    *response.status_mut() = status;
    response
}

/// Sets a header to a constant.
pub(crate) fn set(response: &mut Response, name: HeaderName, value: &'static str) {
    let value = HeaderValue::from_static(value);
    response.headers_mut().insert(name, value);
}

/// Sets a header to a text. A text with characters that no header may have is left out.
pub(super) fn set_text(response: &mut Response, name: HeaderName, value: String) {
    if let Ok(value) = HeaderValue::try_from(value) {
        response.headers_mut().insert(name, value);
    }
}
