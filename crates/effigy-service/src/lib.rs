#![doc = include_str!("../README.md")]

// Requests and answers.
mod error;
mod image;
mod request;

// The service and its flows.
mod flow;
mod service;

// Its parts.
mod files;
mod gate;
mod health;
mod loading_cache;
mod metrics;
mod players;

/// The unit of [`ClientLimits`].
pub use effigy_upstream::Rate;
pub use error::{Failure, Fault, Refused, ServiceError, SharedResource};
pub use gate::{Client, ClientLimits, Gate, Permit, Turn};
pub use health::HealthReport;
pub use image::{Image, Origin, fingerprint};
pub use metrics::{counter, duration_histogram, value};
pub use request::{Endpoint, FileRequest, FileSpec, GroupRequest, PictureParams, Substitute};
pub use service::{Clock, Miss, Service, ServiceConfig};
