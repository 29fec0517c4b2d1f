//! Responses that depend on nothing but the request.

use hyper::{
    StatusCode,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_MAX_AGE, ALLOW,
        CACHE_CONTROL, HeaderValue, LOCATION,
    },
};

use crate::{
    respond::{Response, empty, error::error, set},
    routes::RouteMethod,
};

pub(super) const fn allowed_methods(method: RouteMethod) -> &'static str {
    match method {
        RouteMethod::Get => "GET, HEAD, OPTIONS",
        RouteMethod::Post => "POST, OPTIONS",
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
