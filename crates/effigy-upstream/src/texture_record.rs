//! What the upstreams' records say about a player's texture.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use effigy_player::Model;
use serde_json::Value;

use crate::segment::Segment;
use crate::{BaseUrl, Step, UpstreamError};

/// Standard base64, with or without the padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Where a texture is, as an upstream tells it, and the model it is drawn on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextureRecord {
    /// The address, not yet checked.
    pub(crate) url: String,
    /// The player's model.
    pub(crate) model: Model,
}

/// What a record says about a player's textures.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Textures {
    /// The skin; none where the player has set none.
    pub(crate) skin: Option<TextureRecord>,
    /// The address of the cape, not yet checked.
    pub(crate) cape: Option<String>,
}

impl TextureRecord {
    /// The record of a texture known by its hash.
    pub(crate) fn from_hash(texture: &BaseUrl, hash: &Segment, model: Model) -> Self {
        let url = texture.join("texture", hash).into();
        Self { url, model }
    }
}

impl Textures {
    /// Reads the base64 `value` of a `textures` property.
    ///
    /// Only what is used is read: other servers leave out, add, or write as empty arrays what the
    /// game's own has.
    pub(crate) fn from_value(step: Step, value: &str) -> Result<Self, UpstreamError> {
        let malformed = |field| UpstreamError::Shape { step, field };
        let text: String = value.split_ascii_whitespace().collect();
        let json = BASE64
            .decode(text)
            .map_err(|_| malformed("the base64 of the textures"))?;
        let record: Value = serde_json::from_slice(&json)
            .map_err(|source| UpstreamError::NotJson { step, source })?;
        let textures = match record.get("textures") {
            Some(Value::Object(textures)) => textures,
            Some(Value::Array(empty)) if empty.is_empty() => return Ok(Self::default()),
            _ => return Err(malformed("textures")),
        };
        let skin = textures.get("SKIN").filter(|skin| !skin.is_null());
        // A cape is an extra: one that cannot be read is none, and no failure.
        let cape = textures.get("CAPE").and_then(|cape| cape.get("url"));
        Ok(Self {
            skin: skin.map(|skin| skin_record(step, skin)).transpose()?,
            cape: cape.and_then(Value::as_str).map(str::to_owned),
        })
    }
}

fn skin_record(step: Step, skin: &Value) -> Result<TextureRecord, UpstreamError> {
    let url = skin.get("url").and_then(Value::as_str);
    let url = url.ok_or(UpstreamError::Shape {
        step,
        field: "textures.SKIN.url",
    })?;
    let model = skin.pointer("/metadata/model").and_then(Value::as_str);
    Ok(TextureRecord {
        url: url.to_owned(),
        model: match model {
            Some("slim") => Model::Slim,
            _ => Model::Classic,
        },
    })
}
