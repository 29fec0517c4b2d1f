//! Turns a skin file into every view, flat ones as SVG too: `cargo run --example views -- skin.png out-folder 300 [classic|slim]`.

#![expect(
    clippy::disallowed_methods,
    reason = "a program does the I/O that the library does not"
)]

use std::error::Error;
use std::path::Path;

use effigy_render::{Facing, Layers, Model, PictureSpec, RenderError, Size, Skin, View};

/// Every view under the name of its file.
fn views(size: Size) -> Vec<(String, PictureSpec)> {
    let mut views = Vec::new();
    for view in View::ALL {
        for layers in Layers::ALL {
            let spec = PictureSpec::new(view, size).with_layers(layers);
            if view.is_flat() {
                views.push((format!("{view}-{layers}"), spec));
                continue;
            }
            for facing in Facing::ALL {
                views.push((
                    format!("{view}-{facing}-{layers}"),
                    spec.with_facing(facing),
                ));
            }
        }
    }
    views
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(file), Some(folder)) = (args.next(), args.next()) else {
        return Err("usage: views skin.png out-folder [size] [classic|slim]".into());
    };
    let pixels = args.next().map_or(Ok(300), |size| size.parse())?;
    let size = Size::new(pixels).ok_or("the size must be at least 1")?;
    let model = args
        .next()
        .map_or(Ok(Model::Classic), |model| model.parse())?;
    let skin = Skin::decode(&std::fs::read(&file)?, model)?;
    let name = Path::new(&file)
        .file_stem()
        .ok_or("the skin must be a file")?;

    std::fs::create_dir_all(&folder)?;
    for (view_name, view) in views(size) {
        let file = |ending| {
            let file = format!("{}-{view_name}.{ending}", name.display());
            Path::new(&folder).join(file)
        };
        let render = view.picture(&skin)?;
        std::fs::write(file("png"), render.encode_png()?)?;
        let mut svg = Vec::new();
        match render.write_svg(&mut svg) {
            Err(RenderError::NotFlat) => {}
            written => {
                written?;
                std::fs::write(file("svg"), svg)?;
            }
        }
    }
    Ok(())
}
