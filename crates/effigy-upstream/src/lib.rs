#![doc = include_str!("../README.md")]

mod config;
mod error;
mod limits;
mod local;
mod log_throttle;
mod profile;
mod resolver;
mod source;
mod texture_hash;
mod transport;

pub use config::{
    BaseUrl, ConfigError, Endpoints, NameLookup, RateLimit, RateLimits, UpstreamConfig,
};
pub use error::UpstreamError;
pub use limits::{Circuit, LimitReason, Upstream, UpstreamState};
pub use local::LocalSkins;
pub use local::error::{SkinFileError, SkinFolderError};
pub use local::folder::SkinFolder;
pub use local::player::{LocalPlayer, LocalSkin, LocalTexture};
pub use local::skin_file::{FileChecks, SkinFile};
pub use log_throttle::LogThrottle;
pub use profile::{Account, Profile, ProfileSkin};
pub use resolver::Resolver;
pub use source::{
    FoundNames, NAMES_PER_CALL, ResolvedSkin, Revision, SkinCheck, SkinOrigin, SkinSource,
};
pub use texture_hash::TextureHash;
pub use transport::ureq_transport::UreqTransport;
pub use transport::{Request, Response, Step, Transport, TransportError};
