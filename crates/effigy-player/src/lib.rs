#![doc = include_str!("../README.md")]

mod edition;
mod model;
mod naming;
mod player_id;
mod preset;
mod uuid;
mod word;

pub use edition::Edition;
pub use model::Model;
pub use naming::{BedrockPrefixes, NamedPlayer, PrefixError, is_java_name, is_placeholder};
pub use player_id::{
    FALLBACK_PLAYER, InputError, MAX_INPUT_BYTES, MAX_JAVA_NAME, PlayerId, XUID_PREFIX,
    is_java_name_byte, lower_case, short_xuid,
};
pub use preset::{PRESETS, Preset};
pub use uuid::Uuid;
pub use word::ParseError;

#[cfg(feature = "serde")]
#[doc(hidden)]
pub use serde;
