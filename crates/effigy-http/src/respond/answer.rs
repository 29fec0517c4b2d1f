//! Answers, as they are before the headers that all of them have.

use bytes::Bytes;
use hyper::{
    Response, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue},
};
use serde::Serialize;

use crate::respond::body::Payload;

/// What a request is answered with.
pub(crate) type Answer = Response<Payload>;

/// The body of every error. Spec, "Error body".
#[derive(Serialize)]
struct ErrorBody<'a> {
    error: &'a str,
}

/// An answer of a status and one media type.
pub(crate) fn whole(status: StatusCode, content_type: &'static str, body: Bytes) -> Answer {
    let mut answer = empty(status);
    *answer.body_mut() = Payload::new(body);
    set(&mut answer, CONTENT_TYPE, content_type);
    answer
}

/// An answer without a body.
pub(crate) fn empty(status: StatusCode) -> Answer {
    let mut answer = Answer::default();
    *answer.status_mut() = status;
    answer
}

/// An answer in JSON that no cache keeps.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Answer {
    match serde_json::to_vec(value) {
        Ok(body) => {
            let mut answer = whole(status, "application/json", Bytes::from(body));
            set(&mut answer, CACHE_CONTROL, "no-store");
            answer
        }
        // Only maps with keys that are not text fail, and no answer has one.
        Err(_) => empty(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

/// An error with its public message.
pub(crate) fn error(status: StatusCode, message: &str) -> Answer {
    json(status, &ErrorBody { error: message })
}

/// Sets a header to a constant.
pub(crate) fn set(answer: &mut Answer, name: HeaderName, value: &'static str) {
    let value = HeaderValue::from_static(value);
    answer.headers_mut().insert(name, value);
}
