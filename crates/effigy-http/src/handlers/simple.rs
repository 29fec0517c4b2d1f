//! Responses that depend on nothing but the request.

use hyper::{
    Method, StatusCode,
    header::{
        ACCEPT, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_MAX_AGE,
        ALLOW, CACHE_CONTROL, HeaderValue, LOCATION, VARY,
    },
    http::request::Parts,
};

use crate::{
    respond::{Response, empty, error::error, set},
    routes::NOT_FOUND,
    site::template::NOT_FOUND_PAGE,
};

/// Returns the methods of a route that answers `method`.
pub(super) fn allowed_methods(method: &Method) -> &'static str {
    match *method {
        Method::POST => "POST, OPTIONS",
        _ => "GET, HEAD, OPTIONS",
    }
}

pub(super) fn preflight(methods: &'static str) -> Response {
    let mut response = empty(StatusCode::NO_CONTENT);
    set(&mut response, ALLOW, methods);
    set(&mut response, ACCESS_CONTROL_ALLOW_METHODS, methods);
    set(&mut response, ACCESS_CONTROL_ALLOW_HEADERS, "*");
    set(&mut response, ACCESS_CONTROL_MAX_AGE, "86400");
    response
}

pub(super) fn method_not_allowed(methods: &'static str) -> Response {
    let mut response = error(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed");
    set(&mut response, ALLOW, methods);
    response
}

pub(super) fn redirect(path: &str) -> Response {
    let mut response = empty(StatusCode::MOVED_PERMANENTLY);
    if let Ok(path) = HeaderValue::from_str(path) {
        response.headers_mut().insert(LOCATION, path);
    }
    set(&mut response, CACHE_CONTROL, "public, max-age=3600");
    response
}

/// Responds to a path that no route has: with a page if the client shows pages. Browsers ask for images
/// where a page has one, and take anything.
pub(super) fn unknown_path(head: &Parts) -> Response {
    let mut accepted = head.headers.get_all(ACCEPT).iter();
    let shows_pages = accepted.any(|value| {
        let value = value.to_str().unwrap_or_default();
        value.to_ascii_lowercase().contains("text/html")
    });
    let status = StatusCode::NOT_FOUND;
    let mut response = match shows_pages {
        true => NOT_FOUND_PAGE.uncached_response(status, &head.headers),
        false => error(status, NOT_FOUND),
    };
    set(&mut response, VARY, "Accept, Accept-Encoding");
    response
}
