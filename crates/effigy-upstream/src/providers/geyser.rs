//! GeyserMC's service: gamertag to XUID, XUID to skin record.

use effigy_player::{Edition, Model, PlayerId};
use serde_json::Value;

use super::provider::{Opened, Provider};
use crate::caller::Caller;
use crate::config::{Endpoints, UpstreamConfig};
use crate::error::{Result, UpstreamError};
use crate::limits::Upstream;
use crate::profile::{Account, Profile};
use crate::records::{self, Textures, text};
use crate::texture::TextureUrl;
use crate::transport::Step;

/// The beginning of the message of a 503 that means "no such player". Any other 503 is an overload.
const NOT_IN_CACHE: &str = "Unable to find user";

/// An XUID that no player has.
const PROBED_XUID: &str = "0";

/// The Bedrock service of the endpoints.
struct Geyser(Endpoints);

/// Sets up the Bedrock service of the endpoints.
pub(super) fn open(_: &str, config: &UpstreamConfig) -> Result<Opened, String> {
    let endpoints = &config.endpoints;
    Ok(Opened {
        provider: Box::new(Geyser(endpoints.clone())),
        servers: endpoints.urls(),
        upstreams: &[Upstream::Bedrock],
    })
}

impl Geyser {
    /// Looks up the XUID of a gamertag.
    ///
    /// Java servers show the spaces of a gamertag as underscores. If no player has a gamertag with
    /// underscores, the one with spaces is tried.
    fn xuid(&self, caller: &Caller, gamertag: &str) -> Result<String> {
        match self.exact_xuid(caller, gamertag) {
            Err(error) if !error.is_outage() && gamertag.contains('_') => {
                self.exact_xuid(caller, &gamertag.replace('_', " "))
            }
            result => result,
        }
    }

    fn exact_xuid(&self, caller: &Caller, gamertag: &str) -> Result<String> {
        let (step, field) = (Step::Xuid, "xuid");
        let record = self.record(caller, step, "v2/xbox/xuid", gamertag, field)?;
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
    fn textures(&self, caller: &Caller, xuid: &str) -> Result<Textures> {
        let step = Step::BedrockSkin;
        let record = self.record(caller, step, "v2/skin", xuid, "the record")?;
        if record.as_object().is_some_and(|fields| fields.is_empty()) {
            return Ok(Textures::default());
        }
        let model = match record["is_steve"].as_bool() {
            Some(false) => Model::Slim,
            _ => Model::Classic,
        };
        if let Some(url) = text(&record, "skin_url") {
            return Ok(Textures::skin(TextureUrl::new(url), model));
        }
        if let Some(value) = text(&record, "value") {
            return Textures::decode(step, &value);
        }
        let hash = text(&record, "texture_id");
        let url = hash.and_then(|hash| self.0.texture.join("texture", &hash));
        let field = "skin_url, value or texture_id";
        let url = url.ok_or(UpstreamError::Shape { step, field })?;
        Ok(Textures::skin(TextureUrl::new(url.as_str()), model))
    }

    /// Fetches a record. `field` is the field to name in the error if it is not a JSON object.
    fn record(
        &self,
        caller: &Caller,
        step: Step,
        path: &str,
        player: &str,
        field: &'static str,
    ) -> Result<Value> {
        let base = &self.0.bedrock_lookup;
        let response = caller.get_record(Upstream::Bedrock, step, base, path, player)?;
        if response.status == 503 && is_not_in_cache(&response.body) {
            return Err(UpstreamError::not_found(step, player));
        }
        records::parse(step, records::body(&response, step, player)?, field)
    }
}

impl Provider for Geyser {
    fn can_know(&self, player: &PlayerId) -> bool {
        player.edition() == Edition::Bedrock
    }

    fn look_up(&self, caller: &Caller, player: &PlayerId) -> Result<Profile> {
        let (xuid, name) = match player {
            PlayerId::BedrockXuid(xuid) => (xuid.clone(), None),
            PlayerId::BedrockGamertag(gamertag) => {
                (self.xuid(caller, gamertag)?, Some(gamertag.clone()))
            }
            player => return Err(UpstreamError::no_player(player)),
        };
        let textures = self.textures(caller, &xuid)?;
        Ok(textures.worn_by(Account::Bedrock(Some(xuid)), name))
    }

    fn ping(&self, caller: &Caller) -> Result<()> {
        // An XUID costs nothing of the service's small limit of look-ups by gamertag.
        let found = self.textures(caller, PROBED_XUID).map(drop);
        found.or_else(UpstreamError::if_outage)
    }
}

fn is_not_in_cache(body: &[u8]) -> bool {
    String::from_utf8_lossy(body).contains(NOT_IN_CACHE)
}

fn is_decimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
