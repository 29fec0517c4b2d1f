//! Players whose skins are in memory.

use std::sync::Arc;

use effigy_player::{Model, PlayerId};
use sha2::{Digest, Sha256};

use crate::profile::Account;
use crate::source::Revision;
use crate::texture::TextureHash;

/// A player of [`LocalSkins`](crate::LocalSkins).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalPlayer {
    /// The Java name or the Bedrock gamertag, if it is known.
    pub name: Option<String>,
    /// The account.
    pub account: Account,
    /// The skin.
    pub skin: LocalSkin,
    /// The cape.
    pub cape: Option<LocalTexture>,
}

/// A texture and its model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalSkin {
    /// The texture.
    pub texture: LocalTexture,
    /// The model that it is drawn on.
    pub model: Model,
}

/// The file of a texture, a PNG, and its hash. Clones share the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalTexture {
    file: Arc<[u8]>,
    hash: TextureHash,
}

impl LocalTexture {
    /// Creates a texture of a file. Its hash is the SHA-256 of the file, as on the public services.
    #[must_use]
    pub fn new(file: impl Into<Arc<[u8]>>) -> Self {
        let file = file.into();
        let digest = Sha256::digest(&file);
        let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Self {
            hash: TextureHash::parse(&digits).expect("64 hexadecimal digits are a hash"),
            file,
        }
    }

    /// Returns the file.
    #[must_use]
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    /// Returns the hash.
    #[must_use]
    pub fn hash(&self) -> &TextureHash {
        &self.hash
    }
}

impl LocalPlayer {
    /// Returns every input that names the player, in the form in which players are stored.
    pub(super) fn ids(&self) -> impl Iterator<Item = PlayerId> {
        let name = self.name.clone();
        let (name, id) = match &self.account {
            Account::Java(uuid) => (
                name.map(PlayerId::JavaName),
                Some(PlayerId::JavaUuid(*uuid)),
            ),
            Account::Bedrock(xuid) => (
                name.map(PlayerId::BedrockGamertag),
                xuid.clone().map(PlayerId::BedrockXuid),
            ),
        };
        name.into_iter().chain(id).map(|id| normalized(&id))
    }

    pub(super) fn textures(&self) -> impl Iterator<Item = &LocalTexture> {
        let textures = [Some(&self.skin.texture), self.cape.as_ref()];
        textures.into_iter().flatten()
    }

    /// Returns the revision, which depends on everything that is known about the player.
    pub(super) fn revision(&self) -> Revision {
        let mut text = format!("{:?}{}", self.name, self.skin.model);
        text.extend(self.textures().map(|texture| texture.hash.as_str()));
        let digest = Sha256::digest(text);
        let bytes = digest.first_chunk().expect("the digest has 32 bytes");
        Revision::new(u128::from_be_bytes(*bytes))
    }
}

/// Returns the form in which a player is stored: names in lower case, an XUID without leading zeros.
/// Java servers show the spaces of a gamertag as underscores.
pub(super) fn normalized(player: &PlayerId) -> PlayerId {
    match player {
        PlayerId::JavaName(name) => PlayerId::JavaName(name.to_lowercase()),
        PlayerId::JavaUuid(uuid) => PlayerId::JavaUuid(*uuid),
        PlayerId::BedrockXuid(xuid) => {
            PlayerId::BedrockXuid(xuid.trim_start_matches('0').to_owned())
        }
        PlayerId::BedrockGamertag(gamertag) => {
            PlayerId::BedrockGamertag(gamertag.to_lowercase().replace('_', " "))
        }
    }
}
