//! From the text on the command line to the bytes of a picture.

use std::{fs, path::Path};

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use effigy_player::PlayerId;
use effigy_render::{ImageFormat, Layers, Model, PictureSpec};
use effigy_service::PlayerSkin;
use effigy_upstream::{Resolver, SkinOrigin, UreqTransport};

use super::has_extension;
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
    /// The model of skin files. A player has a model already.
    file_model: Model,
}

impl Renderer {
    pub(super) fn new(args: &RenderArgs, format: ImageFormat) -> Result<Self> {
        let spec = spec(args);
        ensure!(
            format == ImageFormat::Png || spec.is_some_and(|spec| spec.view.is_flat()),
            ExitError::usage("only the flat views can be svg: head, player, bust and combo")
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
            file_model,
        })
    }

    /// Draws the picture of a skin file or a player.
    pub(super) fn draw(&self, skin: &str) -> Result<Vec<u8>> {
        let PlayerSkin { texture, skin, .. } = self.load(skin)?;
        let Some(spec) = self.spec else {
            return Ok(texture);
        };
        let picture = spec.picture(&skin);
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

    fn load_file(&self, path: &Path) -> Result<PlayerSkin> {
        let name = path.display();
        let texture = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        PlayerSkin::of_texture(texture, self.file_model)
            .with_context(|| format!("{name} is not a skin"))
    }
}

/// Returns the picture that the flags request, or `None` for the texture.
fn spec(args: &RenderArgs) -> Option<PictureSpec> {
    let view = args.view.view()?;
    let size = args.size.unwrap_or(args.view.default_size());
    let layers = match (view.is_flat(), args.hat, args.no_overlay) {
        (true, false, _) | (false, _, true) => Layers::Base,
        _ => Layers::WithOverlay,
    };
    let spec = PictureSpec::new(view, size).with_facing(args.facing);
    Some(spec.with_layers(layers))
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
