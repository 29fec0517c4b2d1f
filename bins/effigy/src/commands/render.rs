//! `effigy render`: one picture to a file, without a server or a database.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use effigy_player::PlayerId;
use effigy_render::{Layers, Model, Skin};
use effigy_service::{Picture, SizeParameter};
use effigy_upstream::{Resolved, SkinSource, Standing};

use super::{say, serve::resolver, start_log};
use crate::{
    cli::{RenderArgs, ViewArg},
    failure::Failure,
};

/// Draws one picture.
pub(crate) fn render(args: &RenderArgs) -> Result<(), Failure> {
    start_log(&args.log);
    let picture = picture(args);
    let resolved = skin(args)?;
    let drawn = picture.draw(&resolved.skin).map_err(Failure::Render)?;
    write(args, &drawn.unwrap_or(resolved.texture))
}

fn picture(args: &RenderArgs) -> Picture {
    let size = args
        .size
        .map_or(SizeParameter::Default, SizeParameter::pixels);
    let facing = args.facing.into();
    let layers = if args.hat {
        Layers::WithOverlay
    } else {
        Layers::Base
    };
    match args.view {
        ViewArg::Head => Picture::Head { layers, size },
        ViewArg::Player => Picture::Player { layers, size },
        ViewArg::Avatar => Picture::Avatar { facing, size },
        ViewArg::Ioshead => Picture::Ioshead { facing, size },
        ViewArg::Iosbody => Picture::Iosbody { facing, size },
        ViewArg::Skin => Picture::Skin,
    }
}

/// The skin in the file, or the player's.
fn skin(args: &RenderArgs) -> Result<Resolved<Skin>, Failure> {
    let path = Path::new(&args.skin);
    if path.is_file() || looks_like_a_file(path) {
        return skin_of_file(path, args.slim);
    }
    let player = PlayerId::detect(&args.skin).map_err(Failure::Input)?;
    let source = resolver(args.upstream.config()?)?;
    let resolved = source.resolve(&player).map_err(Failure::Upstream)?;
    if resolved.standing == Standing::Outage {
        tracing::warn!("an upstream does not answer: this skin only stands in for the player's");
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

fn skin_of_file(path: &Path, slim: bool) -> Result<Resolved<Skin>, Failure> {
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
    Ok(Resolved {
        texture,
        skin,
        standing: Standing::Own,
    })
}

fn write(args: &RenderArgs, png: &[u8]) -> Result<(), Failure> {
    let path = args.output.clone().unwrap_or_else(|| default_output(args));
    let failed = |to: String| |source| Failure::Write { to, source };
    if path == Path::new("-") {
        let mut out = io::stdout().lock();
        return out
            .write_all(png)
            .and_then(|()| out.flush())
            .map_err(failed("standard output".to_owned()));
    }
    fs::write(&path, png).map_err(failed(path.display().to_string()))?;
    say(&format!("Wrote {}", path.display()))
}

/// `<skin>_<view>.png` in the current directory.
fn default_output(args: &RenderArgs) -> PathBuf {
    let stem = Path::new(&args.skin).file_stem().unwrap_or_default();
    let stem: String = stem.to_string_lossy().chars().map(file_safe).collect();
    let view = args.view.to_possible_value();
    let view = view.as_ref().map_or("picture", |view| view.get_name());
    PathBuf::from(format!("{stem}_{view}.png"))
}

fn file_safe(c: char) -> char {
    if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') {
        c
    } else {
        '_'
    }
}
