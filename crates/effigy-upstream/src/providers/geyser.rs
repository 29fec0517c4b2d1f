//! GeyserMC's service: gamertag to XUID, XUID to skin record.

use std::time::Duration;

use effigy_player::{Edition, Model, PlayerId};
use serde_json::Value;
use url::Url;

use super::{Provider, interval_of};
use crate::call::Call;
use crate::records::{self, text};
use crate::{
    Account, Endpoints, Profile, ProfileSkin, Step, TextureUrl, Upstream, UpstreamConfig,
    error::Result, fetcher::Fetcher,
};

/// The beginning of the message of a 503 that means "no such player". Any other 503 is an overload.
const NOT_IN_CACHE: &str = "Unable to find user";

/// An XUID that no player has.
const PROBED_XUID: &str = "0";

/// The Bedrock service of the endpoints.
struct Geyser(Endpoints);

/// Sets up the Bedrock service of the endpoints.
pub(super) fn set_up(_: &str, config: &UpstreamConfig) -> Result<Box<dyn Provider>, String> {
    Ok(Box::new(Geyser(config.endpoints.clone())))
}

impl Geyser {
    /// Looks up the XUID of a gamertag.
    ///
    /// Java servers show the spaces of a gamertag as underscores. If no player has a gamertag with
    /// underscores, the one with spaces is tried.
    fn xuid(&self, fetcher: &Fetcher, gamertag: &str) -> Result<Option<String>> {
        match self.exact_xuid(fetcher, gamertag)? {
            None if gamertag.contains('_') => self.exact_xuid(fetcher, &gamertag.replace('_', " ")),
            xuid => Ok(xuid),
        }
    }

    fn exact_xuid(&self, fetcher: &Fetcher, gamertag: &str) -> Result<Option<String>> {
        let url = self.0.bedrock_lookup.join("v2/xbox/xuid", gamertag);
        let record = record(fetcher, Step::Xuid, url)?;
        // Gateways write it as a number or as a string.
        match record.as_ref().map(|record| &record["xuid"]) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Number(xuid)) if xuid.is_u64() => Ok(Some(xuid.to_string())),
            Some(Value::String(xuid)) if is_decimal(xuid) => Ok(Some(xuid.clone())),
            Some(_) => Err(Step::Xuid.malformed("xuid")),
        }
    }

    /// Looks up the skin of an XUID. A record has it as a URL, or else in the encoded form of
    /// session profiles, or else as a hash.
    fn skin(&self, fetcher: &Fetcher, xuid: &str, name: Option<String>) -> Result<Option<Profile>> {
        let step = Step::BedrockSkin;
        let Some(record) = record(fetcher, step, self.skin_url(xuid))? else {
            return Ok(None);
        };
        let mut profile = Profile::bare(Account::Bedrock(Some(xuid.to_owned())), name);
        if record.as_object().is_some_and(|fields| fields.is_empty()) {
            return Ok(Some(profile));
        }
        let skin_url = text(&record, "skin_url");
        if skin_url.is_none()
            && let Some(value) = text(&record, "value")
        {
            return profile.wearing(step, &value).map(Some);
        }
        let texture = match skin_url {
            Some(url) => TextureUrl::new(url),
            None => self.texture_of_id(&record)?,
        };
        let model = match record["is_steve"].as_bool() {
            Some(false) => Model::Slim,
            _ => Model::Classic,
        };
        profile.skin = Some(ProfileSkin::own(texture, model));
        Ok(Some(profile))
    }

    /// Returns the texture of the hash in a record.
    fn texture_of_id(&self, record: &Value) -> Result<TextureUrl> {
        let hash = text(record, "texture_id");
        let url = hash.and_then(|hash| self.0.texture.join("texture", &hash));
        match url {
            Some(url) => Ok(TextureUrl::new(url.as_str())),
            None => Err(Step::BedrockSkin.malformed("skin_url, value or texture_id")),
        }
    }

    /// Returns the URL of the skin record of an XUID.
    fn skin_url(&self, xuid: &str) -> Option<Url> {
        self.0.bedrock_lookup.join("v2/skin", xuid)
    }
}

impl Provider for Geyser {
    fn servers(&self) -> (Vec<Url>, &'static [Upstream]) {
        (self.0.urls(), &[Upstream::Bedrock])
    }

    fn can_know(&self, player: &PlayerId) -> bool {
        player.edition() == Edition::Bedrock
    }

    fn probe(&self, _: Upstream) -> Option<Call> {
        let url = self.skin_url(PROBED_XUID)?;
        Some(Call::get(Step::BedrockSkin, url))
    }

    fn upstreams_for(&self, _: &Fetcher, player: &PlayerId) -> Vec<Upstream> {
        match player {
            PlayerId::BedrockXuid(xuid) if is_zero(xuid) => Vec::new(),
            PlayerId::BedrockXuid(_) => vec![Upstream::Bedrock],
            // The gamertag is tried with spaces, too.
            PlayerId::BedrockGamertag(tag) if tag.contains('_') => vec![Upstream::Bedrock; 3],
            PlayerId::BedrockGamertag(_) => vec![Upstream::Bedrock; 2],
            _ => Vec::new(),
        }
    }

    fn profile(&self, fetcher: &Fetcher, player: &PlayerId) -> Result<Option<Profile>> {
        match player {
            // Plugins send zeros for the console.
            PlayerId::BedrockXuid(xuid) if is_zero(xuid) => Ok(None),
            PlayerId::BedrockXuid(xuid) => self.skin(fetcher, xuid, None),
            PlayerId::BedrockGamertag(gamertag) => match self.xuid(fetcher, gamertag)? {
                Some(xuid) => self.skin(fetcher, &xuid, Some(gamertag.clone())),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn profile_interval(&self) -> Duration {
        interval_of(self.0.is_public(|at| &at.bedrock_lookup))
    }

    fn ping(&self, fetcher: &Fetcher) -> Result<()> {
        // An XUID costs nothing of the service's small limit of look-ups by gamertag.
        self.skin(fetcher, PROBED_XUID, None).map(drop)
    }
}

/// Fetches a record, or returns `None` if there is no such player.
fn record(fetcher: &Fetcher, step: Step, url: Option<Url>) -> Result<Option<Value>> {
    // No URL can name such a player.
    let Some(url) = url else {
        return Ok(None);
    };
    let call = Call::get(step, url).with_unknown_player(NOT_IN_CACHE);
    let response = fetcher.call(Upstream::Bedrock, &call)?;
    if call.means_unknown_player(&response) {
        return Ok(None);
    }
    records::record(&response, step)
}

fn is_zero(xuid: &str) -> bool {
    xuid.trim_start_matches('0').is_empty()
}

fn is_decimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
