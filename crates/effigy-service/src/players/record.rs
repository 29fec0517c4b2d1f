//! Records of players: who somebody is, what they wear, and when this was last checked.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use effigy_player::PlayerId;
use effigy_store::TextureId;
use effigy_upstream::{Account, Profile, TextureUrl, Validators};
use serde::{Deserialize, Serialize};

/// The versions (`v=`) that a record remembers.
const MAX_VERSIONS: usize = 4;

/// The form of stored records. Those of another form are looked up anew.
const FORM: u32 = 1;

/// A player as known from the upstreams. It is the only thing that can go out of date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlayerRecord {
    /// The profile, as the provider has answered it.
    pub(crate) profile: Profile,
    /// The files of the textures that the profile names, as far as they were fetched.
    pub(crate) textures: WornTextures,
    /// The time at which the upstreams last confirmed the record.
    pub(crate) checked_at: SystemTime,
    /// The last versions that clients have named, as hashes.
    versions: Vec<u64>,
}

/// The files that a player wears.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WornTextures {
    pub(crate) skin: Option<WornTexture>,
    pub(crate) cape: Option<WornTexture>,
}

/// A file that was fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WornTexture {
    /// The URL that it was fetched from.
    url: String,
    /// The SHA-256 of the file, or none if there is no such file.
    #[serde(with = "optional_id")]
    pub(crate) id: Option<TextureId>,
    /// The validators with which the server can tell that it is unchanged.
    pub(crate) validators: Validators,
}

/// A record as it is stored. The time of the check has a column of its own.
#[derive(Serialize, Deserialize)]
struct StoredRecord {
    form: u32,
    profile: Profile,
    textures: WornTextures,
    versions: Vec<u64>,
}

/// The key of a record: the account, which never changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum AccountKey {
    /// A Java account by its UUID.
    Java(u128),
    /// A Bedrock account by its XUID, without leading zeros.
    Bedrock(String),
    /// A Bedrock account of which only the gamertag is known, in lower case.
    Gamertag(String),
}

impl PlayerRecord {
    /// A record that was checked just now.
    pub(crate) fn new(profile: Profile, textures: WornTextures, checked_at: SystemTime) -> Self {
        Self {
            profile,
            textures,
            checked_at,
            versions: Vec::new(),
        }
    }

    /// Returns the age, or none if the record is from the future, because its time is wrong then.
    pub(crate) fn age(&self, now: SystemTime) -> Option<Duration> {
        now.duration_since(self.checked_at).ok()
    }

    /// Returns `true` if the record was checked less than this time ago.
    pub(crate) fn is_younger_than(&self, age: Duration, now: SystemTime) -> bool {
        self.age(now).is_some_and(|own| own < age)
    }

    /// Returns the file of the skin, if it was fetched from the URL that the profile names.
    pub(crate) fn skin(&self) -> Option<&WornTexture> {
        let url = &self.profile.skin.as_ref()?.texture;
        self.textures.skin.as_ref().filter(|worn| worn.is_from(url))
    }

    /// Returns the file of the cape, if it was fetched from the URL that the profile names.
    pub(crate) fn cape(&self) -> Option<&WornTexture> {
        let url = self.profile.cape.as_ref()?;
        self.textures.cape.as_ref().filter(|worn| worn.is_from(url))
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

    /// Returns `true` if this version is not known. A record that knows none takes any as known.
    pub(crate) fn is_new_version(&self, version: u64) -> bool {
        !self.versions.is_empty() && !self.versions.contains(&version)
    }

    /// Returns `true` if the record does not know any version.
    pub(crate) const fn lacks_versions(&self) -> bool {
        self.versions.is_empty()
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

    /// Returns `true` if both show and name the same. Flags of the account don't count.
    pub(crate) fn shows_the_same(&self, other: &Self) -> bool {
        let worn = |record: &Self| {
            let skin = record.skin().and_then(|worn| worn.id);
            let cape = record.cape().and_then(|worn| worn.id);
            (skin, cape)
        };
        shown_part(&self.profile) == shown_part(&other.profile) && worn(self) == worn(other)
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

impl WornTexture {
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

impl AccountKey {
    /// Returns the key of the account in a profile, which was found for a player.
    pub(crate) fn of(profile: &Profile, player: &PlayerId) -> Self {
        match (&profile.account, player) {
            (Account::Java(uuid), _) => Self::Java(uuid.0),
            (Account::Bedrock(Some(xuid)), _) => Self::Bedrock(short(xuid)),
            (Account::Bedrock(None), player) => {
                Self::of_id(player).unwrap_or_else(|| Self::Gamertag(binding(player, true)))
            }
        }
    }

    /// Returns the key of a player who is named by an identifier.
    pub(crate) fn of_id(player: &PlayerId) -> Option<Self> {
        match player {
            PlayerId::JavaUuid(uuid) => Some(Self::Java(uuid.0)),
            PlayerId::BedrockXuid(xuid) => Some(Self::Bedrock(short(xuid))),
            PlayerId::JavaName(_) | PlayerId::BedrockGamertag(_) => None,
        }
    }

    /// Returns the key in the store, of records of a chain of providers.
    pub(crate) fn text(&self, chain: &str) -> String {
        format!("{chain}/{}", self.short_text())
    }

    /// Returns the key without the chain.
    pub(crate) fn short_text(&self) -> String {
        match self {
            Self::Java(uuid) => format!("java/{uuid:032x}"),
            Self::Bedrock(xuid) => format!("bedrock/{xuid}"),
            Self::Gamertag(tag) => format!("gamertag/{tag}"),
        }
    }

    /// Reads a key without the chain.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once('/')?;
        match kind {
            "java" => u128::from_str_radix(rest, 16).ok().map(Self::Java),
            "bedrock" => Some(Self::Bedrock(rest.to_owned())),
            "gamertag" => Some(Self::Gamertag(rest.to_owned())),
            _ => None,
        }
    }
}

/// Returns an XUID without leading zeros, which only tell it from a name.
fn short(xuid: &str) -> String {
    xuid.trim_start_matches('0').to_owned()
}

/// Returns the text by which a name or a gamertag is bound to its account.
pub(crate) fn binding(player: &PlayerId, ignores_case: bool) -> String {
    match player.folded(ignores_case) {
        PlayerId::JavaName(name) => format!("name/{name}"),
        PlayerId::BedrockGamertag(tag) => format!("tag/{tag}"),
        PlayerId::JavaUuid(uuid) => format!("uuid/{uuid}"),
        PlayerId::BedrockXuid(xuid) => format!("xuid/{xuid}"),
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
        PlayerRecord::new(profile, WornTextures::default(), UNIX_EPOCH)
    }

    #[test]
    fn a_record_survives_its_stored_form() {
        let mut kept = record();
        let url = kept.profile.cape.clone().unwrap();
        let id = Some(TextureId::of(b"cape"));
        kept.textures.cape = Some(WornTexture::new(&url, id, Validators::default()));
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
        assert!(!record.is_new_version(1), "the first one is taken as known");
        for version in 1..=5 {
            record.remember_version(version);
        }
        let new: Vec<u64> = (1..=6)
            .filter(|&version| record.is_new_version(version))
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

    #[test]
    fn keys_of_accounts_are_read_as_they_are_written() {
        let keys = [
            AccountKey::Java(7),
            AccountKey::Bedrock("2535".to_owned()),
            AccountKey::Gamertag("tag/two words".to_owned()),
        ];
        for key in keys {
            assert_eq!(AccountKey::parse(&key.short_text()), Some(key));
        }
        assert_eq!(AccountKey::parse("nobody"), None);
    }
}
