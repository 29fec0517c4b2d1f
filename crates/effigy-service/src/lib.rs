#![doc = include_str!("../README.md")]

// Requests and answers.
mod error;
mod request;
mod served_file;

// The parts that all requests share, and that know nothing of a request's flow.
mod doors;
mod files;
mod metrics;
mod reuse;
mod state;

// The flow of a request, from the bottom up: flow, textures, players, outfit, products, service.
mod flow;
mod outfit;
mod players;
mod products;
mod service;
mod textures;

pub use doors::{Allowance, Client, ClientRates, MemoryBudget, Turn, WaitingBytes};
/// The unit of [`ClientRates`].
pub use effigy_upstream::Rate;
pub use error::{Failure, Fault, Refused, ServiceError, SharedResource};
pub use metrics::{counter, duration_histogram, value};
pub use products::Refreshed;
pub use request::{
    CapeSize, Endpoint, FileRequest, FileSpec, GroupRequest, PictureParams, Substitute,
    SubstitutePlayer,
};
pub use served_file::{Origin, ServedFile, ShelfLife, Substitution, fingerprint};
pub use service::Service;
pub use state::{config::ServiceConfig, health::HealthReport};

/// A source of the current time, such as `SystemTime::now`.
pub type Clock = std::sync::Arc<dyn Fn() -> std::time::SystemTime + Send + Sync>;
