//! Writes a player who walks and turns around, as `player.gif` and `player.apng`:
//! `cargo run -p effigy-render --example animation -- [skin.png] [pose]`

#![expect(
    clippy::disallowed_methods,
    reason = "a program reads and writes files, the library does not"
)]

use effigy_render::{Motion, NamedPose, PictureSpec, Size, Skin, View};

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let texture = match args.next() {
        Some(file) => std::fs::read(file)?,
        None => include_bytes!("../assets/skin.png").to_vec(),
    };
    let pose: NamedPose = match args.next() {
        Some(word) => word.parse()?,
        None => NamedPose::Walk,
    };
    let skin = Skin::decode(&texture, None)?;
    let figure = PictureSpec::new(View::Figure, Size::px(128));

    let animation = figure.animation(&skin, Motion::of(pose).turning())?;
    std::fs::write("player.gif", animation.encode_gif()?)?;
    std::fs::write("player.apng", animation.encode_apng()?)?;
    Ok(())
}
