//! Java players: name to UUID, UUID to session profile.

use std::time::Duration;

use effigy_player::Uuid;

use super::caller::Caller;
use super::records::{self, Identity, IdentityError, Property, Session, Textures};
use crate::config::{BaseUrl, NameLookup};
use crate::error::UpstreamError;
use crate::limits::{LimitReason, Upstream};
use crate::transport::{Response, Step};

/// The host of the current form of the name look-up of the public service. Any other service has
/// both forms below one base URL.
const PUBLIC_CURRENT: &str = "https://api.minecraftservices.com";

/// The length of the longest name of a Java account.
const MAX_NAME: usize = 25;

/// The pause of the legacy form once it is known to be gone.
pub(super) const GONE_PAUSE: Duration = Duration::from_secs(60);

/// The session profile of a player.
pub(super) struct JavaProfile {
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

    /// Calls the identity service, by the form of the look-up that the settings choose.
    pub(super) fn identify(&self, name: &str) -> Result<Uuid, UpstreamError> {
        let current = || parse_identity(&self.current_form(name)?, name);
        match self.config().name_lookup {
            NameLookup::Legacy => parse_identity(&self.legacy_form(name)?, name),
            NameLookup::Current => current(),
            NameLookup::Auto => {
                let legacy = self.legacy_form(name);
                if is_refused(&legacy) {
                    return current();
                }
                if !is_gone(&legacy) {
                    return parse_identity(&legacy?, name);
                }
                let uuid = current()?;
                // Only after the current form has found a player: a server with the legacy form
                // alone may send any 404.
                let limits = self.resolver.limits.of(Upstream::IdentityLegacy);
                limits.pause(self.now(), LimitReason::Refused, Some(GONE_PAUSE));
                Ok(uuid)
            }
        }
    }

    fn legacy_form(&self, name: &str) -> Result<Response, UpstreamError> {
        let (upstream, path) = (Upstream::IdentityLegacy, "users/profiles/minecraft");
        let base = &self.config().endpoints.java_identity;
        self.get_record(upstream, Step::Identity, base, path, name)
    }

    fn current_form(&self, name: &str) -> Result<Response, UpstreamError> {
        let (upstream, path) = (Upstream::IdentityCurrent, "minecraft/profile/lookup/name");
        self.get_record(upstream, Step::Identity, &self.current_base(), path, name)
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
    pub(super) fn session(&self, uuid: Uuid) -> Result<JavaProfile, UpstreamError> {
        let uuid = uuid.to_string();
        self.unless_missing(Step::Session, &uuid, || self.fresh_session(&uuid))
    }

    fn fresh_session(&self, uuid: &str) -> Result<JavaProfile, UpstreamError> {
        let (step, path) = (Step::Session, "session/minecraft/profile");
        let base = &self.config().endpoints.java_session;
        let response = self.get_record(Upstream::Session, step, base, path, uuid)?;
        match response.status {
            200 => {
                let session: Session = records::parse(step, &response.body, "properties")?;
                Ok(JavaProfile {
                    name: session.name,
                    textures: textures(&session.properties)?,
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
        200 => {
            let identity: Identity = records::parse(step, &response.body, "id")?;
            Uuid::parse(&identity.id).ok_or(UpstreamError::Shape { step, field: "id" })
        }
        204 => Err(UpstreamError::not_found(step, name)),
        404 if response.is_from_service() => Err(UpstreamError::not_found(step, name)),
        // The service rejects the name, so no player has it.
        400 if is_identity_error(response) => Err(UpstreamError::not_found(step, name)),
        status => Err(UpstreamError::Status { step, status }),
    }
}

fn is_identity_error(response: &Response) -> bool {
    records::parse::<IdentityError>(Step::Identity, &response.body, "errorMessage").is_ok()
}

/// Decodes the property named `textures`, else the first one. A profile without properties has no
/// textures.
fn textures(properties: &[Property]) -> Result<Textures, UpstreamError> {
    let step = Step::Session;
    let is_named = |property: &&Property| property.name.as_deref() == Some("textures");
    let Some(property) = properties.iter().find(is_named).or(properties.first()) else {
        return Ok(Textures::default());
    };
    let field = "properties.value";
    let value = property.value.as_deref();
    Textures::decode(step, value.ok_or(UpstreamError::Shape { step, field })?)
}
