//! The service over HTTP.

mod answer;
mod app;
mod body;
mod conditional;
mod disposition;
mod documents;
mod encoding;
mod headers;
mod path;
mod pictures;
mod route;
mod server;

pub(crate) use app::App;
pub(crate) use server::serve;
