//! Shows a face in a terminal with 24-bit color:
//! `cargo run -p effigy-render --example terminal -- [skin.png]`

#![expect(
    clippy::disallowed_methods,
    reason = "a program reads files, the library does not"
)]

use std::io::{self, Write};

use effigy_render::{Decoration, PictureSpec, Size, Skin, View};

fn main() -> anyhow::Result<()> {
    let texture = match std::env::args().nth(1) {
        Some(file) => std::fs::read(file)?,
        None => include_bytes!("../assets/skin.png").to_vec(),
    };
    let skin = Skin::decode(&texture, None)?;
    // Two pixels around the face.
    let spec = PictureSpec::new(View::Face, Size::px(16)).with_decoration(
        Decoration::NONE
            .with_background([40, 44, 52, 255])
            .with_padding(2),
    );
    let rgba = spec.picture(&skin)?.to_rgba()?;

    // Two rows of pixels are one line of half blocks.
    let mut out = io::stdout().lock();
    for rows in rgba.as_chunks::<4>().0.chunks(2 * 20) {
        let (upper, lower) = rows.split_at(20);
        for ([r, g, b, _], [red, green, blue, _]) in upper.iter().zip(lower) {
            let foreground = format!("\x1b[38;2;{r};{g};{b}m");
            let background = format!("\x1b[48;2;{red};{green};{blue}m");
            write!(out, "{foreground}{background}▀")?;
        }
        writeln!(out, "\x1b[0m")?;
    }
    Ok(())
}
