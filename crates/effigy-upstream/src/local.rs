//! A source of skins in memory, without a network or a clock.

use std::collections::HashMap;

use effigy_player::{Edition, Model, PlayerId};
use sha2::{Digest, Sha256};

use crate::error::UpstreamError;
use crate::profile::{Account, Profile, ProfileSkin};
use crate::source::{ResolvedSkin, SkinCheck, SkinOrigin, SkinSource};
use crate::texture_hash::TextureHash;
use crate::transport::Step;

/// A source of skins in memory. It knows the players that were inserted.
///
/// Names and gamertags match in upper and lower case. An unknown Bedrock player gets the fallback
/// skin; an unknown Java player is an error, as with the public services.
#[derive(Debug, Clone)]
pub struct LocalSkins {
    base_url: String,
    fallback: LocalSkin,
    players: HashMap<PlayerId, LocalPlayer>,
    files: HashMap<TextureHash, Vec<u8>>,
}

/// A player of [`LocalSkins`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalPlayer {
    /// The Java name or the Bedrock gamertag.
    pub name: String,
    /// The Java UUID, or the Bedrock XUID as decimal digits.
    pub account: Account,
    /// The skin.
    pub skin: LocalSkin,
    /// The cape, a PNG.
    pub cape: Option<Vec<u8>>,
}

/// A texture and its model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalSkin {
    /// The texture, a PNG.
    pub texture: Vec<u8>,
    /// The model that it is drawn on.
    pub model: Model,
}

impl LocalSkins {
    /// Creates a source without players.
    ///
    /// Profiles name the address of a texture as `<base_url>/<hash>`. The source itself fetches
    /// nothing from there.
    #[must_use]
    pub fn new(base_url: impl Into<String>, fallback: LocalSkin) -> Self {
        Self {
            base_url: base_url.into(),
            fallback,
            players: HashMap::new(),
            files: HashMap::new(),
        }
    }

    /// Adds a player, or replaces one of the same name or account.
    pub fn insert(&mut self, player: LocalPlayer) {
        let textures = [Some(&player.skin.texture), player.cape.as_ref()];
        for texture in textures.into_iter().flatten() {
            self.files.insert(hash(texture), texture.clone());
        }
        let (name, id) = match &player.account {
            Account::Java(uuid) => (
                PlayerId::JavaName(player.name.clone()),
                PlayerId::JavaUuid(*uuid),
            ),
            Account::Bedrock(xuid) => (
                PlayerId::BedrockGamertag(player.name.clone()),
                PlayerId::BedrockXuid(xuid.clone()),
            ),
        };
        self.players.insert(normalized(&name), player.clone());
        self.players.insert(normalized(&id), player);
    }

    fn find(&self, player: &PlayerId) -> Result<&LocalPlayer, UpstreamError> {
        self.players
            .get(&normalized(player))
            .ok_or_else(|| not_found(player))
    }

    fn url(&self, texture: &[u8]) -> String {
        format!("{}/{}", self.base_url, hash(texture))
    }
}

impl SkinSource for LocalSkins {
    fn resolve_checked(
        &self,
        player: &PlayerId,
        check: SkinCheck<'_>,
    ) -> Result<ResolvedSkin, UpstreamError> {
        let own = self.find(player).map(|found| ResolvedSkin {
            name: (player.edition() == Edition::Java).then(|| found.name.clone()),
            cape: found.cape.as_ref().map(|cape| self.url(cape)),
            ..found.skin.resolved(SkinOrigin::Own)
        });
        let own = own.and_then(|skin| skin.checked(check));
        match (own, player.edition()) {
            (Err(error), Edition::Bedrock) => self
                .fallback
                .resolved(SkinOrigin::of_fallback(&error))
                .checked(check),
            (own, _) => own,
        }
    }

    fn profile(&self, player: &PlayerId) -> Result<Profile, UpstreamError> {
        let found = self.find(player)?;
        Ok(Profile {
            account: found.account.clone(),
            name: Some(found.name.clone()),
            skin: Some(ProfileSkin {
                url: self.url(&found.skin.texture),
                model: found.skin.model,
                is_default: false,
            }),
            cape: found.cape.as_ref().map(|cape| self.url(cape)),
        })
    }

    fn texture(&self, hash: &TextureHash) -> Result<Vec<u8>, UpstreamError> {
        let file = self.files.get(hash).cloned();
        file.ok_or_else(|| UpstreamError::TextureNotFound { hash: hash.clone() })
    }

    fn cape(&self, url: &str) -> Result<Vec<u8>, UpstreamError> {
        let hash = url.rsplit('/').next().and_then(TextureHash::parse);
        match hash {
            Some(hash) if url == format!("{}/{hash}", self.base_url) => self.texture(&hash),
            _ => Err(UpstreamError::TextureUrl {
                url: url.to_owned(),
            }),
        }
    }

    fn ping(&self) -> Result<(), UpstreamError> {
        Ok(())
    }
}

impl LocalSkin {
    fn resolved(&self, origin: SkinOrigin) -> ResolvedSkin {
        ResolvedSkin {
            texture: self.texture.clone(),
            model: self.model,
            origin,
            name: None,
            cape: None,
        }
    }
}

