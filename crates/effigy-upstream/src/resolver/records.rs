//! The JSON records of the upstreams, as the specification defines them.
//!
//! Other servers leave out, add or change fields that are not used. A field of the wrong type is
//! therefore treated as missing, and only a record without a usable value is an error.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_PAD_INDIFFERENT;
use effigy_player::Model;
use serde_json::{Map, Value};

use crate::error::UpstreamError;
use crate::transport::Step;

/// A JSON object.
pub(super) type Record = Map<String, Value>;

/// Parses a record. `field` is the field to name in the error if it is not a JSON object.
pub(super) fn parse(step: Step, json: &[u8], field: &'static str) -> Result<Record, UpstreamError> {
    match serde_json::from_slice(json) {
        Ok(Value::Object(record)) => Ok(record),
        Ok(_) => Err(UpstreamError::Shape { step, field }),
        Err(source) => Err(UpstreamError::NotJson { step, source }),
    }
}

/// Returns the text of a field, or `None` if it is missing or something else.
pub(super) fn text<'a>(record: &'a Record, field: &str) -> Option<&'a str> {
    record.get(field)?.as_str()
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
        let record = parse(step, &json, "textures")?;
        let textures = match record.get("textures") {
            Some(Value::Object(textures)) => textures,
            // An empty map may be written as an empty array.
            Some(Value::Array(textures)) if textures.is_empty() => return Ok(Self::default()),
            _ => return Err(malformed("textures")),
        };
        let url = |texture: &Value| Some(texture.get("url")?.as_str()?.to_owned());
        let skin = textures.get("SKIN").filter(|skin| !skin.is_null());
        let skin = skin.map(|skin| {
            let model = skin.pointer("/metadata/model").and_then(Value::as_str);
            Ok(TextureRecord {
                url: url(skin).ok_or_else(|| malformed("textures.SKIN.url"))?,
                model: model
                    .and_then(|model| model.parse().ok())
                    .unwrap_or_default(),
            })
        });
        Ok(Self {
            skin: skin.transpose()?,
            // A malformed cape is ignored: it must not cost the player the skin.
            cape: textures.get("CAPE").and_then(url),
        })
    }
}
