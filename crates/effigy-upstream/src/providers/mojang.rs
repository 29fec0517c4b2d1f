//! Mojang's services: name to UUID in two forms, UUID to session profile.

use std::time::Duration;

use effigy_player::{PlayerId, Uuid};
use serde_json::Value;
use url::Url;

use super::{PROBED_PLAYER, PROBED_UUID, Provider, interval_of, is_offline};
use crate::call::Call;
use crate::{
    BaseUrl, Endpoints, LimitReason, Profile, Response, Step, Upstream, UpstreamConfig,
    error::Result, fetcher::Fetcher, records,
};

/// The host of the current form of the name look-up of the public service. Any other service has
/// both forms below one base URL.
const PUBLIC_CURRENT: &str = "https://api.minecraftservices.com";

/// The length of the longest name of a Java account.
const MAX_NAME: usize = 25;

/// The Java services of the endpoints.
struct Mojang {
    endpoints: Endpoints,
    /// The address of the current form of the look-up of names.
    current: BaseUrl,
}

/// Sets up the Java services of the endpoints.
pub(super) fn set_up(_: &str, config: &UpstreamConfig) -> Result<Box<dyn Provider>, String> {
    let endpoints = config.endpoints.clone();
    let current = if endpoints.is_public(|at| &at.java_identity) {
        BaseUrl::parse(PUBLIC_CURRENT)?
    } else {
        endpoints.java_identity.clone()
    };
    Ok(Box::new(Mojang { endpoints, current }))
}

impl Mojang {
    /// Calls the identity service: the legacy form of the look-up, and the current one if the
    /// legacy one is refused or gone.
    fn identify(&self, fetcher: &Fetcher, name: &str) -> Result<Option<Uuid>> {
        let step = Step::Identity;
        let legacy = fetcher.get(Upstream::IdentityLegacy, step, self.legacy_url(name));
        let is_gone = legacy.as_ref().is_ok_and(seems_gone);
        if !is_gone && !is_refused(&legacy) {
            return parse_identity(&legacy?);
        }
        let current = fetcher.get(Upstream::IdentityCurrent, step, self.current_url(name))?;
        let uuid = parse_identity(&current)?;
        // Only after the current form has found a player: a server with the legacy form alone may
        // send any 404.
        if is_gone && uuid.is_some() {
            let limits = fetcher.limits(Upstream::IdentityLegacy);
            limits.open_as_refused(fetcher.now());
        }
        Ok(uuid)
    }

    /// Returns the URL of a name in the legacy form of the look-up.
    fn legacy_url(&self, name: &str) -> Option<Url> {
        let base = &self.endpoints.java_identity;
        base.join("users/profiles/minecraft", name)
    }

    /// Returns the URL of a name in the current form.
    fn current_url(&self, name: &str) -> Option<Url> {
        self.current.join("minecraft/profile/lookup/name", name)
    }

    /// Returns the URL of a session profile.
    fn session_url(&self, uuid: Uuid) -> Option<Url> {
        let base = &self.endpoints.java_session;
        base.join("session/minecraft/profile", &uuid.to_string())
    }

    /// Fetches the session profile of a Java UUID.
    fn session(&self, fetcher: &Fetcher, uuid: Uuid) -> Result<Option<Profile>> {
        let url = self.session_url(uuid);
        let response = fetcher.get(Upstream::Session, Step::Session, url)?;
        records::session(&response, uuid, textures_property)
    }
}

impl Provider for Mojang {
    fn servers(&self) -> (Vec<Url>, &'static [Upstream]) {
        use Upstream::{IdentityCurrent, IdentityLegacy, Session};
        let upstreams = &[IdentityLegacy, IdentityCurrent, Session];
        (self.endpoints.urls(), upstreams)
    }

    fn can_know(&self, player: &PlayerId) -> bool {
        match player {
            // Today's names of the public service are shorter, and have letters, digits and `_`
            // only. Some old accounts have the other characters.
            PlayerId::JavaName(name) => {
                let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.- ".contains(&byte);
                let is_possible = name.len() <= MAX_NAME && name.bytes().all(is_allowed);
                is_possible || !self.endpoints.is_public(|at| &at.java_identity)
            }
            PlayerId::JavaUuid(uuid) => {
                !is_offline(*uuid) || !self.endpoints.is_public(|at| &at.java_session)
            }
            _ => false,
        }
    }

