//! From the text on the command line to the bytes of a picture.

use std::{fs, path::Path, sync::Arc, time::Duration};

use anyhow::{Context, Result, ensure};
use effigy_cli::{RenderArgs, ViewArg};
use effigy_player::PlayerId;
use effigy_render::{Cape, ImageFormat, Model, PictureSpec, Player};
use effigy_service::PlayerSkin;
use effigy_upstream::{Resolver, SkinOrigin, SkinSource, UreqTransport};

use super::inputs::{self, Input};
use crate::{commands::skins::Skins, failure::ExitError};

/// The parameters that all pictures of a command share.
pub(super) struct Renderer {
    source: Arc<dyn SkinSource>,
    view: ViewArg,
    /// The picture to draw, or `None` for the unchanged texture.
    spec: Option<PictureSpec>,
    format: ImageFormat,
    /// The cape that everybody wears instead of their own.
    cape: Option<Cape>,
    /// The model to draw on instead of the skin's own.
    model: Option<Model>,
    /// Draws a fallback skin for a player whose own could not be found.
    allow_fallback: bool,
}

impl Renderer {
    pub(super) fn new(args: &RenderArgs, format: ImageFormat) -> Result<Self> {
        let spec = args.spec();
        ensure!(
            format == ImageFormat::Png || spec.is_some(),
            ExitError::usage("a skin file cannot be svg; every other view can")
        );
        Ok(Self {
            source: source(args)?,
            view: args.view,
            spec,
            format,
            cape: args.cape.as_deref().map(load_cape).transpose()?,
            model: args.model(),
            allow_fallback: args.allow_fallback,
        })
    }

    /// Draws the picture of a skin file or a player.
    pub(super) fn draw(&self, skin: &str) -> Result<Vec<u8>> {
        let found = self.load(skin)?;
        let Some(spec) = self.spec else {
            return Ok(found.texture);
        };
        let own_cape = match &found.cape_url {
            Some(url) if spec.has_cape && self.cape.is_none() => self.fetch_cape(skin, url),
            _ => None,
        };
        let mut player = Player::new(&found.skin).named(found.name.as_deref().unwrap_or(""));
        if let Some(cape) = self.cape.as_ref().or(own_cape.as_ref()) {
            player = player.with_cape(cape);
        }
        let picture = spec.picture(player);
        let file = picture.and_then(|picture| picture.encode(self.format));
        file.context("the picture cannot be drawn")
    }

    /// Returns `<skin>_<view>.png`, or `.svg`.
    pub(super) fn file_name(&self, skin: &str) -> String {
        let stem: String = Input::detect(skin).stem().chars().map(file_safe).collect();
        format!("{stem}_{}.{}", self.view.word, self.format.extension())
    }

    fn load(&self, skin: &str) -> Result<PlayerSkin> {
        let mut found = match Input::detect(skin) {
            Input::Stdin => decode(inputs::read_standard_input()?, "standard input")?,
            Input::File(path) => {
                let name = path.display().to_string();
                let texture = fs::read(path).with_context(|| format!("cannot read {name}"))?;
                decode(texture, &name)?
            }
            Input::Player(name) => self.resolve(name)?,
        };
        if let Some(model) = self.model {
            found.skin = found.skin.with_model(model);
        }
        Ok(found)
    }

    fn resolve(&self, name: &str) -> Result<PlayerSkin> {
        let player = PlayerId::detect(name).context("this is not a player's name or id")?;
        let found =
            PlayerSkin::resolve(&*self.source, &player).context("cannot get the player's skin")?;
        let reason = match found.origin {
            SkinOrigin::Own | SkinOrigin::DefaultSkin => return Ok(found),
            SkinOrigin::PlayerNotFound => "there is no such player",
            SkinOrigin::Outage => "an upstream service failed",
        };
        ensure!(
            self.allow_fallback,
            "cannot get the skin of {name}: {reason}; --allow-fallback draws a fallback skin"
        );
        tracing::warn!("{name} is drawn with a fallback skin: {reason}");
        Ok(found)
    }

    /// Fetches a player's cape. A picture without it is better than none.
    fn fetch_cape(&self, player: &str, url: &str) -> Option<Cape> {
        let file = self.source.cape(url).map_err(anyhow::Error::from);
        let cape = file.and_then(|file| Ok(Cape::decode(&file)?));
        cape.inspect_err(|error| tracing::warn!("{player} is drawn without the cape: {error:#}"))
            .ok()
    }
}

/// Creates the source of players.
fn source(args: &RenderArgs) -> Result<Arc<dyn SkinSource>> {
    let upstream = args.upstream.config(Duration::ZERO)?;
    let transport = UreqTransport::for_config(&upstream)?;
    let resolver = Resolver::new(transport, upstream)?;
    Ok(Skins::open(&args.skins, resolver)?.source())
}

/// Decodes a skin file, whose model is guessed.
fn decode(texture: Vec<u8>, name: &str) -> Result<PlayerSkin> {
    let mut found = PlayerSkin::of_texture(texture, Model::Classic)
        .with_context(|| format!("{name} is not a skin"))?;
    let model = found.skin.guess_model();
    found.skin = found.skin.with_model(model);
    Ok(found)
}

fn load_cape(path: &Path) -> Result<Cape> {
    let name = path.display();
    let file = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    Cape::decode(&file).with_context(|| format!("{name} is not a cape"))
}

fn file_safe(c: char) -> char {
    if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') {
        c
    } else {
        '_'
    }
}
