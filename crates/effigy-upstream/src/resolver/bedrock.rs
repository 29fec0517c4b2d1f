//! Bedrock players: gamertag to XUID, XUID to skin record.

use effigy_player::Model;
use serde_json::Value;

use super::caller::Caller;
use super::records::{self, Record, TextureRecord, Textures};
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
        match self.exact_xuid(gamertag) {
            Err(error) if !error.is_outage() && gamertag.contains('_') => {
                self.exact_xuid(&gamertag.replace('_', " "))
            }
            result => result,
        }
    }

    fn exact_xuid(&self, gamertag: &str) -> Result<String, UpstreamError> {
        let (step, field) = (Step::Xuid, "xuid");
        let record = self.bedrock_record(step, "v2/xbox/xuid", gamertag, field)?;
        // Gateways write it as a number or as a string.
        match record.get(field) {
            None | Some(Value::Null) => Err(UpstreamError::not_found(step, gamertag)),
            Some(Value::Number(xuid)) if xuid.is_u64() => Ok(xuid.to_string()),
            Some(Value::String(xuid)) if is_decimal(xuid) => Ok(xuid.clone()),
            Some(_) => Err(UpstreamError::Shape { step, field }),
        }
    }

    /// Looks up the textures of an XUID: by URL, else in the encoded form of session profiles, else by
    /// hash.
    pub(super) fn bedrock_textures(&self, xuid: &str) -> Result<Textures, UpstreamError> {
        let step = Step::BedrockSkin;
        let record = self.bedrock_record(step, "v2/skin", xuid, "the record")?;
        if record.is_empty() {
            return Ok(Textures::default());
        }
        let text = |field| records::text(&record, field).filter(|text| !text.is_empty());
        let is_slim = record.get("is_steve") == Some(&Value::Bool(false));
        let model = if is_slim { Model::Slim } else { Model::Classic };
        if let Some(url) = text("skin_url") {
            let url = url.to_owned();
            return Ok(TextureRecord { url, model }.into());
        }
        if let Some(value) = text("value") {
            return Textures::decode(step, value);
        }
        let field = "skin_url, value or texture_id";
        let skin = text("texture_id").and_then(|hash| self.texture_record(hash, model));
        skin.map(Textures::from)
            .ok_or(UpstreamError::Shape { step, field })
    }

    /// Fetches a record. `field` is the field to name in the error if it is not a JSON object.
    fn bedrock_record(
        &self,
        step: Step,
        path: &str,
        player: &str,
        field: &'static str,
    ) -> Result<Record, UpstreamError> {
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
