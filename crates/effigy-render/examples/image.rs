//! Puts a figure on a canvas of the `image` crate, and saves `canvas.png`:
//! `cargo run -p effigy-render --example image -- [skin.png]`

#![expect(
    clippy::disallowed_methods,
    reason = "a program reads files, the library does not"
)]

use anyhow::Context;
use effigy_render::{PictureSpec, Size, Skin, View};
use image::{Rgba, RgbaImage, imageops};

fn main() -> anyhow::Result<()> {
    let texture = match std::env::args().nth(1) {
        Some(file) => std::fs::read(file)?,
        None => include_bytes!("../assets/skin.png").to_vec(),
    };
    let skin = Skin::decode(&texture, None)?;
    let picture = PictureSpec::new(View::Figure, Size::px(128)).picture(&skin)?;
    let pixels = picture.to_rgba()?;
    let figure = RgbaImage::from_raw(picture.width(), picture.height(), pixels);
    let figure = figure.context("too few pixels")?;

    let mut canvas = RgbaImage::from_pixel(200, 300, Rgba([40, 44, 52, 255]));
    imageops::overlay(&mut canvas, &figure, 36, 22);
    canvas.save("canvas.png")?;
    Ok(())
}
