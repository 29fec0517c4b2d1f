//! Profiles in the forms of other services.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use effigy_player::Uuid;
use effigy_service::{
    Failure, Fault, FileRequest, FileSpec, PictureParams, ServedFile, ServiceError,
};
use hyper::{
    StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue},
};
use serde_json::{Value, json};

use super::{Call, Handled, Handlers};
use crate::{
    respond::{
        JSON, Response, empty, error::UNKNOWN_PLAYER, error::plain_error, image::file_response,
        json_response, set,
    },
    routes::{ProfileForm, version},
};

const TEXT: &str = "text/plain; charset=utf-8";

/// A player as the service's own profile describes it.
struct Described {
    uuid: Uuid,
    name: String,
    is_slim: bool,
    /// The URL of the skin, which may be the game's default.
    skin: Option<String>,
    is_default: bool,
    cape: Option<String>,
    /// The time of the check as text.
    checked_at: String,
}

impl Handlers {
    /// Responds with the profile of a player in one of the forms, or as its service does for a
    /// player who does not exist.
    pub(super) async fn family_profile(
        &self,
        form: ProfileForm,
        input: &str,
        call: &Call,
    ) -> Handled {
        if form == ProfileForm::SignedSession {
            let signed = FileSpec::SignedProfile(input.to_owned());
            match self.of_player(signed, call).await {
                Ok(record) => return Ok(self.profile_response(&record, call)),
                // It is shown without a signature.
                Err(failure) if matches!(*failure, ServiceError::NoSignature) => {}
                Err(failure) => return failed(form, failure),
            }
        }
        let found = self
            .of_player(FileSpec::Profile(input.to_owned()), call)
            .await;
        let profile = match found {
            Ok(profile) => profile,
            Err(failure) => return failed(form, failure),
        };
        let Some(player) = Described::of(&profile) else {
            // A Bedrock player whose XUID nobody knows has no account to describe.
            return Ok(missing(form, &ServiceError::NoSkin));
        };
        let body = match form {
            ProfileForm::Session | ProfileForm::SignedSession | ProfileForm::Crafthead => {
                session(&player)
            }
            ProfileForm::User => user(&player),
            ProfileForm::PlayerDb => player_db(&player),
            ProfileForm::Ashcon => self.ashcon(&player, input, call).await?,
            ProfileForm::Starlight => self.starlight(&player, input, call).await?,
            ProfileForm::DashedUuid => return Ok(text(&player.uuid.hyphenated())),
            ProfileForm::PlainUuid => return Ok(text(&player.uuid.to_string())),
        };
        let document = ServedFile::made(body.to_string(), JSON, self.service.now())
            .with_origin(profile.origin)
            .with_shelf_life(profile.shelf_life);
        Ok(self.profile_response(&document, call))
    }

    fn profile_response(&self, document: &ServedFile, call: &Call) -> Response {
        let headers = &call.head.headers;
        file_response(document, self.service.now(), headers, &self.cache_control)
    }

    async fn of_player(&self, spec: FileSpec, call: &Call) -> Result<ServedFile, Failure> {
        let request = FileRequest::from(spec)
            .from_client(call.client)
            .with_version(version(call.head.uri.query()));
        self.service.get(&request).await
    }

    /// Returns the form of Starlight, which has the size of the texture.
    async fn starlight(
        &self,
        player: &Described,
        input: &str,
        call: &Call,
    ) -> Result<Value, Failure> {
        let skin = FileSpec::Picture(PictureParams::OWN_SKIN, input.to_owned());
        let file = self.of_player(skin, call).await?;
        let [width, height] = png_size(&file.file.data).unwrap_or_default();
        let mut profile = json!({
            "playerUUID": player.uuid.to_string(),
            "skinUrl": player.skin,
            "skinType": if player.is_slim { "slim" } else { "wide" },
            "skinTextureWidth": width,
            "skinTextureHeight": height,
        });
        if let Some(cape) = &player.cape {
            profile["userCape"] = json!(cape);
        }
        Ok(profile)
    }

    /// Returns the form of Ashcon's API, which has the files of the textures in it.
    async fn ashcon(&self, player: &Described, input: &str, call: &Call) -> Result<Value, Failure> {
        let mut textures = json!({ "custom": !player.is_default, "slim": player.is_slim });
        if let Some(url) = &player.skin {
            let skin = FileSpec::Picture(PictureParams::OWN_SKIN, input.to_owned());
            let file = self.of_player(skin, call).await?;
            textures["skin"] = texture(url, &file);
        }
        if let Some(url) = &player.cape {
            match self
                .of_player(FileSpec::Cape(input.to_owned(), None), call)
                .await
            {
                Ok(file) => textures["cape"] = texture(url, &file),
                // The file of a cape may be gone.
                Err(failure) if failure.fault() == Fault::NotFound => {}
                Err(failure) => return Err(failure),
            }
        }
        textures["raw"] = json!({ "value": property(player) });
        Ok(json!({
            "uuid": player.uuid.hyphenated(),
            "username": player.name,
            "username_history": [{ "username": player.name }],
            "textures": textures,
            "created_at": null,
        }))
    }
}

impl Described {
    /// Reads a profile. Another version may have stored it in another form.
    fn of(profile: &ServedFile) -> Option<Self> {
        let profile: Value = serde_json::from_slice(&profile.file.data).ok()?;
        let text = |name: &str| profile[name].as_str().map(str::to_owned);
        let uuid = match text("uuid") {
            Some(uuid) => Uuid::parse(&uuid)?,
            None => {
                // The UUID that Floodgate gives a Bedrock player.
                let xuid: u64 = profile["xuid"].as_str()?.parse().ok()?;
                Uuid(u128::from(xuid))
            }
        };
        Some(Self {
            uuid,
            name: text("name").unwrap_or_default(),
            is_slim: profile["model"] == "slim",
            skin: text("texture_url"),
            is_default: profile["default_skin"] == true,
            cape: text("cape_url"),
            checked_at: text("checked_at").unwrap_or_default(),
        })
    }

