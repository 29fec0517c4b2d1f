//! The JSON records of the upstreams, as the specification defines them.
//!
//! Other servers leave out, add or change fields that are not used. A field of the wrong type is
//! therefore treated as missing, and only a record without a usable value is an error.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use effigy_player::Model;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use crate::error::UpstreamError;
use crate::transport::Step;

/// Standard base64, with or without the padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Parses a JSON object. `field` is the field to name in the error if it is not such a record.
pub(super) fn parse<T: DeserializeOwned>(
    step: Step,
    json: &[u8],
    field: &'static str,
) -> Result<T, UpstreamError> {
    let value: Value =
        serde_json::from_slice(json).map_err(|source| UpstreamError::NotJson { step, source })?;
    let record = value.is_object().then(|| T::deserialize(value).ok());
    record.flatten().ok_or(UpstreamError::Shape { step, field })
}

/// A value of the expected type, or any other JSON.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Lenient<T> {
    Expected(T),
    Other(IgnoredAny),
}

impl<T> Lenient<T> {
    /// Returns the value, or `None` for any other JSON.
    pub(super) fn get(self) -> Option<T> {
        match self {
            Self::Expected(value) => Some(value),
            Self::Other(_) => None,
        }
    }
}

impl<T> Default for Lenient<T> {
    fn default() -> Self {
        Self::Other(IgnoredAny)
    }
}

/// The identity of a Java name, in either form of the look-up.
#[derive(Deserialize)]
pub(super) struct Identity {
    /// The UUID.
    pub(super) id: String,
}

/// An error of the identity service itself.
#[derive(Deserialize)]
pub(super) struct IdentityError {
    #[serde(rename = "errorMessage")]
    _message: String,
}

/// The session profile of a Java UUID.
#[derive(Deserialize)]
pub(super) struct Session {
    /// The name as the player writes it.
    #[serde(default)]
    pub(super) name: Lenient<String>,
    pub(super) properties: Vec<Lenient<Property>>,
}

/// A property of a session profile.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Property {
    pub(super) name: Lenient<String>,
    pub(super) value: Lenient<String>,
}

/// The identity of a Bedrock gamertag.
#[derive(Deserialize)]
pub(super) struct XuidRecord {
    pub(super) xuid: Option<Xuid>,
}

/// An XUID. Gateways write it as a number or as a string.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Xuid {
    Number(u64),
    Text(String),
}

/// The skin record of a Bedrock XUID.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct BedrockSkin {
    pub(super) skin_url: Lenient<String>,
    /// Textures in the encoded form of session profiles.
    pub(super) value: Lenient<String>,
    pub(super) texture_id: Lenient<String>,
    /// Whether the model is classic.
    pub(super) is_steve: Lenient<bool>,
}

/// The textures of a player.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Textures {
    /// The skin, or none if the player has set none.
    pub(super) skin: Option<TextureRecord>,
    /// The URL of the cape, not yet checked.
    pub(super) cape: Option<String>,
}

/// The URL of a skin and the model that it is drawn on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextureRecord {
    /// The URL, not yet checked.
    pub(super) url: String,
    /// The player's model.
    pub(super) model: Model,
}

/// The JSON in the value of a `textures` property.
#[derive(Deserialize)]
struct TexturesProperty {
    textures: TextureMap,
}

// An empty map may be written as an empty array, which the derived code accepts too.
#[derive(Deserialize, Default)]
#[serde(default)]
struct TextureMap {
    #[serde(rename = "SKIN")]
    skin: Option<Texture>,
    #[serde(rename = "CAPE")]
    cape: Lenient<Texture>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Texture {
    url: Lenient<String>,
    metadata: Lenient<Metadata>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Metadata {
    model: Lenient<String>,
}

impl Textures {
    /// Returns textures without a cape.
    pub(super) fn of_skin(skin: TextureRecord) -> Self {
        Self {
            skin: Some(skin),
            cape: None,
        }
    }

    /// Parses the base64 value of a `textures` property.
    pub(super) fn decode(step: Step, value: &str) -> Result<Self, UpstreamError> {
        let malformed = |field| UpstreamError::Shape { step, field };
        let text: String = value.split_ascii_whitespace().collect();
        let json = BASE64
            .decode(text)
            .map_err(|_| malformed("the base64 of the textures"))?;
        let TexturesProperty { textures } = parse(step, &json, "textures")?;
        let skin = textures.skin.map(|skin| {
            let url = skin.url.get();
            let metadata = skin.metadata.get().unwrap_or_default();
            let model = metadata.model.get().and_then(|model| model.parse().ok());
            Ok(TextureRecord {
                url: url.ok_or_else(|| malformed("textures.SKIN.url"))?,
                model: model.unwrap_or(Model::Classic),
            })
        });
        Ok(Self {
            skin: skin.transpose()?,
            // A malformed cape is ignored: it must not cost the player the skin.
            cape: textures.cape.get().and_then(|cape| cape.url.get()),
        })
    }
}