/// Returns the form in which a player is stored: names in lower case, an XUID without leading zeros.
/// Java servers show the spaces of a gamertag as underscores.
fn normalized(player: &PlayerId) -> PlayerId {
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

fn not_found(player: &PlayerId) -> UpstreamError {
    let (step, player) = match player {
        PlayerId::JavaName(name) => (Step::Identity, name.clone()),
        PlayerId::JavaUuid(uuid) => (Step::Session, uuid.to_string()),
        PlayerId::BedrockGamertag(gamertag) => (Step::Xuid, gamertag.clone()),
        PlayerId::BedrockXuid(xuid) => (Step::BedrockSkin, xuid.clone()),
    };
    UpstreamError::not_found(step, &player)
}

/// Returns the hash of a texture: its SHA-256, as on the public services.
fn hash(texture: &[u8]) -> TextureHash {
    let digest = Sha256::digest(texture);
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    TextureHash::parse(&digits).expect("64 hexadecimal digits are a hash")
}

#[cfg(test)]
mod tests {
    use effigy_player::Uuid;

    use super::*;

    const BASE: &str = "http://localhost/texture";

    fn skin(texture: &str, model: Model) -> LocalSkin {
        LocalSkin {
            texture: texture.into(),
            model,
        }
    }

    /// A Java player with a cape and a Bedrock player without.
    fn source() -> LocalSkins {
        let mut source = LocalSkins::new(BASE, skin("steve", Model::Classic));
        source.insert(LocalPlayer {
            name: "Corvina".to_owned(),
            account: Account::Java(Uuid::from_u128(7 << 120)),
            skin: skin("wizard", Model::Slim),
            cape: Some(b"cape".to_vec()),
        });
        source.insert(LocalPlayer {
            name: "Two Words".to_owned(),
            account: Account::Bedrock("2535405317821216".to_owned()),
            skin: skin("diver", Model::Classic),
            cape: None,
        });
        source
    }

    fn player(input: &str) -> PlayerId {
        PlayerId::detect(input).expect(input)
    }

    #[test]
    fn players_are_found_by_every_name_and_number() {
        let source = source();
        let uuid = Uuid::from_u128(7 << 120);
        for (input, texture) in [
            ("Corvina", "wizard"),
            ("CORVINA", "wizard"),
            (&uuid.to_string(), "wizard"),
            (&uuid.hyphenated(), "wizard"),
            (".Two Words", "diver"),
            (".two_words", "diver"),
            ("00002535405317821216", "diver"),
            ("00000000-0000-0000-0009-01f00d549320", "diver"),
        ] {
            let resolved = source.resolve(&player(input)).expect(input);
            assert_eq!(resolved.texture, texture.as_bytes(), "{input}");
        }
        let resolved = source.resolve(&player("corvina")).expect("known");
        assert_eq!(
            (resolved.model, resolved.origin),
            (Model::Slim, SkinOrigin::Own)
        );
    }

    #[test]
    fn unknown_java_players_are_errors_and_bedrock_players_get_the_fallback() {
        let source = source();
        for input in ["Nobody", "Two Words", "069a79f444e94726a5befca90e38aaf5"] {
            let error = source.resolve(&player(input)).expect_err(input);
            assert!(!error.is_outage(), "{input}: {error}");
        }
        for input in [".Nobody", ".Corvina", "00001", "0000 text"] {
            let resolved = source.resolve(&player(input)).expect(input);
            assert_eq!(resolved.texture, b"steve", "{input}");
            assert_eq!(resolved.origin, SkinOrigin::PlayerNotFound, "{input}");
        }
    }

    #[test]
    fn a_texture_that_does_not_decode_is_replaced_for_bedrock_players() {
        let source = source();
        let check = |found: &ResolvedSkin| match &*found.texture {
            b"steve" => Ok(()),
            _ => Err("broken".into()),
        };
        let resolve = |input| source.resolve_checked(&player(input), &check);
        let replaced = resolve(".Two Words").expect("the fallback");
        assert_eq!(replaced.origin, SkinOrigin::Outage);
        let error = resolve("Corvina").expect_err("no fallback");
        assert!(matches!(error, UpstreamError::Decode { .. }), "{error:?}");
    }

    #[test]
    fn a_profile_leads_to_the_files() {
        let source = source();
        let profile = source.profile(&player("corvina")).expect("known");
        assert_eq!(profile.name.as_deref(), Some("Corvina"));
        let skin = profile.skin.expect("a skin");
        let hash = skin.url.strip_prefix("http://localhost/texture/");
        let hash = hash.and_then(TextureHash::parse).expect("a hash");
        assert_eq!(source.texture(&hash).expect("its texture"), b"wizard");
        let cape = profile.cape.expect("a cape");
        assert_eq!(source.cape(&cape).expect("its cape"), b"cape");
        let bedrock = source.profile(&player(".two words")).expect("known");
        assert_eq!(bedrock.cape, None);
    }

    #[test]
    fn unknown_players_and_files_are_errors() {
        let source = source();
        for input in ["Nobody", ".Nobody", "00001"] {
            let error = source.profile(&player(input)).expect_err(input);
            assert!(!error.is_outage(), "{input}: {error}");
        }
        let hash = TextureHash::parse(&"0".repeat(64)).expect("a hash");
        let error = source.texture(&hash).expect_err("no texture has it");
        assert!(matches!(error, UpstreamError::TextureNotFound { .. }));
        for url in ["", "cape", "http://elsewhere/texture/00"] {
            source.cape(url).expect_err(url);
        }
    }

    #[test]
    fn ping_succeeds() {
        assert!(source().ping().is_ok());
        assert!(source().states().is_empty());
    }
}
