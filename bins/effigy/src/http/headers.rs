//! The headers that every answer has.

use hyper::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, CONTENT_SECURITY_POLICY,
    HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};

use super::answer::{Answer, set};

/// Says where a picture is from: `hit` or `miss`.
pub(crate) const X_CACHE: HeaderName = HeaderName::from_static("x-cache");

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// Open to every site's scripts and pages, and closed to what is not its own content.
const EVERYWHERE: [(HeaderName, &str); 7] = [
    (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    // Scripts of other sites see these beside the few that they always may.
    (
        ACCESS_CONTROL_EXPOSE_HEADERS,
        "ETag, X-Cache, Content-Disposition",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "SAMEORIGIN"),
    (REFERRER_POLICY, "no-referrer"),
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'; \
         object-src 'none'",
    ),
    (CROSS_ORIGIN_RESOURCE_POLICY, "cross-origin"),
];

/// Adds what every answer has, whatever it is.
pub(crate) fn dress(answer: &mut Answer) {
    for (name, value) in EVERYWHERE {
        set(answer, name, value);
    }
}
