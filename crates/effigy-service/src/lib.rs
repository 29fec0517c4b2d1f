#![doc = include_str!("../README.md")]

// Requests and answers.
mod error;
mod image;
mod request;

// The service and its flows.
mod flow;
mod service;

// Its parts.
mod cache;
mod config;
mod gate;
mod health;
mod metrics;
mod players;
mod single_flight;

pub use cache::writer::WriteStatus;
pub use config::{Clock, ServiceConfig};
/// The unit of [`ClientLimits`].
pub use effigy_upstream::Rate;
pub use error::{Fault, Refused, Scope, ServiceError, SharedResource};
pub use gate::{BoundedBuffer, Client, ClientLimits, Gate, Permit, Turn};
pub use health::HealthReport;
pub use image::{Image, Origin, SkinOrigin, fingerprint};
pub use metrics::{OUTCOMES, ServiceMetrics};
pub use players::PlayerSkin;
pub use request::endpoint::Endpoint;
pub use request::group::GroupRequest;
pub use request::picture::{PictureParams, PictureRequest, Substitute};
pub use service::{Service, ServiceStatus};
