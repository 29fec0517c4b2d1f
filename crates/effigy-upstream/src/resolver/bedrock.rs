//! Bedrock players: gamertag to XUID, XUID to skin record.

use effigy_player::Model;
use serde_json::{Map, Value};

use super::caller::Caller;
use super::records::{self, BedrockSkin, Lenient, TextureRecord, Textures, Xuid, XuidRecord};
use crate::config::Segment;
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
        let body = self.bedrock_record(step, "v2/xbox/xuid", gamertag)?;
        let record: XuidRecord = records::parse(step, &body, field)?;
        match record.xuid {
            None => Err(UpstreamError::not_found(step, gamertag)),
            Some(Xuid::Number(xuid)) => Ok(xuid.to_string()),
            Some(Xuid::Text(xuid)) if is_decimal(&xuid) => Ok(xuid),
            Some(Xuid::Text(_)) => Err(UpstreamError::Shape { step, field }),
        }
    }

    /// Looks up the textures of an XUID.
    pub(super) fn bedrock_textures(&self, xuid: &str) -> Result<Textures, UpstreamError> {
        let step = Step::BedrockSkin;
        let body = self.bedrock_record(step, "v2/skin", xuid)?;
        let record: Map<String, Value> = records::parse(step, &body, "the record")?;
        if record.is_empty() {
            return Ok(Textures::default());
        }
        self.textures(records::parse(step, &body, "the record")?)
    }

    /// Returns the textures of a skin record: by URL, else in the encoded form of session profiles,
    /// else by hash.
    fn textures(&self, record: BedrockSkin) -> Result<Textures, UpstreamError> {
        let step = Step::BedrockSkin;
        let text = |field: Lenient<String>| field.get().filter(|text| !text.is_empty());
        let model = match record.is_steve.get() {
            Some(false) => Model::Slim,
            _ => Model::Classic,
        };
        if let Some(url) = text(record.skin_url) {
            return Ok(Textures::of_skin(TextureRecord { url, model }));
        }
        if let Some(value) = text(record.value) {
            return Textures::decode(step, &value);
        }
        let field = "skin_url, value or texture_id";
        let hash = text(record.texture_id).and_then(|hash| Segment::encode(&hash));
        let hash = hash.ok_or(UpstreamError::Shape { step, field })?;
        Ok(Textures::of_skin(self.texture_record(&hash, model)))
    }

    /// Fetches a record and returns its JSON.
    fn bedrock_record(
        &self,
        step: Step,
        path: &str,
        player: &str,
    ) -> Result<Vec<u8>, UpstreamError> {
        let not_found = || UpstreamError::not_found(step, player);
        let segment = Segment::encode(player).ok_or_else(not_found)?;
        let url = self.config.endpoints.bedrock_lookup.join(path, &segment);
        let response = self.get(Upstream::Bedrock, step, url)?;
        match response.status {
            200 => Ok(response.body),
            204 => Err(not_found()),
            400 | 404 if response.is_from_service() => Err(not_found()),
            503 if is_not_in_cache(&response) => Err(not_found()),
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
