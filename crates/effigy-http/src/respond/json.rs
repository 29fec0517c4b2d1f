//! Responses in JSON.

use hyper::{StatusCode, header::CACHE_CONTROL};
use serde_json::Value;

use super::response::{Response, set, with_body};

pub(crate) const JSON: &str = "application/json";

/// A response in JSON that is not cached.
pub(crate) fn json_response(status: StatusCode, value: &Value) -> Response {
    let mut response = with_body(status, JSON, value.to_string().into());
    set(&mut response, CACHE_CONTROL, "no-store");
    response
}
