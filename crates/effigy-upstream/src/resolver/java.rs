//! Java players: name to UUID, UUID to session profile.

use std::time::Duration;

use effigy_player::Uuid;
use serde_json::Value;

use super::caller::Caller;
use super::records::{self, Textures, text};
use crate::config::BaseUrl;
use crate::error::UpstreamError;
use crate::limits::{LimitReason, Upstream};
use crate::transport::{Response, Step};

/// The host of the current form of the name look-up of the public service. Any other service has
/// both forms below one base URL.
const PUBLIC_CURRENT: &str = "https://api.minecraftservices.com";

/// The length of the longest name of a Java account.
const MAX_NAME: usize = 25;

/// The pause of a form of the look-up once it is known to be gone.
pub(super) const GONE_PAUSE: Duration = Duration::from_secs(60);

/// The session profile of a player.
pub(super) struct Session {
    /// The name as the player writes it.
    pub(super) name: Option<String>,
    pub(super) textures: Textures,
}

impl Caller<'_> {
    /// Looks up the UUID of a Java name, without a call if it is known that no account has it.
    pub(super) fn java_uuid(&self, name: &str) -> Result<Uuid, UpstreamError> {
        let step = Step::Identity;
        if !self.can_be_account(name) {
            return Err(UpstreamError::not_found(step, name));
        }
        self.unless_missing(step, name, || self.identify(name))
    }

    /// Calls the identity service: the legacy form of the look-up, and the current one if the legacy one
    /// is refused or gone.
    pub(super) fn identify(&self, name: &str) -> Result<Uuid, UpstreamError> {
        let (upstream, path) = (Upstream::IdentityLegacy, "users/profiles/minecraft");
        let base = &self.config().endpoints.java_identity;
        let legacy = self.get_record(upstream, Step::Identity, base, path, name);
        let is_gone = is_gone(&legacy);
        if !is_gone && !is_refused(&legacy) {
            return parse_identity(&legacy?, name);
        }
        let (upstream, path) = (Upstream::IdentityCurrent, "minecraft/profile/lookup/name");
        let base = &self.current_base();
        let current = self.get_record(upstream, Step::Identity, base, path, name)?;
        let uuid = parse_identity(&current, name)?;
        if is_gone {
            // Only after the current form has found a player: a server with the legacy form alone may
            // send any 404.
            let limits = self.client.limits.of(Upstream::IdentityLegacy);
            limits.pause(self.now(), LimitReason::Refused, Some(GONE_PAUSE));
        }
        Ok(uuid)
    }

    /// Returns the base URL of the current forms.
    pub(super) fn current_base(&self) -> BaseUrl {
        let endpoints = &self.config().endpoints;
        if endpoints.is_public_identity() {
            BaseUrl::parse("default", PUBLIC_CURRENT).expect("the public url is valid")
        } else {
            endpoints.java_identity.clone()
        }
    }

    /// Returns whether an account can have this name. Today's names of the public service are shorter and
    /// have no other characters than letters, digits and `_`; some old accounts have the others.
    pub(super) fn can_be_account(&self, name: &str) -> bool {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.- ".contains(&byte);
        let is_possible = name.len() <= MAX_NAME && name.bytes().all(is_allowed);
        is_possible || !self.config().endpoints.is_public_identity()
    }

    /// Fetches the session profile of a Java UUID.
    pub(super) fn session(&self, uuid: Uuid) -> Result<Session, UpstreamError> {
        let uuid = uuid.to_string();
        self.unless_missing(Step::Session, &uuid, || self.fresh_session(&uuid))
    }

    fn fresh_session(&self, uuid: &str) -> Result<Session, UpstreamError> {
        let (step, path) = (Step::Session, "session/minecraft/profile");
        let base = &self.config().endpoints.java_session;
        let response = self.get_record(Upstream::Session, step, base, path, uuid)?;
        match response.status {
            200 => {
                let record = records::parse(step, &response.body, "properties")?;
                Ok(Session {
                    name: text(&record, "name"),
                    textures: textures(&record)?,
                })
            }
            204 => Err(UpstreamError::not_found(step, uuid)),
            // A 400 means that the UUID is malformed, so no player has it.
            400 | 404 if response.is_from_service() => Err(UpstreamError::not_found(step, uuid)),
            status => Err(UpstreamError::Status { step, status }),
        }
    }
}

/// Returns whether the legacy form is refused, now or a moment ago.
fn is_refused(legacy: &Result<Response, UpstreamError>) -> bool {
    match legacy {
        Ok(response) => response.status == 403,
        Err(UpstreamError::Limited { reason, .. }) => *reason == LimitReason::Refused,
        Err(_) => false,
    }
}

/// Returns whether the legacy form seems to be gone. Only the current form can tell that from a
/// player who does not exist.
fn is_gone(legacy: &Result<Response, UpstreamError>) -> bool {
    legacy.as_ref().is_ok_and(|response| match response.status {
        410 => true,
        // Small servers send an empty 404 if there is no such player.
        404 => !response.body.is_empty() && !is_identity_error(response),
        _ => false,
    })
}

/// Parses the response of either form.
fn parse_identity(response: &Response, name: &str) -> Result<Uuid, UpstreamError> {
    let step = Step::Identity;
    match response.status {
        200 => records::identity(&records::parse(step, &response.body, "id")?),
        204 => Err(UpstreamError::not_found(step, name)),
        404 if response.is_from_service() => Err(UpstreamError::not_found(step, name)),
        // The service rejects the name, so no player has it.
        400 if is_identity_error(response) => Err(UpstreamError::not_found(step, name)),
        status => Err(UpstreamError::Status { step, status }),
    }
}

/// Returns whether a response is an error of the identity service itself.
fn is_identity_error(response: &Response) -> bool {
    let record = records::parse(Step::Identity, &response.body, "errorMessage");
    record.is_ok_and(|record| record["errorMessage"].is_string())
}

/// Decodes the property named `textures`, else the first one. A profile without properties has no
/// textures.
fn textures(session: &Value) -> Result<Textures, UpstreamError> {
    let malformed = |field| UpstreamError::Shape {
        step: Step::Session,
        field,
    };
    let properties = session["properties"].as_array();
    let properties = properties.ok_or_else(|| malformed("properties"))?;
    let named = properties
        .iter()
        .find(|property| property["name"] == "textures");
    let Some(property) = named.or(properties.first()) else {
        return Ok(Textures::default());
    };
    let value = property["value"].as_str();
    let value = value.ok_or_else(|| malformed("properties.value"))?;
    Textures::decode(Step::Session, value)
}
