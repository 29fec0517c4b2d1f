#![doc = include_str!("../README.md")]

mod call;
mod chain;
mod config;
mod error;
mod fetcher;
mod limits;
mod look_up;
mod profile;
mod providers;
mod received_file;
mod records;
mod servers;
mod source;
mod transport;

pub use chain::{DefaultSkin, ProviderChain, ProviderReport};
pub use config::{BaseUrl, ConfigError, Endpoints, Rate, RateLimits, UpstreamConfig};
pub use error::{UpstreamError, error_chain, printable};
pub use limits::{LimitReason, Upstream, UpstreamState};
pub use look_up::{LookUp, PlannedCalls, Target, UpstreamCapacity, UpstreamId};
pub use profile::{Account, Profile, ProfileSkin, TextureHash, TextureUrl};
pub use providers::folder::skins::FileChecks;
pub use providers::offline_uuid;
pub use received_file::ReceivedFile;
pub use source::{Fetched, LocalProfile, Ping, Profiles, SkinSource, Status, Textures, Validators};
pub use transport::ureq_transport::UreqTransport;
pub use transport::{Request, Response, Step, Transport, TransportError};
