//! The service over HTTP: routes, responses, headers, pages, OpenAPI and metrics, on hyper.

mod app;
mod metrics;
mod openapi;
mod preview;
mod respond;
mod routes;
mod server;
mod site;

pub use app::{App, Upstreams};
pub use metrics::Metrics;
pub use server::{Limits, serve};
pub use site::landing::Showcase;