    /// Returns the time of the check in milliseconds since 1970.
    fn checked_millis(&self) -> u64 {
        let time = humantime::parse_rfc3339(&self.checked_at).ok();
        let since = time.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        since.map_or(0, |since| since.as_millis().try_into().unwrap_or(u64::MAX))
    }
}

/// Returns the width and height in the header of a PNG file.
fn png_size(file: &[u8]) -> Option<[u32; 2]> {
    let sides = file.get(16..24)?;
    let (width, height) = sides.split_first_chunk::<4>()?;
    let height = height.first_chunk::<4>()?;
    Some([u32::from_be_bytes(*width), u32::from_be_bytes(*height)])
}

/// Returns the answer to a failure: that of the service if the player does not exist.
fn failed(form: ProfileForm, failure: Failure) -> Handled {
    match failure.fault() {
        Fault::NotFound | Fault::Request => Ok(missing(form, &failure)),
        _ => Err(failure),
    }
}

/// Returns the answer of a service about a player who does not exist.
fn missing(form: ProfileForm, failure: &ServiceError) -> Response {
    let not_found = StatusCode::NOT_FOUND;
    let mut response = match form {
        ProfileForm::Session | ProfileForm::SignedSession | ProfileForm::User => {
            empty(StatusCode::NO_CONTENT)
        }
        ProfileForm::Crafthead => plain_error(not_found, "User does not exist"),
        ProfileForm::Starlight => plain_error(not_found, UNKNOWN_PLAYER),
        ProfileForm::PlayerDb => {
            let body = json!({
                "message": "No player has this name or UUID.",
                "code": "minecraft.invalid_username",
                "data": {},
                "success": false,
                "error": true,
            });
            json_response(StatusCode::BAD_REQUEST, &body)
        }
        ProfileForm::Ashcon | ProfileForm::DashedUuid => {
            let body = json!({
                "code": 404,
                "error": "Not Found",
                "reason": "No player has this name or UUID.",
            });
            json_response(not_found, &body)
        }
        ProfileForm::PlainUuid => {
            let mut response = text("Not Found");
            *response.status_mut() = not_found;
            response
        }
    };
    // It may be a player soon, unless no player can be named so.
    if failure.fault() == Fault::NotFound {
        set(&mut response, CACHE_CONTROL, "public, max-age=60");
    }
    response
}

/// A response in plain text.
fn text(text: &str) -> Response {
    let mut response = empty(StatusCode::OK);
    *response.body_mut() = text.to_owned().into();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(TEXT));
    set(&mut response, CACHE_CONTROL, "public, max-age=60");
    response
}

/// Returns the form of the session server.
fn session(player: &Described) -> Value {
    json!({
        "id": player.uuid.to_string(),
        "name": player.name,
        "properties": [{ "name": "textures", "value": property(player) }],
    })
}

/// Returns the property with the textures, which is JSON in base64. A default skin is not in it.
fn property(player: &Described) -> String {
    let mut textures = json!({});
    if let Some(url) = &player.skin
        && !player.is_default
    {
        textures["SKIN"] = json!({ "url": url });
        if player.is_slim {
            textures["SKIN"]["metadata"] = json!({ "model": "slim" });
        }
    }
    if let Some(url) = &player.cape {
        textures["CAPE"] = json!({ "url": url });
    }
    let document = json!({
        "timestamp": player.checked_millis(),
        "profileId": player.uuid.to_string(),
        "profileName": player.name,
        "textures": textures,
    });
    BASE64_STANDARD.encode(document.to_string())
}

/// Returns the form of MCHeads' search.
fn user(player: &Described) -> Value {
    json!({
        "username": player.name,
        "uuid": player.uuid.to_string(),
        "id": player.uuid.to_string(),
    })
}

/// Returns the form of PlayerDB.
fn player_db(player: &Described) -> Value {
    let raw_id = player.uuid.to_string();
    json!({
        "code": "player.found",
        "message": "Successfully found player by given ID.",
        "success": true,
        "error": false,
        "data": { "player": {
            "meta": { "cached_at": player.checked_millis() / 1000 },
            "username": player.name,
            "id": player.uuid.hyphenated(),
            "raw_id": raw_id,
            "avatar": format!("https://crafthead.net/avatar/{raw_id}"),
            "skin_texture": player.skin,
            "properties": [{ "name": "textures", "value": property(player) }],
            "name_history": [],
        }},
    })
}

/// Returns a texture of Ashcon's form.
fn texture(url: &str, file: &ServedFile) -> Value {
    json!({ "url": url, "data": BASE64_STANDARD.encode(&file.file.data) })
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    fn described(uuid: &Value, xuid: &Value) -> Option<String> {
        let profile = json!({ "uuid": uuid, "xuid": xuid, "name": "Tag" });
        let profile = ServedFile::made(profile.to_string(), JSON, UNIX_EPOCH);
        let player = Described::of(&profile)?;
        Some(player.uuid.to_string())
    }

    #[test]
    fn a_bedrock_player_has_the_uuid_of_floodgate() {
        let none = &Value::Null;
        let uuid = "069a79f444e94726a5befca90e38aaf5";
        assert_eq!(described(&json!(uuid), none).as_deref(), Some(uuid));
        let floodgate = "00000000000000000009000000000001";
        let xuid = json!("2533274790395905");
        assert_eq!(described(none, &xuid).as_deref(), Some(floodgate));
        // The XUID of a player in a folder of skins may be unknown.
        assert_eq!(described(none, none), None);
    }
}
