#![doc = include_str!("../README.md")]

mod chain;
mod config;
mod error;
mod fetcher;
mod limits;
mod providers;
mod records;
mod source;
mod transport;

pub use chain::{ProviderChain, ProviderReport};
pub use config::{BaseUrl, ConfigError, Endpoints, Rate, RateLimits, UpstreamConfig};
pub use error::{UpstreamError, error_chain, printable};
pub use limits::{LimitReason, Upstream, UpstreamState};
pub use providers::folder::skins::FileChecks;
pub use source::{
    Account, Payer, Ping, Profile, ProfileSkin, Revision, SkinSource, Terms, TextureHash,
    TextureUrl,
};
pub use transport::ureq_transport::UreqTransport;
pub use transport::{Request, Response, Step, Transport, TransportError};
