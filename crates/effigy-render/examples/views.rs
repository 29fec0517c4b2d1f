//! Turns a skin file into every view: `cargo run --example views -- skin.png out-folder 300 [slim]`.

#![expect(
    clippy::disallowed_methods,
    reason = "a program does the I/O that the library does not"
)]

use std::error::Error;
use std::path::Path;

use effigy_render::{
    Body, Facing, Head, IsometricBody, IsometricHead, Layers, Model, Size, Skin, View,
};

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

    let (base, overlay) = (Layers::Base, Layers::WithOverlay);
    let (left, right) = (Facing::Left, Facing::Right);
    let views: [(&str, &dyn View); 8] = [
        ("head", &Head { size, layers: base }),
        (
            "head_hat",
            &Head {
                size,
                layers: overlay,
            },
        ),
        ("player", &Body { size, layers: base }),
        (
            "player_hat",
            &Body {
                size,
                layers: overlay,
            },
        ),
        (
            "isometric_head_right",
            &IsometricHead {
                size,
                facing: right,
                layers: overlay,
            },
        ),
        (
            "isometric_head_left",
            &IsometricHead {
                size,
                facing: left,
                layers: overlay,
            },
        ),
        (
            "isometric_body_right",
            &IsometricBody {
                size,
                facing: right,
                layers: overlay,
            },
        ),
        (
            "isometric_body_left",
            &IsometricBody {
                size,
                facing: left,
                layers: overlay,
            },
        ),
    ];
    std::fs::create_dir_all(&folder)?;
    for (view_name, view) in views {
        let file = format!("{}-{view_name}.png", name.display());
        let png = view.render(&skin)?.encode_png()?;
        std::fs::write(Path::new(&folder).join(file), png)?;
    }
    Ok(())
}
