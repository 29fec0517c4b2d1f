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
mod doors;
mod files;
mod health;
mod metrics;
mod outfit;
mod players;
mod single_flight;
mod textures;

pub use doors::{Allowance, Client, ClientRates, MemoryBudget, Turn, WaitingBytes};
/// The unit of [`ClientRates`].
pub use effigy_upstream::Rate;
pub use error::{Failure, Fault, Refused, ServiceError, SharedResource};
pub use health::HealthReport;
pub use image::{Image, Origin, ShelfLife, Substitution, fingerprint};
pub use metrics::{counter, duration_histogram, value};
pub use players::Refreshed;
pub use request::{
    CapeSize, Endpoint, FileRequest, FileSpec, GroupRequest, PictureParams, Substitute,
};
pub use service::{Clock, Service, ServiceConfig};
