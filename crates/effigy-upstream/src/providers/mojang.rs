//! Mojang's services: name to UUID in two forms, UUID to session profile.

use effigy_player::{PlayerId, Uuid};
use serde_json::Value;
use url::Url;

use super::{PROBED_PLAYER, Provider, is_offline};
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
    let current = match endpoints.is_public(|at| &at.java_identity) {
        true => BaseUrl::parse(PUBLIC_CURRENT)?,
        false => endpoints.java_identity.clone(),
    };
    Ok(Box::new(Mojang { endpoints, current }))
}

impl Mojang {
    /// Calls the identity service: the legacy form of the look-up, and the current one if the legacy one
    /// is refused or gone.
    fn identify(&self, fetcher: &Fetcher, name: &str) -> Result<Option<Uuid>> {
        let step = Step::Identity;
        let url = (self.endpoints.java_identity).join("users/profiles/minecraft", name);
        let legacy = fetcher.get(Upstream::IdentityLegacy, step, url);
        let is_gone = match &legacy {
            Ok(response) if is_gone(response) => true,
            // It is refused, now or a moment ago.
            Ok(response) if response.status == 403 => false,
            Err(error) if error.limit() == Some(LimitReason::Refused) => false,
            _ => return parse_identity(&legacy?),
        };
        let url = self.current.join("minecraft/profile/lookup/name", name);
        let current = fetcher.get(Upstream::IdentityCurrent, step, url)?;
        let uuid = parse_identity(&current)?;
        // Only after the current form has found a player: a server with the legacy form alone may
        // send any 404.
        if is_gone && uuid.is_some() {
            let limits = fetcher.limits(Upstream::IdentityLegacy);
            limits.refuse(fetcher.now());
        }
        Ok(uuid)
    }

    /// Fetches the session profile of a Java UUID.
    fn session(&self, fetcher: &Fetcher, uuid: Uuid) -> Result<Option<Profile>> {
        let (base, path) = (&self.endpoints.java_session, "session/minecraft/profile");
        let url = base.join(path, &uuid.to_string());
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
            // Today's names of the public service are shorter and have no other characters than letters,
            // digits and `_`; some old accounts have the others.
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

    fn profile(&self, fetcher: &Fetcher, player: &PlayerId) -> Result<Option<Profile>> {
        let uuid = match player {
            PlayerId::JavaName(name) => self.identify(fetcher, name)?,
            PlayerId::JavaUuid(uuid) => Some(*uuid),
            _ => None,
        };
        uuid.map_or(Ok(None), |uuid| self.session(fetcher, uuid))
    }

    fn ignores_case(&self) -> bool {
        true
    }

    fn ping(&self, fetcher: &Fetcher) -> Result<()> {
        match self.identify(fetcher, PROBED_PLAYER) {
            // A private service need not know the player. Any answer of its own will do.
            Err(error) if error.status() != Some(404) => Err(error),
            _ => Ok(()),
        }
    }
}

/// Returns `true` if the legacy form seems to be gone. Only the current form can tell that from a
/// player who does not exist.
fn is_gone(legacy: &Response) -> bool {
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
    let record = records::record(response, step)?;
    let uuid = record.map(|record| record["id"].as_str().and_then(Uuid::parse));
    uuid.map(|uuid| uuid.ok_or(step.malformed("id")))
        .transpose()
}

/// Returns `true` if a response is an error of the identity service itself.
fn is_identity_error(response: &Response) -> bool {
    let record = records::parse(Step::Identity, &response.body);
    record.is_ok_and(|record| record["errorMessage"].is_string())
}

/// Returns the property named `textures`, else the first one.
fn textures_property(session: &Value) -> Result<Option<&Value>> {
    let properties = session["properties"].as_array();
    let properties = properties.ok_or(Step::Session.malformed("properties"))?;
    Ok(records::textures_property(session)?.or(properties.first()))
}
