//! Shows a face in a terminal with 24-bit color: `cargo run --example terminal -- [skin.png]`

#![expect(
    clippy::disallowed_methods,
    reason = "a program reads files, the library does not"
)]

use std::error::Error;
use std::io::{self, Write};

use effigy_render::tiny_skia::{Color, Pixmap, Transform};
use effigy_render::{PictureSpec, Size, Skin, View};

fn main() -> Result<(), Box<dyn Error>> {
    let texture = match std::env::args().nth(1) {
        Some(file) => std::fs::read(file)?,
        None => include_bytes!("../assets/skin.png").to_vec(),
    };
    let skin = Skin::decode(&texture, None)?;
    let face = PictureSpec::new(View::Face, Size::px(16)).picture(&skin)?;

    // A frame of two pixels around the face.
    let mut canvas = Pixmap::new(20, 20).ok_or("a small canvas")?;
    canvas.fill(Color::from_rgba8(40, 44, 52, 255));
    face.draw_into(&mut canvas.as_mut(), Transform::from_translate(2.0, 2.0))?;

    // Two rows of pixels are one line of half blocks.
    let mut out = io::stdout().lock();
    for rows in canvas.pixels().chunks(2 * 20) {
        let (upper, lower) = rows.split_at(20);
        for (u, l) in upper.iter().zip(lower) {
            let foreground = format!("\x1b[38;2;{};{};{}m", u.red(), u.green(), u.blue());
            let background = format!("\x1b[48;2;{};{};{}m", l.red(), l.green(), l.blue());
            write!(out, "{foreground}{background}▀")?;
        }
        writeln!(out, "\x1b[0m")?;
    }
    Ok(())
}
