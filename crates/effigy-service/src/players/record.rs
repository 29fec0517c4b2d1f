//! Records of players: who somebody is, what they wear, and when this was last checked.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use effigy_player::PlayerId;
use effigy_store::TextureId;
use effigy_upstream::{LocalProfile, Profile, TextureUrl, Validators};
use serde::{Deserialize, Serialize};

use crate::reuse::age::is_younger;

/// The versions (`v=`) that a record remembers.
const MAX_VERSIONS: usize = 4;

/// The version of the stored form. Players with records of another form are looked up again.
const FORM: u32 = 1;

/// A player as known from the upstreams. It is the only thing that can go out of date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlayerRecord {
    /// The answer of the provider.
    pub(crate) profile: Profile,
    /// The hashes of the textures that the profile names, as far as they were fetched. They may
    /// still be those of an earlier profile.
    pub(crate) textures: LearnedTextures,
    /// The time at which the upstreams last confirmed the record.
    pub(crate) checked_at: SystemTime,
    /// The last versions that clients have named, as hashes.
    versions: Vec<u64>,
}

/// The textures of a player that were fetched, and whose hashes are known since.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LearnedTextures {
    pub(crate) skin: Option<LearnedTexture>,
    pub(crate) cape: Option<LearnedTexture>,
}

/// A texture that was fetched: its URL and its hash, without the bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LearnedTexture {
    /// The URL that it was fetched from.
    url: String,
    /// The SHA-256 of the file, or `None` if there is no such file.
    #[serde(with = "optional_id")]
    pub(crate) id: Option<TextureId>,
    /// The validators with which the server can tell that it is unchanged.
    pub(crate) validators: Validators,
}

/// The relation of a version (`v=`) to those that a record knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VersionStatus {
    /// The record knows it.
    Known,
    /// The record knows no version yet, so it takes this one as known without a check.
    First,
    /// The record knows others, so a check must confirm that this one shows the current look.
    New,
}

/// A record as it is stored. The time of the check has a column of its own.
#[derive(Serialize, Deserialize)]
struct StoredRecord {
    form: u32,
    profile: Profile,
    textures: LearnedTextures,
    versions: Vec<u64>,
}

impl PlayerRecord {
    /// A record that was checked just now.
    pub(crate) fn new(profile: Profile, textures: LearnedTextures, checked_at: SystemTime) -> Self {
        Self {
            profile,
            textures,
            checked_at,
            versions: Vec::new(),
        }
    }

    /// The record of a player in the folder of skins.
    pub(crate) fn of_local(local: LocalProfile, now: SystemTime) -> Self {
        let learned = |url: Option<&TextureUrl>| {
            let url = url?;
            let id = url.file_sha256()?.into();
            Some(LearnedTexture::new(url, Some(id), Validators::default()))
        };
        let profile = local.profile;
        let textures = LearnedTextures {
            skin: learned(profile.skin.as_ref().map(|skin| &skin.texture)),
            cape: learned(profile.cape.as_ref()),
        };
        Self::new(profile, textures, now)
    }

    /// Returns `true` if the record was checked less than this time ago.
    pub(crate) fn is_younger_than(&self, age: Duration, now: SystemTime) -> bool {
        is_younger(self.checked_at, age, now)
    }

    /// Returns `true` if the skin is a file in the folder of skins, so that the record is never
    /// stored.
    pub(crate) fn is_local(&self) -> bool {
        match &self.profile.skin {
            Some(skin) => skin.texture.file().is_some(),
            None => false,
        }
    }

    /// Returns the learned skin, if it was fetched from the URL that the profile names.
    pub(crate) fn learned_skin(&self) -> Option<&LearnedTexture> {
        let url = &self.profile.skin.as_ref()?.texture;
        let fetched = self.textures.skin.as_ref()?;
        if fetched.is_from(url) {
            Some(fetched)
        } else {
            None
        }
    }

    /// Returns the hash of the skin's file, if it is known.
    pub(crate) fn skin_id(&self) -> Option<TextureId> {
        self.learned_skin()?.id
    }

    /// Returns the learned cape, if it was fetched from the URL that the profile names.
    pub(crate) fn learned_cape(&self) -> Option<&LearnedTexture> {
        let url = self.profile.cape.as_ref()?;
        let fetched = self.textures.cape.as_ref()?;
        if fetched.is_from(url) {
            Some(fetched)
        } else {
            None
        }
    }

    /// Returns the hash of the cape's file, if it is known.
    pub(crate) fn cape_id(&self) -> Option<TextureId> {
        self.learned_cape()?.id
    }

    /// Returns `true` unless the player is asked for by a name, and the record carries another one:
    /// the account has a new name then, and the old one may be another account's.
    pub(crate) fn may_have_name_of(&self, player: &PlayerId, ignores_case: bool) -> bool {
        let PlayerId::JavaName(_) = player else {
            return true;
        };
        let Some(name) = &self.profile.name else {
            return true;
        };
        let own = PlayerId::JavaName(name.clone());
        own.folded(ignores_case) == player.folded(ignores_case)
    }

