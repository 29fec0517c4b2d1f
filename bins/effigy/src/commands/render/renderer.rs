//! From the text on the command line to the bytes of a picture.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use effigy_cli::RenderArgs;
use effigy_player::PlayerId;
use effigy_render::{Cape, ImageFormat, PictureSpec, Player};
use effigy_service::{PlayerSkin, SkinOrigin};
use effigy_upstream::{ProviderChain, SkinSource, TextureUrl};

use super::inputs::{STANDARD_INPUT, is_path, stem};
use crate::commands::sources;

/// The parameters that all pictures of a command share.
pub(super) struct Renderer<'a> {
    args: &'a RenderArgs,
    source: ProviderChain,
    /// The picture to draw, or `None` for the unchanged texture.
    spec: Option<PictureSpec>,
    format: ImageFormat,
    /// The cape that replaces the players' own.
    cape: Option<Cape>,
}

impl<'a> Renderer<'a> {
    pub(super) fn new(args: &'a RenderArgs, format: ImageFormat) -> Result<Self> {
        Ok(Self {
            args,
            source: sources::connect(&args.upstream)?,
            spec: args.spec(),
            format,
            cape: args.cape.as_deref().map(load_cape).transpose()?,
        })
    }

    /// Draws the picture of a skin file or a player, or the one of several.
    pub(super) fn draw(&self, inputs: &[String]) -> Result<Vec<u8>> {
        let Some(spec) = self.spec else {
            return Ok(self.load(&inputs[0])?.texture.into());
        };
        let mut loaded = Vec::new();
        for input in inputs {
            loaded.push(self.load_with_cape(input, spec)?);
        }
        let mut players = Vec::new();
        for (found, cape) in &loaded {
            let player = Player::new(&found.skin).named(found.name.as_deref().unwrap_or(""));
            players.push(cape.iter().fold(player, Player::with_cape));
        }
        self.draw_players(spec, &players)
            .context("the picture cannot be drawn")
    }

    fn draw_players(&self, spec: PictureSpec, players: &[Player<'_>]) -> Result<Vec<u8>> {
        let all: Vec<Option<Player<'_>>> = players.iter().copied().map(Some).collect();
        let picture = match (&*self.args.picture.word, self.args.motion()) {
            ("group", _) => spec.group(&all)?.picture,
            ("sheet", _) => spec.sheet(&all, self.args.columns(all.len()))?.picture,
            (_, None) => spec.picture(players[0])?,
            (_, Some(motion)) => {
                let (moving, mut file) = (spec.animation(players[0], motion)?, Vec::new());
                effigy_render::Renderer::new().write_animation(&moving, &mut file)?;
                return Ok(file);
            }
        };
        Ok(picture.encode(self.format)?)
    }

    /// Returns `<skin>_<view>` with the extension of the format, or `<view>` for a picture of several.
    pub(super) fn file_name(&self, input: &str) -> String {
        let motion = self.args.motion();
        let extension = motion.map_or(self.format.as_str(), |_| "apng");
        let word = &self.args.picture.word;
        match self.args.is_of_all() {
            true => format!("{word}.{extension}"),
            false => format!("{}_{word}.{extension}", stem(input)),
        }
    }

    fn load_with_cape(&self, input: &str, spec: PictureSpec) -> Result<(PlayerSkin, Option<Cape>)> {
        let found = self.load(input)?;
        let cape = match &found.cape {
            Some(url) if spec.has_cape && self.cape.is_none() => self.fetch_cape(input, url),
            _ => self.cape.clone(),
        };
        Ok((found, cape))
    }

    fn load(&self, input: &str) -> Result<PlayerSkin> {
        let (texture, name) = match input {
            STANDARD_INPUT => (read_standard_input()?, "standard input"),
            path if is_path(path) => (read(Path::new(path))?, path),
            name => return self.resolve(name),
        };
        PlayerSkin::of_texture(texture, self.args.model())
            .with_context(|| format!("{name} is not a skin"))
    }

    fn resolve(&self, name: &str) -> Result<PlayerSkin> {
        let player = PlayerId::detect(name).context("this is not a player's name or id")?;
        let mut found =
            PlayerSkin::resolve(&self.source, &player).context("cannot get the player's skin")?;
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
        let fetch = || {
            let file = self.source.texture(url, self.source.deadline())?;
            anyhow::Ok(Cape::decode(&file)?)
        };
        fetch()
            .inspect_err(|error| tracing::warn!("{player} is drawn without the cape: {error:#}"))
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
