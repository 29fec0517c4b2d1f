//! Routing: from the path and query of a URL to a typed [`Request`].
//!
//! `table` has one row for each route. `request` splits a path into segments, finds the row whose
//! pattern fits, and calls the row's parser: one of `specified`, `v1` or `families`.

mod docs;
mod families;
mod parameters;
mod pattern;
mod request;
mod route;
mod specified;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod url;
mod v1;

pub(crate) use docs::{Parameter, Reply, Schema};
pub(crate) use parameters::PICTURE as PICTURE_PARAMETERS;
pub(crate) use request::Request;
pub(crate) use route::{DocPage, Errors, Route, RouteMethod};
pub(crate) use table::documented;
pub(crate) use target::{Rejection, Substitute, Target};
pub(crate) use url::Query;
pub(crate) use v1::{
    arrangement::MAX_PLAYERS,
    picture_spec,
    render_params::{MAX_PADDING, MAX_SIZE},
};
