//! `effigy render`: pictures to files, without a server or a database.

mod batch;
mod progress;

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use effigy_player::PlayerId;
use effigy_render::{ImageFormat, Layers, Model, PictureSpec, Size, Skin, View};
use effigy_service::{Drawing, Picture, PlayerSkin};
use effigy_upstream::SkinOrigin;

use super::{
    say,
    serve::{NetworkResolver, resolver},
    start_log,
};
use crate::{
    cli::{RenderArgs, ViewArg},
    failure::Failure,
};

/// Draws one picture, or many into a folder.
pub(crate) fn render(args: &RenderArgs) -> Result<(), Failure> {
    start_log(&args.log);
    let source = resolver(args.upstream.config()?)?;
    match args.skins.as_slice() {
        [skin] => one(args, &source, skin),
        skins => batch::render(args, &source, skins),
    }
}

fn one(args: &RenderArgs, source: &NetworkResolver, skin: &str) -> Result<(), Failure> {
    let named = args.output.as_deref();
    let format = format(args, named)?;
    let bytes = drawn(args, format, source, skin)?;
    let path = match named {
        None => PathBuf::from(file_name(args, format, skin)),
        Some(path) if names_a_folder(path) => path.join(file_name(args, format, skin)),
        Some(path) => path.to_owned(),
    };
    if path == Path::new("-") {
        let mut out = io::stdout().lock();
        return out
            .write_all(&bytes)
            .and_then(|()| out.flush())
            .map_err(|source| Failure::Write {
                to: "standard output".to_owned(),
                source,
            });
    }
    write(&path, &bytes)?;
    say(&format!("Wrote {}", path.display()))
}

/// The requested format of the file.
fn format(args: &RenderArgs, output: Option<&Path>) -> Result<ImageFormat, Failure> {
    let extension = output.and_then(Path::extension);
    let is_svg = extension
        .is_some_and(|extension| extension.eq_ignore_ascii_case(ImageFormat::Svg.extension()));
    if !args.svg && !is_svg {
        return Ok(ImageFormat::Png);
    }
    match view(args) {
        Some(view) if view.is_flat() => Ok(ImageFormat::Svg),
        _ => Err(Failure::NotFlat),
    }
}

fn names_a_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|source| Failure::Write {
        to: path.display().to_string(),
        source,
    })
}

/// The picture of a skin file or a player.
fn drawn(
    args: &RenderArgs,
    format: ImageFormat,
    source: &NetworkResolver,
    skin: &str,
) -> Result<Vec<u8>, Failure> {
    let resolved = resolved(args, source, skin)?;
    let drawn = picture(args, format).draw(&resolved.skin);
    Ok(drawn.map_err(Failure::Render)?.unwrap_or(resolved.texture))
}

fn picture(args: &RenderArgs, format: ImageFormat) -> Picture {
    let Some((view, size)) = view(args).zip(size(args)) else {
        return Picture::Skin;
    };
    let wears_overlay = if view.is_flat() {
        args.hat
    } else {
        !args.no_overlay
    };
    let layers = if wears_overlay {
        Layers::WithOverlay
    } else {
        Layers::Base
    };
    let spec = PictureSpec::new(view, size)
        .with_facing(args.facing.into())
        .with_layers(layers);
    Picture::Drawing(Drawing { spec, format })
}

/// The requested view, or `None` for the texture.
fn view(args: &RenderArgs) -> Option<View> {
    Some(match args.view {
        ViewArg::Head => View::Head,
        ViewArg::Player => View::Body,
        ViewArg::Bust => View::Bust,
        ViewArg::Combo => View::Combo,
        ViewArg::Avatar | ViewArg::Iosbody => View::IsometricBody,
        ViewArg::Ioshead => View::IsometricHead,
        ViewArg::Skin => return None,
    })
}

/// The size, which was checked when it was read.
fn size(args: &RenderArgs) -> Option<Size> {
    let default = match args.view {
        ViewArg::Ioshead | ViewArg::Iosbody => 64,
        _ => 128,
    };
    Size::new(args.size.unwrap_or(default))
}

/// The skin in the file, or the player's.
fn resolved(
    args: &RenderArgs,
    source: &NetworkResolver,
    skin: &str,
) -> Result<PlayerSkin, Failure> {
    let path = Path::new(skin);
    if path.is_file() || looks_like_a_file(path) {
        return skin_of_file(path, args.slim);
    }
    let player = PlayerId::detect(skin).map_err(Failure::Input)?;
    let resolved = PlayerSkin::resolve(source, &player).map_err(Failure::Upstream)?;
    if resolved.origin == SkinOrigin::Outage {
        tracing::warn!("an upstream does not answer: this skin only stands in for {skin}'s");
    }
    Ok(resolved)
}

/// Nobody is called so: a path that names no file is a mistake, not a player.
fn looks_like_a_file(path: &Path) -> bool {
    let png = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    png || path.components().count() > 1
}

fn skin_of_file(path: &Path, slim: bool) -> Result<PlayerSkin, Failure> {
    let path_of_error = || path.to_owned();
    let texture = fs::read(path).map_err(|source| Failure::Read {
        path: path_of_error(),
        source,
    })?;
    let model = if slim { Model::Slim } else { Model::Classic };
    let skin = Skin::decode(&texture, model).map_err(|source| Failure::Skin {
        path: path_of_error(),
        source,
    })?;
    Ok(PlayerSkin {
        texture,
        skin,
        origin: SkinOrigin::Own,
    })
}

/// `<skin>_<view>.png`, or `.svg`
fn file_name(args: &RenderArgs, format: ImageFormat, skin: &str) -> String {
    let path = Path::new(skin);
    // The dot of a gamertag does not begin an extension.
    let stem = if looks_like_a_file(path) {
        path.file_stem().unwrap_or_default().to_string_lossy()
    } else {
        skin.into()
    };
    let stem: String = stem.chars().map(file_safe).collect();
    let view = args.view.to_possible_value();
    let view = view.as_ref().map_or("picture", |view| view.get_name());
    format!("{stem}_{view}.{}", format.extension())
}

fn file_safe(c: char) -> char {
    if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') {
        c
    } else {
        '_'
    }
}