    fn probe(&self, upstream: Upstream) -> Option<Call> {
        match upstream {
            Upstream::IdentityLegacy => {
                let url = self.legacy_url(PROBED_PLAYER)?;
                Some(Call::get(Step::Identity, url))
            }
            Upstream::IdentityCurrent => {
                let url = self.current_url(PROBED_PLAYER)?;
                Some(Call::get(Step::Identity, url))
            }
            _ => {
                let url = self.session_url(PROBED_UUID)?;
                Some(Call::get(Step::Session, url))
            }
        }
    }

    fn upstreams_for(&self, fetcher: &Fetcher, player: &PlayerId) -> Vec<Upstream> {
        if !matches!(player, PlayerId::JavaName(_)) {
            return vec![Upstream::Session];
        }
        // The second call of a look-up whose legacy form is refused just now is not planned: that
        // happens once, and the next plan has the current form alone.
        let legacy = fetcher.limits(Upstream::IdentityLegacy);
        if legacy.is_refused(fetcher.now()) {
            return vec![Upstream::IdentityCurrent, Upstream::Session];
        }
        vec![Upstream::IdentityLegacy, Upstream::Session]
    }

    fn profile(&self, fetcher: &Fetcher, player: &PlayerId) -> Result<Option<Profile>> {
        let uuid = match player {
            PlayerId::JavaName(name) => self.identify(fetcher, name)?,
            PlayerId::JavaUuid(uuid) => Some(*uuid),
            _ => None,
        };
        match uuid {
            Some(uuid) => self.session(fetcher, uuid),
            None => Ok(None),
        }
    }

    fn signed_profile(&self, fetcher: &Fetcher, uuid: Uuid) -> Result<Option<String>> {
        let mut url = self.session_url(uuid);
        if let Some(url) = &mut url {
            url.set_query(Some("unsigned=false"));
        }
        let response = fetcher.get(Upstream::Session, Step::Session, url)?;
        let record = records::record(&response, Step::Session)?;
        Ok(record.map(|record| record.to_string()))
    }

    fn tells_names(&self) -> bool {
        true
    }

    fn profile_interval(&self) -> Duration {
        interval_of(self.endpoints.is_public(|at| &at.java_session))
    }

    fn ignores_case(&self) -> bool {
        true
    }

    fn ping(&self, fetcher: &Fetcher) -> Result<()> {
        match self.identify(fetcher, PROBED_PLAYER) {
            // A private service may not know the player. Any answer of its own will do.
            Err(error) if error.status() != Some(404) => Err(error),
            _ => Ok(()),
        }
    }
}

/// Returns `true` if the legacy form has refused the call, now or a moment ago.
fn is_refused(legacy: &Result<Response>) -> bool {
    match legacy {
        Ok(response) => response.status == 403,
        Err(error) => error.limit() == Some(LimitReason::Refused),
    }
}

/// Returns `true` if the legacy form seems to be gone. Only the current form can tell that from a
/// player who does not exist.
fn seems_gone(legacy: &Response) -> bool {
    match legacy.status {
        410 => true,
        // Small servers send an empty 404 if there is no such player.
        404 => !legacy.body.is_empty() && !is_identity_error(legacy),
        _ => false,
    }
}

/// Parses the response of either form.
fn parse_identity(response: &Response) -> Result<Option<Uuid>> {
    let step = Step::Identity;
    // Only the service itself can reject the name.
    if response.status == 400 && !is_identity_error(response) {
        return Err(response.failure(step));
    }
    let Some(record) = records::record(response, step)? else {
        return Ok(None);
    };
    let uuid = record["id"].as_str().and_then(Uuid::parse);
    uuid.map(Some).ok_or(step.malformed("id"))
}

/// Returns `true` if a response is an error of the identity service itself.
fn is_identity_error(response: &Response) -> bool {
    let record = records::parse(Step::Identity, &response.body);
    record.is_ok_and(|record| record["errorMessage"].is_string())
}

/// Returns the property named `textures`, or else the first one.
fn textures_property(session: &Value) -> Result<Option<&Value>> {
    let Some(properties) = session["properties"].as_array() else {
        return Err(Step::Session.malformed("properties"));
    };
    Ok(records::textures_property(session)?.or(properties.first()))
}
