//! The JSON records of the upstreams, as the specification defines them.
//!
//! Other servers leave out, add or change fields that are not used. So a field of the wrong type
//! counts as missing, and only a record without a usable value is an error.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_PAD_INDIFFERENT;
use effigy_player::{Model, Uuid};
use serde_json::Value;

use crate::{Account, Profile, ProfileSkin, Response, Step, TextureUrl, error::Result};

/// The maximum number of actions of a profile. Mojang has two.
const MAX_ACTIONS: usize = 16;

/// The longest action of a profile.
const MAX_ACTION_BYTES: usize = 64;

/// Returns the body of the answer to a look-up, or `None` if there is no such player.
pub(crate) fn body(response: &Response, step: Step) -> Result<Option<&[u8]>> {
    match response.status {
        200 => Ok(Some(&response.body)),
        // A 400 means that the name or number is malformed, so no player has it.
        204 | 400 | 404 if response.is_from_service() => Ok(None),
        _ => Err(response.failure(step)),
    }
}

/// Parses the answer to a look-up, or returns `None` if there is no such player.
pub(crate) fn record(response: &Response, step: Step) -> Result<Option<Value>> {
    match body(response, step)? {
        Some(json) => parse(step, json).map(Some),
        None => Ok(None),
    }
}

/// Parses a record, which is a JSON object.
pub(crate) fn parse(step: Step, json: &[u8]) -> Result<Value> {
    match serde_json::from_slice(json) {
        Ok(record @ Value::Object(_)) => Ok(record),
        _ => Err(step.malformed("the JSON object")),
    }
}

/// Returns the text of a field that is not empty.
pub(crate) fn text(record: &Value, field: &str) -> Option<String> {
    let text = record[field].as_str().filter(|text| !text.is_empty());
    text.map(str::to_owned)
}

/// Parses the answer to a look-up of a session profile. `property` finds the property with the
/// textures, if the profile has one.
pub(crate) fn session(
    response: &Response,
    uuid: Uuid,
    property: fn(&Value) -> Result<Option<&Value>>,
) -> Result<Option<Profile>> {
    let step = Step::Session;
    let Some(record) = record(response, step)? else {
        return Ok(None);
    };
    // The profile of another player says nothing about this player.
    if text(&record, "id").is_some_and(|id| Uuid::parse(&id) != Some(uuid)) {
        return Err(step.malformed("id"));
    }
    let mut profile = Profile::bare(Account::Java(uuid), text(&record, "name"));
    profile.legacy = record["legacy"].as_bool().unwrap_or_default();
    profile.profile_actions = profile_actions(&record);
    if let Some(property) = property(&record)? {
        let value = property["value"].as_str();
        profile = profile.wearing(step, value.ok_or(step.malformed("properties.value"))?)?;
    }
    Ok(Some(profile))
}

/// Returns the actions that a session profile lists, in its order. Only short texts are kept,
/// because they are repeated to clients.
fn profile_actions(session: &Value) -> Vec<String> {
    let mut actions = Vec::new();
    for action in session["profileActions"].as_array().into_iter().flatten() {
        if let Some(action) = action.as_str()
            && action.len() <= MAX_ACTION_BYTES
            && actions.len() < MAX_ACTIONS
        {
            actions.push(action.to_owned());
        }
    }
    actions
}

/// Returns the property of a session profile that is named `textures`.
pub(crate) fn textures_property(session: &Value) -> Result<Option<&Value>> {
    let mut properties = session["properties"].as_array().into_iter().flatten();
    Ok(properties.find(|property| property["name"] == "textures"))
}

impl ProfileSkin {
    /// A skin that the player has set. The URL is not yet checked.
    pub(crate) fn own(texture: TextureUrl, model: impl Into<Option<Model>>) -> Self {
        Self {
            texture,
            model: model.into(),
            is_default: false,
        }
    }
}

impl Profile {
    /// A profile without skin and cape, which the chain completes.
    pub(crate) fn bare(account: Account, name: Option<String>) -> Self {
        Self {
            account,
            name,
            skin: None,
            cape: None,
            legacy: false,
            profile_actions: Vec::new(),
            provider: Arc::default(),
            is_certain: true,
        }
    }

    /// Adds the textures of the base64 value of a `textures` property. Their URLs are not yet
    /// checked.
    pub(crate) fn wearing(mut self, step: Step, value: &str) -> Result<Self> {
        let encoded: String = value.split_ascii_whitespace().collect();
        let json = STANDARD_PAD_INDIFFERENT.decode(encoded);
        let json = json.map_err(|_| step.malformed("the base64 of the textures"))?;
        let record = parse(step, &json)?;
        let textures = &record["textures"];
        // An empty map may be written as an empty array.
        let is_empty_array = textures.as_array().is_some_and(Vec::is_empty);
        if !textures.is_object() && !is_empty_array {
            return Err(step.malformed("textures"));
        }
        let skin = &textures["SKIN"];
        if !skin.is_null() {
            let url = skin["url"].as_str();
            let url = url.ok_or(step.malformed("textures.SKIN.url"))?;
            let model = skin["metadata"]["model"].as_str();
            let model: Option<Model> = model.and_then(|model| model.parse().ok());
            self.skin = Some(ProfileSkin::own(
                TextureUrl::new(url),
                model.unwrap_or_default(),
            ));
        }
        // A malformed cape is ignored: it must not cost the player the skin.
        self.cape = textures["CAPE"]["url"].as_str().map(TextureUrl::new);
        Ok(self)
    }
}
