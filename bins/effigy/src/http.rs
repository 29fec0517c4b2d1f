//! The service over HTTP.

mod answer;
mod api;
mod app;
mod assets;
mod body;
mod conditional;
mod disposition;
mod documents;
mod encoding;
mod failures;
mod families;
mod fresh;
mod guarded;
mod headers;
mod page;
mod path;
mod pictures;
mod preview;
mod query;
mod route;
mod route_name;
mod server;
mod stopping;
mod template;
mod v1;

pub(crate) use app::{App, Upstreams};
pub(crate) use page::Showcase;
pub(crate) use server::{Limits, serve};
