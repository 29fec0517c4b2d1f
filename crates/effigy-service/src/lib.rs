#![doc = include_str!("../README.md")]

mod blocking;
mod bounded_file;
mod clock;
mod decoder;
mod endpoint;
mod error;
mod flow;
mod health;
mod image;
mod parameter;
mod picture;
mod recent_checks;
mod service;
mod single_flight;

pub use clock::Clock;
pub use decoder::SkinDecoder;
pub use endpoint::{DIRECTION_ERROR, Endpoint};
pub use error::ServiceError;
pub use health::HealthReport;
pub use image::{Image, Origin};
pub use parameter::{SizeParameter, parse_facing, parse_layers};
pub use picture::Picture;
pub use recent_checks::RecentChecks;
pub use service::Service;
