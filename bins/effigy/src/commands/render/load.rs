//! The skins and capes of files, hashes and players.

use std::fs;
use std::io::{self, Read as _};

use anyhow::{Context, Error, Result, bail, ensure};
use effigy_player::{Edition, NamedPlayer, PlayerId};
use effigy_render::{Cape, PictureSpec, Skin};
use effigy_upstream::{
    Account, Fetched, LookUp, Profile, Profiles as _, TextureHash, TextureUrl, Textures as _,
    UpstreamError,
};

use super::Renderer;
use super::inputs::{STANDARD_INPUT, is_path, label};

/// The Java player whose skin is the fallback, as the service has it.
const FALLBACK_PLAYER: &str = "Steve";

/// A skin, and what is known of the player who wears it.
pub(super) struct Worn {
    pub(super) texture: Vec<u8>,
    pub(super) skin: Skin,
    /// The name of a player or of the file.
    pub(super) name: String,
    /// `true` for the name of a Java player, which may change the look.
    pub(super) is_java: bool,
    /// The player's own cape, if the picture has it.
    pub(super) cape: Option<Cape>,
}

impl Renderer<'_> {
    /// Loads the skin of a file, a hash or a player.
    pub(super) fn load(&self, input: &str) -> Result<Worn> {
        let Some(texture) = read(input) else {
            return self.resolve(input);
        };
        let texture = texture?;
        let skin = Skin::decode(&texture, None);
        Ok(Worn {
            skin: skin.with_context(|| format!("{} is not a skin", shown(input)))?,
            texture,
            name: label(input),
            is_java: false,
            cape: None,
        })
    }

    fn resolve(&self, name: &str) -> Result<Worn> {
        if let Some(hash) = TextureHash::parse(name) {
            let worn = self.texture(&hash).and_then(unnamed);
            return worn.with_context(|| format!("cannot get the texture {name}"));
        }
        let player = self.named(name)?;
        match self.find(&player, |id| self.look_up(id, name)) {
            Err(error) if player.id.edition() == Edition::Bedrock => {
                ensure!(
                    self.args.allow_fallback,
                    "cannot get the skin of {name}: {error:#}; --allow-fallback draws a fallback skin"
                );
                tracing::warn!("{name} is drawn with a fallback skin: {error:#}");
                let steve = PlayerId::JavaName(FALLBACK_PLAYER.to_owned());
                let steve = self.look_up(&steve, name);
                steve.with_context(|| format!("cannot get the fallback skin for {name}"))
            }
            found => found.with_context(|| format!("cannot get the skin of {name}")),
        }
    }

    /// Returns the player whom an input names.
    fn named(&self, name: &str) -> Result<NamedPlayer> {
        let named = self.args.upstream.bedrock_prefixes().named_player(name);
        named.with_context(|| format!("{name:?} is not a player's name or id"))
    }

    /// Looks a player up, and the Java player of the name if no Bedrock player has the gamertag.
    fn find<T>(&self, player: &NamedPlayer, look_up: impl Fn(&PlayerId) -> Result<T>) -> Result<T> {
        match (look_up(&player.id), &player.otherwise) {
            (Err(error), Some(java)) if is_missing(&error) => look_up(java),
            (found, _) => found,
        }
    }

    /// Fetches the file of a texture by its hash.
    fn texture(&self, hash: &TextureHash) -> Result<Vec<u8>> {
        let look_up = LookUp::until(self.source.deadline());
        Ok(self.source.texture_by_hash(hash, &look_up)?)
    }

    /// Looks a player up for the picture of an input.
    fn look_up(&self, player: &PlayerId, input: &str) -> Result<Worn> {
        let profile = self.profile(player)?;
        let skin = profile.skin.context("the player has no skin")?;
        let texture = self.fetch(&skin.texture)?;
        let shows_cape = |spec: PictureSpec| spec.cape && spec.view.shows_cape();
        let is_caped = self.cape.is_none() && self.args.spec().is_some_and(shows_cape);
        let cape = profile.cape.filter(|_| is_caped);
        Ok(Worn {
            skin: Skin::decode(&texture, skin.model)?,
            texture,
            name: profile.name.unwrap_or_default(),
            is_java: matches!(profile.account, Account::Java(_)),
            cape: cape.and_then(|url| self.fetch_cape(input, &url)),
        })
    }

    fn profile(&self, player: &PlayerId) -> Result<Profile> {
        let look_up = LookUp::until(self.source.deadline());
        let profile = self.source.profile(player, &look_up)?;
        if !profile.is_certain {
            tracing::warn!("this may be another player of the name: an earlier provider failed");
        }
        Ok(profile)
    }

    /// Fetches the file of a cape by its hash, or of a player's.
    pub(super) fn find_cape(&self, name: &str) -> Result<Vec<u8>> {
        let found = match TextureHash::parse(name) {
            Some(hash) => self.texture(&hash),
            None => self.find(&self.named(name)?, |id| {
                let cape = self.profile(id)?.cape;
                self.fetch(&cape.context("the player has no cape")?)
            }),
        };
        found.with_context(|| format!("cannot get the cape of {name}"))
    }

    /// Fetches a player's cape. A picture without it is better than none.
    fn fetch_cape(&self, input: &str, url: &TextureUrl) -> Option<Cape> {
        let fetched = self.fetch(url);
        let cape = fetched.and_then(|file| Ok(Cape::decode(&file)?));
        cape.inspect_err(|error| tracing::warn!("{input} is drawn without the cape: {error:#}"))
            .ok()
    }

    fn fetch(&self, url: &TextureUrl) -> Result<Vec<u8>> {
        let look_up = LookUp::until(self.source.deadline());
        match self.source.texture(url, None, &look_up)? {
            Fetched::File { file, .. } => Ok(file),
            Fetched::Unchanged => bail!("the texture has no content"),
        }
    }
}

/// Returns the skin of a file that belongs to no player.
fn unnamed(texture: Vec<u8>) -> Result<Worn> {
    Ok(Worn {
        skin: Skin::decode(&texture, None)?,
        texture,
        name: String::new(),
        is_java: false,
        cape: None,
    })
}

/// Reads the file of an input, or returns `None` for the name of a player.
pub(super) fn read(input: &str) -> Option<Result<Vec<u8>>> {
    let read = if input == STANDARD_INPUT {
        io::stdin().lock().bytes().collect()
    } else if is_path(input) {
        fs::read(input)
    } else {
        return None;
    };
    Some(read.with_context(|| format!("cannot read {}", shown(input))))
}

/// Returns the words for an input in messages.
pub(super) fn shown(input: &str) -> &str {
    if input == STANDARD_INPUT {
        "standard input"
    } else {
        input
    }
}

/// Returns `true` for the answer that there is no such player.
fn is_missing(error: &Error) -> bool {
    let upstream = error.downcast_ref::<UpstreamError>();
    matches!(upstream, Some(UpstreamError::PlayerNotFound { .. }))
}
