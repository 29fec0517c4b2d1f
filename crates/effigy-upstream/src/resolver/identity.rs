//! Java name to UUID, by either form of the look-up.

use std::time::Duration;

use effigy_player::Uuid;
use serde_json::Value;

use crate::call::{Caller, json};
use crate::segment::Segment;
use crate::{
    BaseUrl, Endpoints, Hold, NameLookup, Response, Step, Transport, Upstream, UpstreamConfig,
    UpstreamError,
};

/// Where the current form is on the public service. Elsewhere it is below the same base URL.
const PUBLIC_CURRENT: &str = "https://api.minecraftservices.com";

/// How long the legacy form is not asked once it is known to be gone.
const GONE_FOR: Duration = Duration::from_secs(60);

/// The identity service.
#[derive(Debug)]
pub(crate) struct IdentityService {
    lookup: NameLookup,
    legacy: BaseUrl,
    current: BaseUrl,
}

impl IdentityService {
    pub(crate) fn new(config: &UpstreamConfig) -> Self {
        let legacy = config.endpoints.java_identity.clone();
        let current = if legacy == Endpoints::default().java_identity {
            BaseUrl::parse("default", PUBLIC_CURRENT).expect("the public url is valid")
        } else {
            legacy.clone()
        };
        Self {
            lookup: config.policy.name_lookup,
            legacy,
            current,
        }
    }

    /// The UUID of a name.
    pub(crate) fn uuid<T: Transport>(
        &self,
        caller: &Caller<'_, T>,
        name: &str,
    ) -> Result<Uuid, UpstreamError> {
        let Some(segment) = Segment::encode(name) else {
            return Err(UpstreamError::not_found(Step::Identity, name));
        };
        let legacy = || self.legacy(caller, &segment);
        let current = || read(&self.current(caller, &segment)?, name);
        match self.lookup {
            NameLookup::Legacy => read(&legacy()?, name),
            NameLookup::Current => current(),
            NameLookup::Auto => {
                let response = legacy();
                let Some(detour) = Detour::of(&response) else {
                    return read(&response?, name);
                };
                let uuid = current();
                // Remembered only where the current form has found somebody: a server that has
                // the legacy one alone may word its 404s as it likes.
                if matches!((detour, &uuid), (Detour::Gone, Ok(_))) {
                    caller.leave_alone(Upstream::IdentityLegacy, GONE_FOR);
                }
                uuid
            }
        }
    }

    fn legacy<T: Transport>(
        &self,
        caller: &Caller<'_, T>,
        name: &Segment,
    ) -> Result<Response, UpstreamError> {
        let url = self.legacy.join("users/profiles/minecraft", name);
        caller.get(Upstream::IdentityLegacy, Step::Identity, url)
    }

    fn current<T: Transport>(
        &self,
        caller: &Caller<'_, T>,
        name: &Segment,
    ) -> Result<Response, UpstreamError> {
        let url = self.current.join("minecraft/profile/lookup/name", name);
        caller.get(Upstream::IdentityCurrent, Step::Identity, url)
    }
}

/// Why the current form is asked after the legacy one.
enum Detour {
    /// The legacy one is refused, now or a moment ago.
    Refused,
    /// It seems to be gone, which only the current one can tell from "no such player".
    Gone,
}

impl Detour {
    fn of(legacy: &Result<Response, UpstreamError>) -> Option<Self> {
        match legacy {
            Ok(response) => match response.status {
                403 => Some(Self::Refused),
                410 => Some(Self::Gone),
                // Nothing at all is how small servers say that there is nobody.
                404 if !response.body.is_empty() && error_message(response).is_none() => {
                    Some(Self::Gone)
                }
                _ => None,
            },
            Err(UpstreamError::Limited {
                hold: Hold::Refused,
                ..
            }) => Some(Self::Refused),
            Err(_) => None,
        }
    }
}

/// What either form answers.
fn read(response: &Response, name: &str) -> Result<Uuid, UpstreamError> {
    let step = Step::Identity;
    match response.status {
        200 => {
            let id = json(step, response)?;
            let id = id.get("id").and_then(Value::as_str).and_then(Uuid::parse);
            id.ok_or(UpstreamError::Shape { step, field: "id" })
        }
        204 => Err(UpstreamError::not_found(step, name)),
        404 if response.is_plain() => Err(UpstreamError::not_found(step, name)),
        // The service's word that nobody can be called that.
        400 if error_message(response).is_some() => Err(UpstreamError::not_found(step, name)),
        status => Err(UpstreamError::Status { step, status }),
    }
}

/// The words of the service itself.
fn error_message(response: &Response) -> Option<String> {
    let record: Value = serde_json::from_slice(&response.body).ok()?;
    record.get("errorMessage")?.as_str().map(str::to_owned)
}
