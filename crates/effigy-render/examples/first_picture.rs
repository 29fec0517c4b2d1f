//! Draws a skin from an upper corner: `cargo run --example first_picture -- [skin.png] > player.png`

#![expect(
    clippy::disallowed_methods,
    reason = "a program reads files, the library does not"
)]

use std::error::Error;

use effigy_render::{Model, PictureSpec, Size, Skin, View};

fn main() -> Result<(), Box<dyn Error>> {
    let texture = match std::env::args().nth(1) {
        Some(file) => std::fs::read(file)?,
        None => include_bytes!("../assets/skin.png").to_vec(),
    };
    let skin = Skin::decode(&texture, Model::Classic)?;
    let model = skin.guess_model();
    let skin = skin.with_model(model);
    let spec = PictureSpec::new(View::IsometricBody, Size::try_from(300)?);
    spec.picture(&skin)?.write_png(&mut std::io::stdout())?;
    Ok(())
}
