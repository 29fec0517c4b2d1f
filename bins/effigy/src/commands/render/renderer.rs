//! From the text on the command line to the bytes of a picture.

use std::{
    fs,
    io::{self, Read},
    path::Path,
};

use anyhow::{Context, Result, ensure};
use effigy_cli::{PictureKind, RenderArgs};
use effigy_player::PlayerId;
use effigy_render::{Cape, ImageFormat, Picture, PictureSpec, Player};
use effigy_service::{PlayerSkin, SkinOrigin};
use effigy_upstream::{ProviderChain, SkinSource, TextureUrl};

use super::inputs::Input;
use crate::{commands::sources, failure::UsageError};

/// The parameters that all pictures of a command share.
pub(super) struct Renderer<'a> {
    args: &'a RenderArgs,
    source: ProviderChain,
    /// The picture to draw, or `None` for the unchanged texture.
    spec: Option<PictureSpec>,
    format: ImageFormat,
    /// The cape that everybody wears instead of their own.
    cape: Option<Cape>,
}

impl<'a> Renderer<'a> {
    pub(super) fn new(args: &'a RenderArgs, format: ImageFormat) -> Result<Self> {
        let spec = args.spec();
        ensure!(
            format == ImageFormat::Png || spec.is_some(),
            UsageError::new("a skin file cannot be svg; every other view can")
        );
        Ok(Self {
            args,
            source: sources::connect(&args.upstream)?,
            spec,
            format,
            cape: args.cape.as_deref().map(load_cape).transpose()?,
        })
    }

    /// Draws the picture of a skin file or a player, or the one of several.
    pub(super) fn draw(&self, skins: &[String]) -> Result<Vec<u8>> {
        let Some(spec) = self.spec else {
            return Ok(self.load(&skins[0])?.texture.into());
        };
        let loaded = skins.iter().map(|skin| self.load_with_cape(skin, spec));
        let loaded = loaded.collect::<Result<Vec<_>>>()?;
        let players = loaded.iter().map(|(found, cape)| {
            let player = Player::new(&found.skin).named(found.name.as_deref().unwrap_or(""));
            cape.iter().fold(player, Player::with_cape)
        });
        let players: Vec<Player<'_>> = players.collect();
        let all: Vec<Option<Player<'_>>> = players.iter().copied().map(Some).collect();
        let (mut file, mut renderer) = (Vec::new(), effigy_render::Renderer::new());
        let mut write = |picture: Picture<'_>| renderer.write(&picture, self.format, &mut file);
        let written = match (self.args.picture.kind, self.args.motion()) {
            (PictureKind::Group, _) => spec.group(&all).and_then(|group| write(group.picture)),
            (PictureKind::Sheet, _) => {
                let sheet = spec.sheet(&all, self.args.columns(all.len()));
                sheet.and_then(|sheet| write(sheet.picture))
            }
            (_, None) => spec.picture(players[0]).and_then(write),
            (_, Some(motion)) => {
                let moving = spec.animation(players[0], motion);
                moving.and_then(|moving| renderer.write_animation(&moving, &mut file))
            }
        };
        written.context("the picture cannot be drawn")?;
        Ok(file)
    }

    /// Returns `<skin>_<view>` with the extension of the format, or `<view>` for a picture of several.
    pub(super) fn file_name(&self, skin: &str) -> String {
        let motion = self.args.motion();
        let extension = motion.map_or(self.format.as_str(), |_| "apng");
        let word = self.args.picture.word;
        if self.args.is_of_all() {
            return format!("{word}.{extension}");
        }
        let stem: String = Input::detect(skin).stem().chars().map(file_safe).collect();
        format!("{stem}_{word}.{extension}")
    }

    fn load_with_cape(&self, skin: &str, spec: PictureSpec) -> Result<(PlayerSkin, Option<Cape>)> {
        let found = self.load(skin)?;
        let cape = match &found.cape {
            Some(url) if spec.has_cape && self.cape.is_none() => self.fetch_cape(skin, url),
            _ => self.cape.clone(),
        };
        Ok((found, cape))
    }

    fn load(&self, skin: &str) -> Result<PlayerSkin> {
        let (texture, name) = match Input::detect(skin) {
            Input::Stdin => (read_standard_input()?, "standard input"),
            Input::File(path) => (read(path)?, skin),
            Input::Player(name) => return self.resolve(name),
        };
        let found = PlayerSkin::of_texture(texture, self.args.model());
        found.with_context(|| format!("{name} is not a skin"))
    }

    fn resolve(&self, name: &str) -> Result<PlayerSkin> {
        let player = PlayerId::detect(name).context("this is not a player's name or id")?;
        let found = PlayerSkin::resolve(&self.source, &player);
        let mut found = found.context("cannot get the player's skin")?;
        if let Some(model) = self.args.model() {
            found.skin = found.skin.with_model(model);
        }
        let reason = match found.origin {
            SkinOrigin::Own | SkinOrigin::DefaultSkin => return Ok(found),
            SkinOrigin::Uncertain => {
                tracing::warn!("{name} may be another player: an earlier provider failed");
                return Ok(found);
            }
            SkinOrigin::PlayerNotFound => "there is no such player",
            SkinOrigin::Outage => "an upstream service failed",
        };
        ensure!(
            self.args.allow_fallback,
            "cannot get the skin of {name}: {reason}; --allow-fallback draws a fallback skin"
        );
        tracing::warn!("{name} is drawn with a fallback skin: {reason}");
        Ok(found)
    }

    /// Fetches a player's cape. A picture without it is better than none.
    fn fetch_cape(&self, player: &str, url: &TextureUrl) -> Option<Cape> {
        let file = self.source.texture(url, self.source.deadline());
        let file = file.map_err(anyhow::Error::from);
        let cape = file.and_then(|file| Ok(Cape::decode(&file)?));
        cape.inspect_err(|error| tracing::warn!("{player} is drawn without the cape: {error:#}"))
            .ok()
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn read_standard_input() -> Result<Vec<u8>> {
    let bytes = io::stdin().lock().bytes().collect::<io::Result<_>>();
    bytes.context("cannot read standard input")
}

fn load_cape(path: &Path) -> Result<Cape> {
    Cape::decode(&read(path)?).with_context(|| format!("{} is not a cape", path.display()))
}

fn file_safe(c: char) -> char {
    let is_safe = c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if is_safe { c } else { '_' }
}
