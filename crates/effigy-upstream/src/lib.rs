#![doc = include_str!("../README.md")]

mod caller;
mod chain;
mod config;
mod error;
mod limits;
mod local;
mod lock;
mod offline;
mod profile;
mod provider;
mod providers;
mod records;
mod source;
mod texture;
mod transport;

pub use chain::{ProviderChain, ProviderReport};
pub use config::{
    BaseUrl, ConfigError, Endpoints, ProviderSpec, RateLimit, RateLimits, UpstreamConfig,
    UrlTemplate,
};
pub use error::UpstreamError;
pub use limits::{Circuit, LimitReason, Upstream, UpstreamState};
pub use local::skin_file::{FileChecks, SkinFile, SkinFileError};
pub use local::skins::LocalSkins;
pub use profile::{Account, Profile, ProfileSkin};
pub use source::{FoundNames, NAMES_PER_CALL, Revision, SkinSource};
pub use texture::{TextureHash, TextureUrl};
pub use transport::ureq_transport::UreqTransport;
pub use transport::{Request, Response, Step, Transport, TransportError};
