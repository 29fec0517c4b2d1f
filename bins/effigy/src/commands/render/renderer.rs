//! From the text on the command line to the bytes of a picture.

use std::{fs, path::Path};

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use effigy_player::PlayerId;
use effigy_render::{Cape, ImageFormat, Model, PictureSpec, Player};
use effigy_service::PlayerSkin;
use effigy_upstream::{Resolver, SkinOrigin, SkinSource as _, UreqTransport};

use super::{has_extension, spec::spec};
use crate::{
    cli::{RenderArgs, ViewArg},
    failure::ExitError,
};

/// The parameters that all pictures of a command share.
pub(super) struct Renderer {
    source: Resolver,
    view: ViewArg,
    /// The picture to draw, or `None` for the unchanged texture.
    spec: Option<PictureSpec>,
    format: ImageFormat,
    /// The cape that everybody wears instead of their own.
    cape: Option<Cape>,
    /// The model of skin files. A player has a model already.
    file_model: Model,
}

impl Renderer {
    pub(super) fn new(args: &RenderArgs, format: ImageFormat) -> Result<Self> {
        let spec = spec(args)?;
        ensure!(
            format == ImageFormat::Png || spec.is_some(),
            ExitError::usage("a skin file cannot be svg; every other view can")
        );
        let file_model = if args.slim {
            Model::Slim
        } else {
            Model::Classic
        };
        let upstream = args.upstream.config()?;
        let transport = UreqTransport::for_config(&upstream)?;
        Ok(Self {
            source: Resolver::new(transport, upstream)?,
            view: args.view,
            spec,
            format,
            cape: args.scene.cape.as_deref().map(load_cape).transpose()?,
            file_model,
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
        let path = Path::new(skin);
        // The dot of a gamertag does not begin an extension.
        let stem = if is_file_name(path) {
            path.file_stem().unwrap_or_default().to_string_lossy()
        } else {
            skin.into()
        };
        let stem: String = stem.chars().map(file_safe).collect();
        let view = self.view.to_possible_value().expect("no view is skipped");
        format!("{stem}_{}.{}", view.get_name(), self.format.extension())
    }

    fn load(&self, skin: &str) -> Result<PlayerSkin> {
        let path = Path::new(skin);
        if path.is_file() || is_file_name(path) {
            return self.load_file(path);
        }
        let player = PlayerId::detect(skin).context("this is not a player's name or id")?;
        let found =
            PlayerSkin::resolve(&self.source, &player).context("cannot get the player's skin")?;
        if found.origin == SkinOrigin::Outage {
            tracing::warn!("an upstream service failed, so {skin} is drawn with a fallback skin");
        }
        Ok(found)
    }

    /// Fetches a player's cape. A picture without it is better than none.
    fn fetch_cape(&self, player: &str, url: &str) -> Option<Cape> {
        let file = self.source.cape(url).map_err(anyhow::Error::from);
        let cape = file.and_then(|file| Ok(Cape::decode(&file)?));
        cape.inspect_err(|error| tracing::warn!("{player} is drawn without the cape: {error:#}"))
            .ok()
    }

    fn load_file(&self, path: &Path) -> Result<PlayerSkin> {
        let name = path.display();
        let texture = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        PlayerSkin::of_texture(texture, self.file_model)
            .with_context(|| format!("{name} is not a skin"))
    }
}

fn load_cape(path: &Path) -> Result<Cape> {
    let name = path.display();
    let file = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    Cape::decode(&file).with_context(|| format!("{name} is not a cape"))
}

/// Returns whether a text is a path, which no player's name can be. If there is no such file, it is a
/// mistake.
fn is_file_name(path: &Path) -> bool {
    has_extension(path, "png") || path.components().count() > 1
}

fn file_safe(c: char) -> char {
    if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') {
        c
    } else {
        '_'
    }
}
