//! The service over HTTP: routes, responses, headers, pages, OpenAPI and metrics, on hyper.

mod app;
mod metrics;
mod openapi;
mod preview;
mod respond;
mod routes;
mod server;
mod site;

pub use metrics::Metrics;
pub use server::{Config, Upstreams, serve};
pub use site::landing::Showcase;
