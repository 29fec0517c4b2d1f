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
mod pool;
mod single_flight;

pub use config::{Clock, ServiceConfig};
pub use error::{Fault, ServiceError};
pub use flow::large_picture::{LargePicture, PictureOutcome};
pub use flow::preview::{Preview, PreviewError};
pub use flow::skin::PlayerSkin;
pub use gate::{
    BoundedBuffer, Client, ClientLimits, GateSnapshot, Permit, Rate, Refused, Scope,
    SharedResource, Turn,
};
pub use health::recent_checks::RecentChecks;
pub use health::report::HealthReport;
pub use image::{Fingerprint, Image, Origin};
pub use metrics::{MetricsSink, MetricsSnapshot, Observation, WriteQueueSnapshot};
pub use pool::picture_stream::{BrokenStream, PictureStream};
pub use request::arrangement::{ArrangementRequest, Layout};
pub use request::endpoint::{DIRECTION_ERROR, Endpoint};
pub use request::parameter::{SizeParameter, parse_facing, parse_layers};
pub use request::{PictureRequest, params::PictureParams};
pub use service::Service;
