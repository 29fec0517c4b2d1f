//! Draws a skin from an upper corner:
//! `cargo run -p effigy-render --example first_picture -- [skin.png] > player.png`

#![expect(
    clippy::disallowed_methods,
    reason = "a program reads files, the library does not"
)]

use effigy_render::{ImageFormat, PictureSpec, Size, Skin, View};

fn main() -> anyhow::Result<()> {
    let texture = match std::env::args().nth(1) {
        Some(file) => std::fs::read(file)?,
        None => include_bytes!("../assets/skin.png").to_vec(),
    };
    let skin = Skin::decode(&texture, None)?;
    let spec = PictureSpec::new(View::IsometricBody, Size::px(300));
    spec.picture(&skin)?
        .write(ImageFormat::Png, std::io::stdout())?;
    Ok(())
}
