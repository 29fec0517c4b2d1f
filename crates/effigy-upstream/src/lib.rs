#![doc = include_str!("../README.md")]

mod config;
mod error;
mod limits;
mod local;
mod profile;
mod resolver;
mod source;
mod texture;
mod transport;

pub use config::{BaseUrl, ConfigError, Endpoints, RateLimit, RateLimits, UpstreamConfig};
pub use error::UpstreamError;
pub use limits::{Circuit, LimitReason, Upstream, UpstreamState};
pub use local::folder::SkinFolder;
pub use local::listing::SkinFolderError;
pub use local::skin_file::{FileChecks, SkinFile, SkinFileError};
pub use local::skins::LocalSkins;
pub use profile::{Account, Profile, ProfileSkin};
pub use resolver::Resolver;
pub use source::{FoundNames, NAMES_PER_CALL, Revision, SkinSource};
pub use texture::{TextureHash, TextureUrl};
pub use transport::ureq_transport::UreqTransport;
pub use transport::{Request, Response, Step, Transport, TransportError};
