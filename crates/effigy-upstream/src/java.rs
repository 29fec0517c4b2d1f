//! Java UUID to session profile.

use effigy_player::Uuid;
use serde_json::Value;

use crate::call::{Caller, json};
use crate::segment::Segment;
use crate::texture_record::Textures;
use crate::{Endpoints, Step, Transport, Upstream, UpstreamError};

/// What the session service tells of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Session {
    /// The name as the player writes it.
    pub(crate) name: Option<String>,
    /// What the player wears.
    pub(crate) textures: Textures,
}

/// The session profile of a Java UUID.
pub(crate) fn session<T: Transport>(
    caller: &Caller<'_, T>,
    endpoints: &Endpoints,
    uuid: Uuid,
) -> Result<Session, UpstreamError> {
    let step = Step::Session;
    let url = endpoints
        .java_session
        .join("session/minecraft/profile", &Segment::from(uuid));
    let response = caller.get(Upstream::Session, step, url)?;
    match response.status {
        200 => {
            let profile = json(step, &response)?;
            let value = textures_property(&profile)?;
            let textures = value.map(|value| Textures::from_value(step, value));
            let name = profile.get("name").and_then(Value::as_str);
            Ok(Session {
                name: name.map(str::to_owned),
                textures: textures.transpose()?.unwrap_or_default(),
            })
        }
        204 => Err(UpstreamError::not_found(step, &uuid.to_string())),
        // With 400 the service says that this is no UUID, so it is nobody's.
        400 | 404 if response.is_plain() => Err(UpstreamError::not_found(step, &uuid.to_string())),
        status => Err(UpstreamError::Status { step, status }),
    }
}

/// The value of the property named `textures`, else of the first; `None` where there are none.
fn textures_property(profile: &Value) -> Result<Option<&str>, UpstreamError> {
    let malformed = |field| UpstreamError::Shape {
        step: Step::Session,
        field,
    };
    let properties = profile.get("properties").and_then(Value::as_array);
    let properties = properties.ok_or_else(|| malformed("properties"))?;
    let named = properties
        .iter()
        .find(|property| property.get("name").and_then(Value::as_str) == Some("textures"));
    let Some(property) = named.or(properties.first()) else {
        return Ok(None);
    };
    let value = property.get("value").and_then(Value::as_str);
    value.map(Some).ok_or_else(|| malformed("properties.value"))
}
