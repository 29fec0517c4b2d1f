//! The service over HTTP: routes, responses, headers, pages, OpenAPI and metrics, on hyper.

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
mod memory;
mod metrics;
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

pub use app::{App, Upstreams};
pub use metrics::Metrics;
pub use page::Showcase;
pub use server::{Limits, serve};
