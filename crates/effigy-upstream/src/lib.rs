#![doc = include_str!("../README.md")]

mod bedrock;
mod call;
mod checked_look_up;
mod config;
mod default_skins;
mod error;
mod gate;
mod gates;
mod identity;
mod java;
mod policy;
mod profile;
mod public_address;
mod resolver;
mod segment;
mod shared_work;
mod source;
mod states;
mod texture_hash;
mod texture_record;
mod textures;
mod transport;
mod ureq_transport;

pub use config::{BaseUrl, ConfigError, Endpoints, UpstreamConfig};
pub use error::{Hold, Step, UpstreamError};
pub use gate::Budget;
pub use gates::Budgets;
pub use policy::{NameLookup, Policy};
pub use profile::{Account, Profile, Worn};
pub use resolver::Resolver;
pub use source::{ResolvedSkin, SkinOrigin, SkinSource};
pub use states::{Circuit, Upstream, UpstreamState};
pub use texture_hash::TextureHash;
pub use transport::{Request, Response, Transport, TransportError};
pub use ureq_transport::UreqTransport;