    /// Returns the relation of a version to those that the record knows.
    pub(crate) fn version_status(&self, version: u64) -> VersionStatus {
        if self.versions.contains(&version) {
            VersionStatus::Known
        } else if self.versions.is_empty() {
            VersionStatus::First
        } else {
            VersionStatus::New
        }
    }

    /// Remembers a version, and forgets the oldest of too many.
    pub(crate) fn remember_version(&mut self, version: u64) {
        if self.versions.contains(&version) {
            return;
        }
        if self.versions.len() == MAX_VERSIONS {
            self.versions.remove(0);
        }
        self.versions.push(version);
    }

    /// Takes the versions of the record that this one replaces.
    pub(crate) fn inherit_versions(&mut self, earlier: &Self) {
        self.versions.clone_from(&earlier.versions);
    }

    /// Returns `true` if both records have the same look and name. Flags of the account don't
    /// count.
    pub(crate) fn shows_the_same(&self, other: &Self) -> bool {
        shown_part(&self.profile) == shown_part(&other.profile)
            && self.skin_id() == other.skin_id()
            && self.cape_id() == other.cape_id()
    }

    /// Returns the record as it is stored.
    pub(crate) fn to_bytes(&self) -> Bytes {
        let stored = StoredRecord {
            form: FORM,
            profile: self.profile.clone(),
            textures: self.textures.clone(),
            versions: self.versions.clone(),
        };
        let text = serde_json::to_vec(&stored).expect("a record has only texts and numbers");
        text.into()
    }

    /// Reads a stored record. Returns `None` for one of another form.
    pub(crate) fn from_bytes(bytes: &[u8], checked_at: SystemTime) -> Option<Self> {
        let stored: StoredRecord = serde_json::from_slice(bytes).ok()?;
        if stored.form != FORM {
            return None;
        }
        Some(Self {
            profile: stored.profile,
            textures: stored.textures,
            checked_at,
            versions: stored.versions,
        })
    }
}

/// Returns a profile without the flags of its account, which change no picture.
fn shown_part(profile: &Profile) -> Profile {
    Profile {
        legacy: false,
        profile_actions: Vec::new(),
        ..profile.clone()
    }
}

impl LearnedTexture {
    pub(crate) fn new(url: &TextureUrl, id: Option<TextureId>, validators: Validators) -> Self {
        Self {
            url: url.as_str().to_owned(),
            id,
            validators,
        }
    }

    /// Returns `true` if it was fetched from this URL.
    pub(crate) fn is_from(&self, url: &TextureUrl) -> bool {
        self.url == url.as_str()
    }
}

/// The hash of a file as text.
mod optional_id {
    use effigy_store::TextureId;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(
        id: &Option<TextureId>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        id.map(|id| id.to_string()).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<TextureId>, D::Error> {
        let Some(text) = Option::<String>::deserialize(from)? else {
            return Ok(None);
        };
        let id = TextureId::from_hex(&text);
        id.map(Some).ok_or_else(|| D::Error::custom("not a hash"))
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use effigy_player::Uuid;
    use effigy_upstream::Account;

    use super::*;

    fn record() -> PlayerRecord {
        let profile = Profile {
            account: Account::Java(Uuid(7)),
            name: Some("Notch".to_owned()),
            skin: None,
            cape: Some(TextureUrl::new("http://localhost/cape")),
            legacy: false,
            profile_actions: Vec::new(),
            provider: "mojang".into(),
            is_certain: true,
        };
        PlayerRecord::new(profile, LearnedTextures::default(), UNIX_EPOCH)
    }

    #[test]
    fn a_record_survives_its_stored_form() {
        let mut kept = record();
        let url = kept.profile.cape.clone().unwrap();
        let id = Some(TextureId::of(b"cape"));
        kept.textures.cape = Some(LearnedTexture::new(&url, id, Validators::default()));
        kept.remember_version(5);
        let read = PlayerRecord::from_bytes(&kept.to_bytes(), UNIX_EPOCH);
        assert_eq!(read, Some(kept));
    }

    #[test]
    fn a_record_of_another_form_is_looked_up_anew() {
        let text = String::from_utf8(record().to_bytes().to_vec()).unwrap();
        let later = text.replace("\"form\":1", "\"form\":2");
        assert_ne!(text, later);
        assert_eq!(PlayerRecord::from_bytes(later.as_bytes(), UNIX_EPOCH), None);
        assert_eq!(PlayerRecord::from_bytes(b"{}", UNIX_EPOCH), None);
    }

    #[test]
    fn a_record_remembers_its_last_four_versions() {
        let mut record = record();
        assert_eq!(record.version_status(1), VersionStatus::First);
        for version in 1..=5 {
            record.remember_version(version);
        }
        let new: Vec<u64> = (1..=6)
            .filter(|&version| record.version_status(version) == VersionStatus::New)
            .collect();
        assert_eq!(new, [1, 6]);
    }

    #[test]
    fn a_record_from_the_future_is_old() {
        let mut record = record();
        record.checked_at = UNIX_EPOCH + Duration::from_secs(10);
        assert!(!record.is_younger_than(Duration::MAX, UNIX_EPOCH));
        let later = UNIX_EPOCH + Duration::from_secs(11);
        assert!(record.is_younger_than(Duration::from_secs(2), later));
        assert!(!record.is_younger_than(Duration::from_secs(1), later));
    }
}
