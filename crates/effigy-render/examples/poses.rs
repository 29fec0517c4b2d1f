//! Draws a player who sits down, pose by pose, into a folder:
//! `cargo run -p effigy-render --example poses -- [folder] [skin.png]`

#![expect(
    clippy::disallowed_methods,
    reason = "a program reads and writes files, the library does not"
)]

use std::path::PathBuf;

use effigy_render::{
    Camera, Framing, ImageFormat, NamedPose, PictureSpec, Pose, Renderer, Size, Skin, View,
};

const FRAMES: u32 = 12;

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().unwrap_or_else(|| "poses".to_owned()));
    let texture = match args.next() {
        Some(file) => std::fs::read(file)?,
        None => include_bytes!("../assets/skin.png").to_vec(),
    };
    let skin = Skin::decode(&texture, None)?;
    let figure = PictureSpec::new(View::Figure, Size::px(128)).with_framing(Framing::Turning);

    std::fs::create_dir_all(&folder)?;
    let mut renderer = Renderer::new();
    for frame in 0..=FRAMES {
        let share = f64::from(frame) / f64::from(FRAMES);
        let pose = Pose::between(NamedPose::Stand, NamedPose::Sit, share);
        let camera = Camera::orthographic(25.0 + 360.0 * share, 10.0);
        let spec = figure.with_pose(pose).with_camera(camera);
        let png = renderer.encode(&spec.picture(&skin)?, ImageFormat::Png)?;
        std::fs::write(folder.join(format!("{frame:02}.png")), png)?;
    }
    Ok(())
}
