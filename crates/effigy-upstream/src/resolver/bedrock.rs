//! Bedrock players: gamertag to XUID, XUID to skin record.

use effigy_player::Model;
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::caller::Caller;
use super::records::{self, BedrockSkin, TextureRecord, Textures, Xuid, XuidRecord};
use crate::error::UpstreamError;
use crate::limits::Upstream;
use crate::transport::{Response, Step};

/// The beginning of the message of a 503 that means "no such player". Any other 503 is an overload.
const NOT_IN_CACHE: &[u8] = b"Unable to find user";

impl Caller<'_> {
    /// Looks up the XUID of a gamertag.
    ///
    /// Java servers show the spaces of a gamertag as underscores. If no player has a gamertag with
    /// underscores, the one with spaces is tried.
    pub(super) fn xuid(&self, gamertag: &str) -> Result<String, UpstreamError> {
        let exact = |gamertag: &str| {
            self.unless_missing(Step::Xuid, gamertag, || self.exact_xuid(gamertag))
        };
        match exact(gamertag) {
            Err(error) if !error.is_outage() && gamertag.contains('_') => {
                exact(&gamertag.replace('_', " "))
            }
            result => result,
        }
    }

    fn exact_xuid(&self, gamertag: &str) -> Result<String, UpstreamError> {
        let (step, field) = (Step::Xuid, "xuid");
        let record: XuidRecord = self.bedrock_record(step, "v2/xbox/xuid", gamertag, field)?;
        match record.xuid {
            None => Err(UpstreamError::not_found(step, gamertag)),
            Some(Xuid::Number(xuid)) => Ok(xuid.to_string()),
            Some(Xuid::Text(xuid)) if is_decimal(&xuid) => Ok(xuid),
            Some(Xuid::Text(_)) => Err(UpstreamError::Shape { step, field }),
        }
    }

    /// Looks up the textures of an XUID: by URL, else in the encoded form of session profiles, else by
    /// hash.
    pub(super) fn bedrock_textures(&self, xuid: &str) -> Result<Textures, UpstreamError> {
        self.unless_missing(Step::BedrockSkin, xuid, || {
            self.fresh_bedrock_textures(xuid)
        })
    }

    fn fresh_bedrock_textures(&self, xuid: &str) -> Result<Textures, UpstreamError> {
        let step = Step::BedrockSkin;
        let record: Map<String, Value> =
            self.bedrock_record(step, "v2/skin", xuid, "the record")?;
        if record.is_empty() {
            return Ok(Textures::default());
        }
        let field = "skin_url, value or texture_id";
        let malformed = || UpstreamError::Shape { step, field };
        let record = BedrockSkin::deserialize(Value::Object(record)).map_err(|_| malformed())?;
        let text = |field: Option<String>| field.filter(|text| !text.is_empty());
        let model = match record.is_steve {
            Some(false) => Model::Slim,
            _ => Model::Classic,
        };
        if let Some(url) = text(record.skin_url) {
            return Ok(TextureRecord { url, model }.into());
        }
        if let Some(value) = text(record.value) {
            return Textures::decode(step, &value);
        }
        let hash = text(record.texture_id);
        let url = hash.and_then(|hash| self.texture_url(&hash));
        let url = url.ok_or_else(malformed)?;
        Ok(TextureRecord { url, model }.into())
    }

    /// Fetches a record. `field` is the field to name in the error if it is not a JSON object.
    fn bedrock_record<T: DeserializeOwned>(
        &self,
        step: Step,
        path: &str,
        player: &str,
        field: &'static str,
    ) -> Result<T, UpstreamError> {
        let base = &self.config().endpoints.bedrock_lookup;
        let response = self.get_record(Upstream::Bedrock, step, base, path, player)?;
        match response.status {
            200 => records::parse(step, &response.body, field),
            204 => Err(UpstreamError::not_found(step, player)),
            400 | 404 if response.is_from_service() => Err(UpstreamError::not_found(step, player)),
            503 if is_not_in_cache(&response) => Err(UpstreamError::not_found(step, player)),
            status => Err(UpstreamError::Status { step, status }),
        }
    }
}

fn is_not_in_cache(response: &Response) -> bool {
    let mut windows = response.body.windows(NOT_IN_CACHE.len());
    windows.any(|window| window == NOT_IN_CACHE)
}

fn is_decimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
