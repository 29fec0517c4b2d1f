#![doc = include_str!("../README.md")]

// Requests and answers.
mod error;
mod image;
mod request;

// The flow.
mod flow;
mod health;
mod service;
mod single_flight;

// The parts of the service.
mod cache;
mod clock;
mod config;
mod metrics;
mod pool;

pub use clock::Clock;
pub use config::ServiceConfig;
pub use error::{Fault, ServiceError};
pub use flow::large_picture::LargePicture;
pub use flow::picture::PictureOutcome;
pub use flow::player_skin::PlayerSkin;
pub use flow::preview::PreviewError;
pub use health::HealthReport;
pub use health::recent_checks::RecentChecks;
pub use image::{Fingerprint, Image, Origin};
pub use metrics::{MetricsSink, MetricsSnapshot, Observation, WriteQueueSnapshot};
pub use pool::picture_stream::{BrokenStream, PictureStream};
pub use request::endpoint::{DIRECTION_ERROR, Endpoint};
pub use request::parameter::{SizeParameter, parse_facing, parse_layers};
pub use request::{PictureParams, PictureRequest};
pub use service::Service;
