//! Responses, and the headers that all of them have.

pub(crate) mod code;
mod conditional;
mod disposition;
pub(crate) mod document;
pub(crate) mod encoding;
pub(crate) mod error;
pub(crate) mod family;
pub(crate) mod image;
pub(crate) mod missing_player;
pub(crate) mod rate_limit;
pub(crate) mod reason;

use std::sync::LazyLock;

use bytes::Bytes;
use hyper::{
    StatusCode,
    header::{
        ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, CACHE_CONTROL,
        CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY,
        VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
    },
};
use serde_json::Value;

pub(crate) const JSON: &str = "application/json";

/// The value of `Cache-Control` for responses about a missing player, who may exist soon.
pub(crate) const PUBLIC_MINUTE: &str = "public, max-age=60";

/// The header with the origin of a picture: `hit`, `miss` or `stale`.
pub(crate) const X_CACHE: HeaderName = HeaderName::from_static("x-cache");

/// The header with the kind of player that replaces the requested one: `default` or `fallback`.
pub(crate) const X_EFFIGY_SUBSTITUTE: HeaderName = HeaderName::from_static("x-effigy-substitute");

/// The media types that are compressed begin with these.
const COMPRESSIBLE: [&[u8]; 4] = [
    b"application/json",
    b"application/wasm",
    b"image/svg+xml",
    b"text/",
];

/// The headers of every response. Other sites may use responses; pages load nothing from other
/// sites.
static COMMON: LazyLock<HeaderMap> = LazyLock::new(|| {
    let headers = [
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        // Scripts of other sites may read these headers in addition to a few common ones.
        (
            ACCESS_CONTROL_EXPOSE_HEADERS,
            "ETag, X-Cache, X-Effigy-Substitute, Content-Disposition, Retry-After, RateLimit, \
             RateLimit-Policy",
        ),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "SAMEORIGIN"),
        (REFERRER_POLICY, "no-referrer"),
        // The landing page shows a visitor's own skin file under `blob:` URLs, and draws figures
        // with WebAssembly.
        (
            CONTENT_SECURITY_POLICY,
            "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob:; \
             base-uri 'none'; form-action 'self'; frame-ancestors 'self'; object-src 'none'",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "cross-origin",
        ),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    headers.into_iter().collect()
});

/// A response. It has the common headers from the start, and its body is sent in one piece.
pub(crate) type Response = hyper::Response<Bytes>;

/// A response with a body.
pub(crate) fn with_body(status: StatusCode, content_type: &'static str, body: Bytes) -> Response {
    let mut response = empty(status);
    *response.body_mut() = body;
    set(&mut response, CONTENT_TYPE, content_type);
    set_vary(&mut response);
    response
}

/// A response without a body.
pub(crate) fn empty(status: StatusCode) -> Response {
    let mut response = Response::default();
    *response.status_mut() = status;
    *response.headers_mut() = COMMON.clone();
    response
}

/// Sets a header to a constant value.
pub(crate) fn set(response: &mut Response, name: HeaderName, value: &'static str) {
    let value = HeaderValue::from_static(value);
    response.headers_mut().insert(name, value);
}

/// Returns the value of the header `X-Cache`.
pub(crate) fn cache_status(response: &Response) -> Option<&str> {
    response.headers().get(X_CACHE)?.to_str().ok()
}

/// Converts a text in visible ASCII to the value of a header.
fn header_value(text: impl Into<Bytes>) -> HeaderValue {
    HeaderValue::from_maybe_shared(text.into()).expect("the text is visible ASCII")
}

/// A response in JSON that is not cached.
pub(crate) fn json_response(status: StatusCode, value: &Value) -> Response {
    let mut response = with_body(status, JSON, value.to_string().into());
    set(&mut response, CACHE_CONTROL, "no-store");
    response
}

/// Says that a response of text depends on `Accept-Encoding`.
fn set_vary(response: &mut Response) {
    if is_text(response) {
        set(response, VARY, "Accept-Encoding");
    }
}

fn is_text(response: &Response) -> bool {
    let content_type = response.headers().get(CONTENT_TYPE);
    content_type.is_some_and(|value| is_compressible(value.as_bytes()))
}

/// Returns `true` for the media types of texts.
pub(crate) fn is_compressible(content_type: &[u8]) -> bool {
    COMPRESSIBLE
        .iter()
        .any(|beginning| content_type.starts_with(beginning))
}
