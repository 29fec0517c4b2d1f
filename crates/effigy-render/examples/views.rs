//! Turns a skin file into every view, flat ones as SVG too: `cargo run --example views -- skin.png out-folder 300 [slim]`.

#![expect(
    clippy::disallowed_methods,
    reason = "a program does the I/O that the library does not"
)]

use std::error::Error;
use std::path::Path;

use effigy_render::{
    Body, Bust, Combo, Facing, Framed, Head, IsometricBody, IsometricHead, Layers, Model,
    RenderError, Size, Skin, View,
};

/// Every view under the name of its file.
fn views(size: Size) -> Vec<(String, Box<dyn View>)> {
    let wider = Size::new(size.get().saturating_mul(2)).unwrap_or(size);
    let mut views: Vec<(String, Box<dyn View>)> = Vec::new();
    for (worn, layers) in [("", Layers::Base), ("_overlay", Layers::WithOverlay)] {
        views.push((format!("head{worn}"), Box::new(Head { size, layers })));
        views.push((format!("body{worn}"), Box::new(Body { size, layers })));
        views.push((format!("bust{worn}"), Box::new(Bust { size, layers })));
        let framed = Framed {
            view: IsometricHead {
                size,
                facing: Facing::Right,
                layers,
            },
            width: wider,
            height: size,
        };
        views.push((format!("framed_head{worn}"), Box::new(framed)));
        views.push((format!("combo{worn}"), Box::new(Combo { size, layers })));
        for (side, facing) in [
            ("left", Facing::Left),
            ("right", Facing::Right),
            ("back_left", Facing::BackLeft),
            ("back_right", Facing::BackRight),
        ] {
            let head = IsometricHead {
                size,
                facing,
                layers,
            };
            let body = IsometricBody {
                size,
                facing,
                layers,
            };
            views.push((format!("isometric_head_{side}{worn}"), Box::new(head)));
            views.push((format!("isometric_body_{side}{worn}"), Box::new(body)));
        }
    }
    views
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(file), Some(folder)) = (args.next(), args.next()) else {
        return Err("usage: views skin.png out-folder [size] [slim]".into());
    };
    let pixels = args.next().map_or(Ok(300), |size| size.parse())?;
    let size = Size::new(pixels).ok_or("the size must be at least 1")?;
    let model = match args.next().as_deref() {
        Some("slim") => Model::Slim,
        _ => Model::Classic,
    };
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
        let render = view.render(&skin)?;
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
