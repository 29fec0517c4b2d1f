#![doc = include_str!("../README.md")]

mod bedrock;
mod call;
mod config;
mod default_skins;
mod error;
mod java;
mod limits;
mod resolver;
mod segment;
mod source;
mod texture_record;
mod textures;
mod transport;
mod ureq_transport;

pub use config::{BaseUrl, ConfigError, Endpoints, UpstreamConfig};
pub use error::{Step, UpstreamError};
pub use limits::{Budget, Budgets};
pub use resolver::Resolver;
pub use source::{DecodeTexture, Resolved, SkinSource, Standing};
pub use transport::{Request, Response, Transport, TransportError};
pub use ureq_transport::UreqTransport;
