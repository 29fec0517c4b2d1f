//! Bedrock players: gamertag to XUID, XUID to skin record.

use effigy_player::Model;
use serde_json::Value;

use super::caller::Caller;
use super::records::{self, Textures, text};
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
        let record = self.bedrock_record(step, "v2/xbox/xuid", gamertag, field)?;
        // Gateways write it as a number or as a string.
        match &record[field] {
            Value::Null => Err(UpstreamError::not_found(step, gamertag)),
            Value::Number(xuid) if xuid.is_u64() => Ok(xuid.to_string()),
            Value::String(xuid) if is_decimal(xuid) => Ok(xuid.clone()),
            _ => Err(UpstreamError::Shape { step, field }),
        }
    }

    /// Looks up the textures of an XUID: by URL, else in the encoded form of session profiles, else by
    /// hash.
    pub(super) fn bedrock_textures(&self, xuid: &str) -> Result<Textures, UpstreamError> {
        let step = Step::BedrockSkin;
        let record = self.unless_missing(step, xuid, || {
            self.bedrock_record(step, "v2/skin", xuid, "the record")
        })?;
        if record.as_object().is_some_and(|fields| fields.is_empty()) {
            return Ok(Textures::default());
        }
        let model = match record["is_steve"].as_bool() {
            Some(false) => Model::Slim,
            _ => Model::Classic,
        };
        if let Some(url) = text(&record, "skin_url") {
            return Ok(Textures::skin(url, model));
        }
        if let Some(value) = text(&record, "value") {
            return Textures::decode(step, &value);
        }
        let url = text(&record, "texture_id").and_then(|hash| self.url_of_hash(&hash));
        let field = "skin_url, value or texture_id";
        let url = url.ok_or(UpstreamError::Shape { step, field })?;
        Ok(Textures::skin(url.into(), model))
    }

    /// Fetches a record. `field` is the field to name in the error if it is not a JSON object.
    fn bedrock_record(
        &self,
        step: Step,
        path: &str,
        player: &str,
        field: &'static str,
    ) -> Result<Value, UpstreamError> {
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
