//! The skins and capes of files, hashes and players.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Error, Result, bail, ensure};
use effigy_cli::{Input, RenderArgs, Source};
use effigy_http::Metrics;
use effigy_player::{Edition, FALLBACK_PLAYER, NamedPlayer, PlayerId};
use effigy_render::{Cape, Skin};
use effigy_upstream::{
    Account, Fetched, LookUp, Profile, Profiles as _, ProviderChain, TextureHash, TextureUrl,
    Textures as _, UpstreamError,
};

use crate::commands::sources;

/// A skin, and what is known of the player who wears it.
pub(super) struct LoadedSkin {
    /// The file of the skin.
    pub(super) texture: Vec<u8>,
    pub(super) skin: Skin,
    /// The name of the player or of the file.
    pub(super) name: String,
    /// `true` if a Java player has the name. It may turn the player upside down.
    pub(super) is_java_player: bool,
    /// The player's own cape, if the picture shows it.
    pub(super) cape: Option<Cape>,
}

impl LoadedSkin {
    /// Decodes the file of a skin that belongs to no player.
    fn without_player(texture: Vec<u8>, name: String) -> Result<Self> {
        Ok(Self {
            skin: Skin::decode(&texture, None)?,
            texture,
            name,
            is_java_player: false,
            cape: None,
        })
    }
}

/// Loads skins and capes, from files and from the providers of skins.
pub(super) struct Loader<'a> {
    args: &'a RenderArgs,
    providers: Arc<ProviderChain>,
}

impl<'a> Loader<'a> {
    pub(super) fn new(args: &'a RenderArgs) -> Result<Self> {
        let providers = sources::connect(&args.upstream, args.upstream.config(), Metrics::new())?;
        Ok(Self { args, providers })
    }

    /// Loads the skin of an input.
    pub(super) fn load(&self, input: &Input) -> Result<LoadedSkin> {
        let file = match input.source() {
            Source::StandardInput => read_standard_input()?,
            Source::File(path) => read_file(&path)?,
            Source::Texture(hash) => {
                let skin = self.texture(&hash);
                let skin = skin.and_then(|file| LoadedSkin::without_player(file, String::new()));
                return skin.with_context(|| format!("cannot get the texture {}", input.text));
            }
            Source::Player(name) => return self.load_player(&name),
        };
        let skin = LoadedSkin::without_player(file, input.label());
        skin.with_context(|| format!("{} is not a skin", input.in_messages()))
    }

    /// Loads the file of a cape: the input itself, or the cape of a player.
    pub(super) fn load_cape(&self, input: &Input) -> Result<Vec<u8>> {
        let file = match input.source() {
            Source::StandardInput => return read_standard_input(),
            Source::File(path) => return read_file(&path),
            Source::Texture(hash) => self.texture(&hash),
            Source::Player(name) => self.cape_of_player(&name),
        };
        file.with_context(|| format!("cannot get the cape of {}", input.text))
    }

    /// Loads the skin of a player, or the fallback skin if it is allowed.
    fn load_player(&self, name: &str) -> Result<LoadedSkin> {
        let player = self.named(name)?;
        let error = match self.find(&player, |id| self.skin_of(id, name)) {
            Ok(skin) => return Ok(skin),
            Err(error) => error,
        };
        if player.id.edition() != Edition::Bedrock {
            return Err(error.context(format!("cannot get the skin of {name}")));
        }
        ensure!(
            self.args.allow_fallback,
            "cannot get the skin of {name}: {error:#}; --allow-fallback draws a fallback skin"
        );
        tracing::warn!("{name} is drawn with a fallback skin: {error:#}");
        let fallback = PlayerId::JavaName(FALLBACK_PLAYER.to_owned());
        let skin = self.skin_of(&fallback, name);
        skin.with_context(|| format!("cannot get the fallback skin for {name}"))
    }

    /// Returns the player whom an input names.
    fn named(&self, name: &str) -> Result<NamedPlayer> {
        let named = self.args.upstream.bedrock_prefixes().named_player(name);
        named.with_context(|| format!("{name:?} is not a player's name or id"))
    }

    /// Looks a player up. If no Bedrock player has the gamertag, the Java player of the name is
    /// looked up.
    fn find<T>(&self, player: &NamedPlayer, look_up: impl Fn(&PlayerId) -> Result<T>) -> Result<T> {
        let found = look_up(&player.id);
        if let Err(error) = &found
            && let Some(java) = &player.otherwise
            && is_player_missing(error)
        {
            return look_up(java);
        }
        found
    }

    /// Looks a player up for the picture of an input.
    fn skin_of(&self, player: &PlayerId, input: &str) -> Result<LoadedSkin> {
        let profile = self.profile(player)?;
        let skin = profile.skin.context("the player has no skin")?;
        let texture = self.fetch(&skin.texture)?;
        let mut cape = None;
        if let Some(url) = profile.cape
            && self.args.shows_own_capes()
        {
            cape = self.fetch_cape(input, &url);
        }
        Ok(LoadedSkin {
            skin: Skin::decode(&texture, skin.model)?,
            texture,
            name: profile.name.unwrap_or_default(),
            is_java_player: matches!(profile.account, Account::Java(_)),
            cape,
        })
    }

    /// Fetches the file of a player's cape.
    fn cape_of_player(&self, name: &str) -> Result<Vec<u8>> {
        self.find(&self.named(name)?, |id| {
            let cape = self.profile(id)?.cape;
            self.fetch(&cape.context("the player has no cape")?)
        })
    }

    fn profile(&self, player: &PlayerId) -> Result<Profile> {
        let profile = self.providers.profile(player, &self.new_look_up())?;
        if !profile.is_certain {
            tracing::warn!("this may be another player of the name: an earlier provider failed");
        }
        Ok(profile)
    }

    /// Fetches a player's cape. If it fails, the player is drawn without a cape.
    fn fetch_cape(&self, input: &str, url: &TextureUrl) -> Option<Cape> {
        let file = self.fetch(url);
        match file.and_then(|file| Ok(Cape::decode(&file)?)) {
            Ok(cape) => Some(cape),
            Err(error) => {
                tracing::warn!("{input} is drawn without the cape: {error:#}");
                None
            }
        }
    }

    fn fetch(&self, url: &TextureUrl) -> Result<Vec<u8>> {
        match self.providers.texture(url, None, &self.new_look_up())? {
            Fetched::File { file, .. } => Ok(file),
            Fetched::Unchanged => bail!("the texture has no content"),
        }
    }

    /// Fetches the file of a texture by its hash.
    fn texture(&self, hash: &TextureHash) -> Result<Vec<u8>> {
        Ok(self.providers.texture_by_hash(hash, &self.new_look_up())?)
    }

    fn new_look_up(&self) -> LookUp {
        LookUp::until(self.providers.deadline())
    }
}

fn read_standard_input() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut bytes);
    read.context("cannot read standard input")?;
    Ok(bytes)
}

pub(super) fn read_file(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Returns `true` for the answer that there is no such player.
fn is_player_missing(error: &Error) -> bool {
    let error = error.downcast_ref::<UpstreamError>();
    matches!(error, Some(UpstreamError::PlayerNotFound { .. }))
}
