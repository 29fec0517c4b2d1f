//! Responses that need no operation: redirects, other methods, and unknown paths.

use hyper::{
    HeaderMap, StatusCode,
    header::{
        ACCEPT, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_MAX_AGE,
        ALLOW, CACHE_CONTROL, HeaderValue, LOCATION, VARY,
    },
    http::request::Parts,
};

use crate::{
    respond::{Response, empty, set},
    routes::{ParsedRequest, Rejection},
    site::NOT_FOUND_PAGE,
};

/// The response to OPTIONS, which browsers send before requests of other sites.
pub(super) fn preflight(request: &ParsedRequest) -> Response {
    let methods = request.methods.as_str();
    let mut response = empty(StatusCode::NO_CONTENT);
    set(&mut response, ALLOW, methods);
    set(&mut response, ACCESS_CONTROL_ALLOW_METHODS, methods);
    set(&mut response, ACCESS_CONTROL_ALLOW_HEADERS, "*");
    set(&mut response, ACCESS_CONTROL_MAX_AGE, "86400");
    response
}

pub(super) fn method_not_allowed(request: &ParsedRequest) -> Response {
    let mut response = request.rejection_response(&Rejection::METHOD);
    set(&mut response, ALLOW, request.methods.as_str());
    response
}

pub(super) fn redirect(url: &str) -> Response {
    let mut response = empty(StatusCode::MOVED_PERMANENTLY);
    if let Ok(location) = HeaderValue::from_bytes(url.as_bytes()) {
        response.headers_mut().insert(LOCATION, location);
    }
    set(&mut response, CACHE_CONTROL, "public, max-age=3600");
    response
}

/// The response to a path that no route has: a page for clients that name HTML, and JSON for
/// others. Browsers that load an image accept anything, but don't name HTML.
pub(super) fn unknown_path(request: &ParsedRequest, head: &Parts) -> Response {
    let mut response = if names_html(&head.headers) {
        let page = NOT_FOUND_PAGE.at(head.uri.path());
        page.uncached_response(StatusCode::NOT_FOUND, &head.headers)
    } else {
        request.rejection_response(&Rejection::NOT_FOUND)
    };
    set(&mut response, VARY, "Accept, Accept-Encoding");
    response
}

/// Returns `true` if a client names HTML among the media types that it accepts.
fn names_html(headers: &HeaderMap) -> bool {
    headers.get_all(ACCEPT).iter().any(|value| {
        let media_types = value.to_str().unwrap_or_default();
        media_types.to_ascii_lowercase().contains("text/html")
    })
}
