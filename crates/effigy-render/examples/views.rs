//! Turns a skin file into every view: `cargo run --example views -- skin.png out-folder 300 [slim]`.

#![expect(
    clippy::disallowed_methods,
    reason = "a program does the I/O that the library does not"
)]

use std::error::Error;
use std::path::Path;

use effigy_render::{
    Body, Bust, Combo, Facing, Head, IsometricBody, IsometricHead, Layers, Model, Size, Skin, View,
};

/// Every view under the name of its file.
fn views(size: Size) -> Vec<(String, Box<dyn View>)> {
    let mut views: Vec<(String, Box<dyn View>)> = Vec::new();
    for (worn, layers) in [("", Layers::Base), ("_overlay", Layers::WithOverlay)] {
        views.push((format!("head{worn}"), Box::new(Head { size, layers })));
        views.push((format!("body{worn}"), Box::new(Body { size, layers })));
        views.push((format!("bust{worn}"), Box::new(Bust { size, layers })));
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
        let file = format!("{}-{view_name}.png", name.display());
        let png = view.render(&skin)?.encode_png()?;
        std::fs::write(Path::new(&folder).join(file), png)?;
    }
    Ok(())
}
