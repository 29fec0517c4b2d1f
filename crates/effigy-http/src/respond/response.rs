//! The type of responses, how they are built, and the headers that every response has.

use std::sync::LazyLock;

use bytes::Bytes;
use effigy_render::ImageFormat;
use hyper::{
    StatusCode,
    header::{
        ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, AGE, CACHE_CONTROL,
        CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue,
        LAST_MODIFIED, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
    },
};
use serde_json::Value;

use super::body::ResponseBody;

pub(crate) const JSON: &str = "application/json";

/// The origin of a picture: `hit`, `miss` or `stale`.
pub(crate) const X_CACHE: HeaderName = HeaderName::from_static("x-cache");

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// The headers of every response: other sites may use it, and its pages load nothing from others.
static COMMON: [(HeaderName, HeaderValue); 7] = [
    (ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
    // Scripts of other sites may read these in addition to the few that they always may.
    (
        ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static("ETag, X-Cache, Content-Disposition"),
    ),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (
        CONTENT_SECURITY_POLICY,
        // The landing page shows pictures of the visitor's own skin file under `blob:` URLs, and draws figures itself.
        HeaderValue::from_static(
            "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob:; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'self'; object-src 'none'",
        ),
    ),
    (
        CROSS_ORIGIN_RESOURCE_POLICY,
        HeaderValue::from_static("cross-origin"),
    ),
];

/// The headers of a cache hit, with placeholders for those of the single picture. Copying the map
/// costs less than adding its headers one by one.
static HIT: LazyLock<HeaderMap> = LazyLock::new(|| {
    let mut headers: HeaderMap = COMMON.iter().cloned().collect();
    let png = HeaderValue::from_static(ImageFormat::Png.content_type());
    headers.insert(CONTENT_TYPE, png);
    headers.insert(X_CACHE, HeaderValue::from_static("hit"));
    // `max-age` is the time that is left now. The picture's own age would be subtracted from it
    // again. RFC 9111, 4.2.3.
    headers.insert(AGE, HeaderValue::from_static("0"));
    for name in [ETAG, LAST_MODIFIED, CACHE_CONTROL] {
        headers.insert(name, HeaderValue::from_static(""));
    }
    headers
});

/// Returns the headers of a PNG from the cache. `ETag`, `Last-Modified` and `Cache-Control` are empty.
pub(super) fn hit_headers() -> HeaderMap {
    HIT.clone()
}

/// Adds the headers that every response has.
pub(crate) fn set_headers(response: &mut Response) {
    let headers = response.headers_mut();
    for (name, value) in &COMMON {
        headers.insert(name, value.clone());
    }
}

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

/// A response in JSON that is not cached.
pub(crate) fn json_response(status: StatusCode, value: &Value) -> Response {
    let mut response = with_body(status, JSON, value.to_string().into());
    set(&mut response, CACHE_CONTROL, "no-store");
    response
}
