//! The JSON records of the upstreams, as the specification defines them.
//!
//! Other servers leave out, add or change fields that are not used. A field of the wrong type is
//! therefore treated as missing, and only a record without a usable value is an error.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_PAD_INDIFFERENT;
use effigy_player::{Model, Uuid};
use serde_json::Value;

use crate::error::UpstreamError;
use crate::transport::Step;

/// Parses a record. `field` is the field to name in the error if it is not a JSON object.
pub(super) fn parse(step: Step, json: &[u8], field: &'static str) -> Result<Value, UpstreamError> {
    let record = parse_any(step, json)?;
    let record = Some(record).filter(Value::is_object);
    record.ok_or(UpstreamError::Shape { step, field })
}

/// Parses any JSON.
pub(super) fn parse_any(step: Step, json: &[u8]) -> Result<Value, UpstreamError> {
    serde_json::from_slice(json).map_err(|source| UpstreamError::NotJson { step, source })
}

/// Returns the text of a field that is not empty.
pub(super) fn text(record: &Value, field: &str) -> Option<String> {
    let text = record[field].as_str().filter(|text| !text.is_empty());
    text.map(str::to_owned)
}

/// Returns the UUID of an identity.
pub(super) fn identity(record: &Value) -> Result<Uuid, UpstreamError> {
    let uuid = record["id"].as_str().and_then(Uuid::parse);
    let (step, field) = (Step::Identity, "id");
    uuid.ok_or(UpstreamError::Shape { step, field })
}

/// The textures of a player. Their URLs are not yet checked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Textures {
    /// The URL of the skin and its model, or none if the player has set none.
    pub(super) skin: Option<(String, Model)>,
    /// The URL of the cape.
    pub(super) cape: Option<String>,
}

impl Textures {
    /// Textures without a cape.
    pub(super) fn skin(url: String, model: Model) -> Self {
        Self {
            skin: Some((url, model)),
            cape: None,
        }
    }

    /// Parses the base64 value of a `textures` property.
    pub(super) fn decode(step: Step, value: &str) -> Result<Self, UpstreamError> {
        let malformed = |field| UpstreamError::Shape { step, field };
        let encoded: String = value.split_ascii_whitespace().collect();
        let json = STANDARD_PAD_INDIFFERENT.decode(encoded);
        let json = json.map_err(|_| malformed("the base64 of the textures"))?;
        let record = parse(step, &json, "textures")?;
        let textures = &record["textures"];
        // An empty map may be written as an empty array.
        let is_empty_array = textures.as_array().is_some_and(Vec::is_empty);
        if !textures.is_object() && !is_empty_array {
            return Err(malformed("textures"));
        }
        let skin = Some(&textures["SKIN"]).filter(|skin| !skin.is_null());
        let skin = skin.map(|skin| {
            let url = skin["url"].as_str().map(str::to_owned);
            let model = skin["metadata"]["model"].as_str();
            let model = model.and_then(|model| model.parse().ok());
            let url = url.ok_or_else(|| malformed("textures.SKIN.url"))?;
            Ok((url, model.unwrap_or_default()))
        });
        Ok(Self {
            skin: skin.transpose()?,
            // A malformed cape is ignored: it must not cost the player the skin.
            cape: textures["CAPE"]["url"].as_str().map(str::to_owned),
        })
    }
}
