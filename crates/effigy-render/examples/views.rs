//! Draws every view of a skin into a folder, as PNG, SVG and GIF:
//! `cargo run -p effigy-render --example views -- [folder] [skin.png] [size] [classic|slim]`

#![expect(
    clippy::disallowed_methods,
    reason = "a program reads and writes files, the library does not"
)]

use std::path::{Path, PathBuf};

use anyhow::Context;
use effigy_render::{Facing, ImageFormat, Layers, Model, PictureSpec, Size, Skin, View};

/// Every view under the name of its file.
fn views(size: Size) -> Vec<(String, PictureSpec)> {
    let mut views = Vec::new();
    for &view in View::ALL {
        for &layers in Layers::ALL {
            let spec = PictureSpec::new(view, size).with_layers(layers);
            if view.is_flat() {
                views.push((format!("{view}-{layers}"), spec));
                continue;
            }
            for &facing in Facing::ALL {
                views.push((
                    format!("{view}-{facing}-{layers}"),
                    spec.with_facing(facing),
                ));
            }
        }
    }
    views
}

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().unwrap_or_else(|| "views".to_owned()));
    let (name, texture) = match args.next() {
        Some(file) => {
            let name = Path::new(&file).file_stem().context("a skin is a file")?;
            (name.to_string_lossy().into_owned(), std::fs::read(&file)?)
        }
        None => (
            "skin".to_owned(),
            include_bytes!("../assets/skin.png").to_vec(),
        ),
    };
    let size: u32 = args.next().map_or(Ok(300), |size| size.parse())?;
    let model: Option<Model> = args.next().map(|model| model.parse()).transpose()?;
    let skin = Skin::decode(&texture, model)?;

    std::fs::create_dir_all(&folder)?;
    for (view_name, spec) in views(Size::try_from(size)?) {
        let picture = spec.picture(&skin)?;
        for &format in ImageFormat::ALL {
            let file = folder.join(format!("{name}-{view_name}.{format}"));
            std::fs::write(file, picture.encode(format)?)?;
        }
    }
    Ok(())
}
