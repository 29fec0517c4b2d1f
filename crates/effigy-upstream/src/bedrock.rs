//! Bedrock players: gamertag to XUID, XUID to texture record.

use effigy_player::Model;
use serde_json::{Map, Value};

use crate::call::{Caller, json};
use crate::segment::Segment;
use crate::texture_record::{TextureRecord, Textures};
use crate::{Endpoints, Response, Step, Transport, Upstream, UpstreamError};

/// How a 503 begins that means "no such player"; any other is an overload.
const NOT_IN_CACHE: &[u8] = b"Unable to find user";

/// The XUID of a gamertag.
///
/// On Java servers a gamertag is shown with its spaces turned into underscores, so where one with
/// underscores is nobody's, the one with spaces is tried.
pub(crate) fn xuid<T: Transport>(
    caller: &Caller<'_, T>,
    endpoints: &Endpoints,
    gamertag: &str,
) -> Result<String, UpstreamError> {
    match look_up(caller, endpoints, gamertag) {
        Err(error) if !error.is_outage() && gamertag.contains('_') => {
            look_up(caller, endpoints, &gamertag.replace('_', " "))
        }
        answer => answer,
    }
}

fn look_up<T: Transport>(
    caller: &Caller<'_, T>,
    endpoints: &Endpoints,
    gamertag: &str,
) -> Result<String, UpstreamError> {
    let step = Step::Xuid;
    let not_found = || UpstreamError::not_found(step, gamertag);
    let segment = Segment::encode(gamertag).ok_or_else(not_found)?;
    let url = endpoints.bedrock_lookup.join("v2/xbox/xuid", &segment);
    let response = caller.get(Upstream::Bedrock, step, url)?;
    if response.status != 200 {
        return Err(refusal(step, gamertag, &response));
    }
    let record = object(step, &response)?;
    match record.get("xuid") {
        None | Some(Value::Null) => Err(not_found()),
        Some(Value::Number(xuid)) if xuid.is_u64() => Ok(xuid.to_string()),
        Some(Value::String(xuid)) if is_decimal(xuid) => Ok(xuid.clone()),
        Some(_) => Err(UpstreamError::Shape {
            step,
            field: "xuid",
        }),
    }
}

/// What a player of this XUID wears.
pub(crate) fn skin<T: Transport>(
    caller: &Caller<'_, T>,
    endpoints: &Endpoints,
    xuid: &str,
) -> Result<Textures, UpstreamError> {
    let step = Step::BedrockSkin;
    let segment = Segment::encode(xuid).ok_or_else(|| UpstreamError::not_found(step, xuid))?;
    let url = endpoints.bedrock_lookup.join("v2/skin", &segment);
    let response = caller.get(Upstream::Bedrock, step, url)?;
    if response.status != 200 {
        return Err(refusal(step, xuid, &response));
    }
    let record = object(step, &response)?;
    if record.is_empty() {
        return Ok(Textures::default());
    }
    textures(endpoints, &record)
}

/// The texture that a skin record names: by URL, else in the encoded form that sessions have, else
/// by hash.
fn textures(endpoints: &Endpoints, record: &Map<String, Value>) -> Result<Textures, UpstreamError> {
    let step = Step::BedrockSkin;
    let text = |field| match record.get(field).and_then(Value::as_str) {
        Some("") | None => None,
        text => text,
    };
    let model = match record.get("is_steve") {
        Some(Value::Bool(false)) => Model::Slim,
        _ => Model::Classic,
    };
    let skin = |skin| Textures {
        skin: Some(skin),
        cape: None,
    };
    if let Some(url) = text("skin_url") {
        let url = url.to_owned();
        return Ok(skin(TextureRecord { url, model }));
    }
    if let Some(value) = text("value") {
        return Textures::from_value(step, value);
    }
    let field = "skin_url, value or texture_id";
    let hash = text("texture_id").and_then(Segment::encode);
    let hash = hash.ok_or(UpstreamError::Shape { step, field })?;
    let record = TextureRecord::from_hash(&endpoints.texture, &hash, model);
    Ok(skin(record))
}

/// What a status other than 200 means.
fn refusal(step: Step, player: &str, response: &Response) -> UpstreamError {
    let unknown = || {
        response
            .body
            .windows(NOT_IN_CACHE.len())
            .any(|words| words == NOT_IN_CACHE)
    };
    match response.status {
        204 => UpstreamError::not_found(step, player),
        400 | 404 if response.is_plain() => UpstreamError::not_found(step, player),
        503 if unknown() => UpstreamError::not_found(step, player),
        status => UpstreamError::Status { step, status },
    }
}

fn object(step: Step, response: &Response) -> Result<Map<String, Value>, UpstreamError> {
    match json(step, response)? {
        Value::Object(record) => Ok(record),
        _ => Err(UpstreamError::Shape {
            step,
            field: "the record",
        }),
    }
}

fn is_decimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
