//! Routing: from the path and query of a URL to a typed [`ParsedRequest`].
//!
//! `router` splits a path into segments and matches them; `specified`, `v1` and `families` have the routes
//! and parsers of their paths. `assets/openapi.json` documents them, and tests check that both agree.

mod families;
mod query;
mod request;
mod router;
mod specified;
#[cfg(test)]
mod tests;
mod url;
mod v1;

pub(crate) use query::Query;
pub(crate) use request::{
    DocPage, Errors, INTERNAL, NO_PLAYER, NOT_FOUND, Operation, ParsedRequest, Rejection,
    RouteMethod,
};
pub(crate) use v1::render_params::{
    MAX_SIZE, PICTURE_PARAMETERS, applies_to, find_view, picture_spec, view_name,
};
