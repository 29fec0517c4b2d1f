//! The forms of other services for a player's profile.

use std::time::UNIX_EPOCH;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use effigy_player::Uuid;
use effigy_service::ServedFile;
use serde_json::{Value, json};

/// A player as the service's own profile describes it.
pub(super) struct Described {
    pub(super) uuid: Uuid,
    name: String,
    slim: bool,
    /// The URL of the skin, which may be the game's default.
    pub(super) skin: Option<String>,
    has_default_skin: bool,
    /// The URL of the cape.
    pub(super) cape: Option<String>,
    /// The time of the check as text.
    checked_at: String,
}

impl Described {
    /// Reads a profile. Another version of Effigy may have stored it in another form.
    pub(super) fn of(profile: &ServedFile) -> Option<Self> {
        let profile: Value = serde_json::from_slice(&profile.file.data).ok()?;
        let text = |name: &str| profile[name].as_str().map(str::to_owned);
        Some(Self {
            uuid: uuid_of(&profile)?,
            name: text("name").unwrap_or_default(),
            slim: profile["model"] == "slim",
            skin: text("texture_url"),
            has_default_skin: profile["default_skin"] == true,
            cape: text("cape_url"),
            checked_at: text("checked_at").unwrap_or_default(),
        })
    }

    /// Returns the form of the session server.
    pub(super) fn session(&self) -> Value {
        json!({
            "id": self.uuid.to_string(),
            "name": self.name,
            "properties": [{ "name": "textures", "value": self.property() }],
        })
    }

    /// Returns the form of MCHeads' search.
    pub(super) fn user(&self) -> Value {
        json!({
            "username": self.name,
            "uuid": self.uuid.to_string(),
            "id": self.uuid.to_string(),
        })
    }

    /// Returns the form of PlayerDB.
    pub(super) fn player_db(&self) -> Value {
        let raw_id = self.uuid.to_string();
        json!({
            "code": "player.found",
            "message": "Successfully found player by given ID.",
            "success": true,
            "error": false,
            "data": { "player": {
                "meta": { "cached_at": self.checked_millis() / 1000 },
                "username": self.name,
                "id": self.uuid.hyphenated(),
                "raw_id": raw_id,
                "avatar": format!("https://crafthead.net/avatar/{raw_id}"),
                "skin_texture": self.skin,
                "properties": [{ "name": "textures", "value": self.property() }],
                "name_history": [],
            }},
        })
    }

    /// Returns the form of Ashcon's API, which contains the files of the textures.
    pub(super) fn ashcon(&self, skin: Option<&ServedFile>, cape: Option<&ServedFile>) -> Value {
        let mut textures = json!({ "custom": !self.has_default_skin, "slim": self.slim });
        if let Some(file) = skin {
            textures["skin"] = texture(self.skin.as_deref(), file);
        }
        if let Some(file) = cape {
            textures["cape"] = texture(self.cape.as_deref(), file);
        }
        textures["raw"] = json!({ "value": self.property() });
        json!({
            "uuid": self.uuid.hyphenated(),
            "username": self.name,
            "username_history": [{ "username": self.name }],
            "textures": textures,
            "created_at": null,
        })
    }

    /// Returns the form of Starlight, which contains the size of the texture.
    pub(super) fn starlight(&self, skin: &ServedFile) -> Value {
        let [width, height] = png_size(&skin.file.data).unwrap_or_default();
        let mut profile = json!({
            "playerUUID": self.uuid.to_string(),
            "skinUrl": self.skin,
            "skinType": if self.slim { "slim" } else { "wide" },
            "skinTextureWidth": width,
            "skinTextureHeight": height,
        });
        if let Some(cape) = &self.cape {
            profile["userCape"] = json!(cape);
        }
        profile
    }

    /// Returns the property with the textures: JSON in base64. A default skin is left out.
    fn property(&self) -> String {
        let mut textures = json!({});
        if let Some(url) = &self.skin
            && !self.has_default_skin
        {
            textures["SKIN"] = json!({ "url": url });
            if self.slim {
                textures["SKIN"]["metadata"] = json!({ "model": "slim" });
            }
        }
        if let Some(url) = &self.cape {
            textures["CAPE"] = json!({ "url": url });
        }
        let document = json!({
            "timestamp": self.checked_millis(),
            "profileId": self.uuid.to_string(),
            "profileName": self.name,
            "textures": textures,
        });
        BASE64_STANDARD.encode(document.to_string())
    }

    /// Returns the time of the check in milliseconds since 1970, or 0 if it is not known.
    fn checked_millis(&self) -> u64 {
        let Ok(time) = humantime::parse_rfc3339(&self.checked_at) else {
            return 0;
        };
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        since.as_millis().try_into().unwrap_or(u64::MAX)
    }
}

/// Returns the UUID of a Java player, or the one that Floodgate gives a Bedrock player.
fn uuid_of(profile: &Value) -> Option<Uuid> {
    if let Some(uuid) = profile["uuid"].as_str() {
        return Uuid::parse(uuid);
    }
    let xuid: u64 = profile["xuid"].as_str()?.parse().ok()?;
    Some(Uuid(xuid.into()))
}

/// Returns a texture in Ashcon's form.
fn texture(url: Option<&str>, file: &ServedFile) -> Value {
    json!({ "url": url, "data": BASE64_STANDARD.encode(&file.file.data) })
}

/// Returns the width and height in the header of a PNG file.
fn png_size(file: &[u8]) -> Option<[u32; 2]> {
    let sides = file.get(16..24)?;
    let (width, height) = sides.split_first_chunk::<4>()?;
    let height = height.first_chunk::<4>()?;
    Some([u32::from_be_bytes(*width), u32::from_be_bytes(*height)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::respond::JSON;

    /// Returns the UUID of the player whom a profile describes.
    fn described_uuid(profile: &Value) -> Option<String> {
        let profile = ServedFile::made(profile.to_string(), JSON, UNIX_EPOCH);
        let player = Described::of(&profile)?;
        Some(player.uuid.to_string())
    }

    #[test]
    fn java_player_has_the_uuid_of_the_account() {
        let profile = json!({ "uuid": "069a79f444e94726a5befca90e38aaf5", "xuid": null });
        let expected = "069a79f444e94726a5befca90e38aaf5";
        assert_eq!(described_uuid(&profile).as_deref(), Some(expected));
    }

    #[test]
    fn bedrock_player_has_the_uuid_of_floodgate() {
        let profile = json!({ "uuid": null, "xuid": "2533274790395905" });
        // The XUID in hexadecimal digits.
        let expected = "00000000000000000009000000000001";
        assert_eq!(described_uuid(&profile).as_deref(), Some(expected));
    }

    /// The XUID of a player in a folder of skins may be unknown.
    #[test]
    fn player_without_uuid_and_xuid_is_not_described() {
        let profile = json!({ "uuid": null, "xuid": null });
        assert_eq!(described_uuid(&profile), None);
    }
}
