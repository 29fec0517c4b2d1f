//! The service over HTTP: routes, responses, pages, OpenAPI and metrics, on hyper.
//!
//! `server` keeps the connection of a request, `routes` parses its path and query, `handlers`
//! performs its operation, and `respond` makes the status, the headers and the body.

mod access_log;
mod clients;
mod config;
mod connection;
mod handlers;
mod metrics;
mod openapi;
mod respond;
mod routes;
mod server;
mod site;

pub use access_log::{AccessLog, AccessLogFormat};
pub use config::{Config, Paths};
pub use effigy_parameters::Family;
pub use ipnet::IpNet;
pub use metrics::Metrics;
pub use server::{serve, serve_metrics};
