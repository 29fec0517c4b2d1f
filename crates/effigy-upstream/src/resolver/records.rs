//! The JSON records of the upstreams, as the specification defines them.
//!
//! Other servers leave out, add or change fields that are not used. A field of the wrong type is
//! therefore treated as missing, and only a record without a usable value is an error.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_PAD_INDIFFERENT;
use effigy_player::Model;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::error::UpstreamError;
use crate::transport::Step;

/// Parses a record. `field` is the field to name in the error if it is not such a JSON object.
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

/// Parses a list of records, likewise. One that is malformed makes the whole list so, because a record
/// that is left out would stand for a player who does not exist.
pub(super) fn parse_list<T: DeserializeOwned>(
    step: Step,
    json: &[u8],
    field: &'static str,
) -> Result<Vec<T>, UpstreamError> {
    let value: Value =
        serde_json::from_slice(json).map_err(|source| UpstreamError::NotJson { step, source })?;
    Vec::deserialize(value).map_err(|_| UpstreamError::Shape { step, field })
}

/// Deserializes a value, or nothing from one of another type.
fn lenient<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    Ok(T::deserialize(Value::deserialize(deserializer)?).ok())
}

/// The identity of a Java name, in either form of the look-up.
#[derive(Deserialize)]
pub(super) struct Identity {
    /// The UUID.
    pub(super) id: String,
}

/// The identity of one of several Java names.
#[derive(Deserialize)]
pub(super) struct NamedIdentity {
    /// The UUID.
    pub(super) id: String,
    /// The name as the player writes it.
    pub(super) name: String,
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
    #[serde(default, deserialize_with = "lenient")]
    pub(super) name: Option<String>,
    #[serde(deserialize_with = "properties")]
    pub(super) properties: Vec<Property>,
}

/// A property of a session profile.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Property {
    #[serde(deserialize_with = "lenient")]
    pub(super) name: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) value: Option<String>,
}

/// Deserializes a list of properties. One that is none is empty.
fn properties<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Property>, D::Error> {
    let values = Vec::<Value>::deserialize(deserializer)?.into_iter();
    Ok(values
        .map(|value| Property::deserialize(value).unwrap_or_default())
        .collect())
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
    #[serde(deserialize_with = "lenient")]
    pub(super) skin_url: Option<String>,
    /// Textures in the encoded form of session profiles.
    #[serde(deserialize_with = "lenient")]
    pub(super) value: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) texture_id: Option<String>,
    /// `true` if the model is classic.
    #[serde(deserialize_with = "lenient")]
    pub(super) is_steve: Option<bool>,
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
    #[serde(rename = "CAPE", deserialize_with = "lenient")]
    cape: Option<Texture>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Texture {
    #[serde(deserialize_with = "lenient")]
    url: Option<String>,
    #[serde(deserialize_with = "lenient")]
    metadata: Option<Metadata>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Metadata {
    #[serde(deserialize_with = "lenient")]
    model: Option<String>,
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

impl From<TextureRecord> for Textures {
    /// Textures without a cape.
    fn from(skin: TextureRecord) -> Self {
        Self {
            skin: Some(skin),
            cape: None,
        }
    }
}

impl Textures {
    /// Parses the base64 value of a `textures` property.
    pub(super) fn decode(step: Step, value: &str) -> Result<Self, UpstreamError> {
        let malformed = |field| UpstreamError::Shape { step, field };
        let encoded: String = value.split_ascii_whitespace().collect();
        let json = STANDARD_PAD_INDIFFERENT
            .decode(encoded)
            .map_err(|_| malformed("the base64 of the textures"))?;
        let TexturesProperty { textures } = parse(step, &json, "textures")?;
        let skin = textures.skin.map(|skin| {
            let model = skin.metadata.and_then(|metadata| metadata.model);
            Ok(TextureRecord {
                url: skin.url.ok_or_else(|| malformed("textures.SKIN.url"))?,
                model: model
                    .and_then(|model| model.parse().ok())
                    .unwrap_or_default(),
            })
        });
        Ok(Self {
            skin: skin.transpose()?,
            // A malformed cape is ignored: it must not cost the player the skin.
            cape: textures.cape.and_then(|cape| cape.url),
        })
    }
}
