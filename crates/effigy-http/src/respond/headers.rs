//! The headers that every answer has.

use std::sync::LazyLock;

use hyper::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, AGE, CACHE_CONTROL,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, LAST_MODIFIED,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};

use crate::respond::answer::Answer;

/// Says where a picture is from: `hit`, `miss` or `stale`.
pub(crate) const X_CACHE: HeaderName = HeaderName::from_static("x-cache");

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// Open to every site's scripts and pages, and closed to what is not its own content.
static EVERYWHERE: [(HeaderName, HeaderValue); 7] = [
    (ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
    // Scripts of other sites see these beside the few that they always may.
    (
        ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static("ETag, X-Cache, Warning, Content-Disposition"),
    ),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (
        CONTENT_SECURITY_POLICY,
        // The page shows pictures of a visitor's own file, which have addresses of the kind `blob:`.
        HeaderValue::from_static(
            "default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'self'; object-src 'none'",
        ),
    ),
    (
        CROSS_ORIGIN_RESOURCE_POLICY,
        HeaderValue::from_static("cross-origin"),
    ),
];

/// The media type of nearly all that is kept.
pub(crate) const USUAL_TYPE: &str = "image/png";

/// The headers of a picture from the cache. What is empty here is the picture's own.
///
/// To copy them all costs less than to add them one by one.
static HIT: LazyLock<HeaderMap> = LazyLock::new(|| {
    let mut headers: HeaderMap = EVERYWHERE.iter().cloned().collect();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(USUAL_TYPE));
    headers.insert(X_CACHE, HeaderValue::from_static("hit"));
    // `max-age` is what is left as of now, so for whoever keeps the answer its time begins now: the
    // picture's own age here would be taken off a second time. RFC 9111, 4.2.3.
    headers.insert(AGE, HeaderValue::from_static("0"));
    for name in [ETAG, LAST_MODIFIED, CACHE_CONTROL] {
        headers.insert(name, HeaderValue::from_static(""));
    }
    headers
});

/// The headers of a picture from the cache, but for its tag, its time, and how long it may be kept.
pub(crate) fn of_a_hit() -> HeaderMap {
    HIT.clone()
}

/// Adds what every answer has, whatever it is.
pub(crate) fn dress(answer: &mut Answer) {
    let headers = answer.headers_mut();
    for (name, value) in &EVERYWHERE {
        headers.insert(name, value.clone());
    }
}
