//! Draws every named pose from four sides on one sheet, or 16 moments of each movement:
//! `cargo run --example contact_sheet -- poses|moments [sheet.png] [width] [skin.png] [cape.png]`

#![expect(
    clippy::disallowed_methods,
    reason = "a program reads and writes files, the library does not"
)]

use std::error::Error;

use effigy_render::NamedPose::{self, Cheer, Idle, Run, Walk, Wave};
use effigy_render::{
    Camera, Cape, Framing, PictureSpec, PixelLayout, Player, Renderer, Size, Skin, View,
};
use image::{Rgba, RgbaImage, imageops};

const BACKGROUND: Rgba<u8> = Rgba([236, 236, 230, 255]);

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let of_moments = args.next().is_some_and(|word| word == "moments");
    let path = args.next().unwrap_or_else(|| "sheet.png".to_owned());
    let width: u32 = args.next().map_or(Ok(128), |width| width.parse())?;
    let skin = match args.next() {
        Some(file) => std::fs::read(file)?,
        None => include_bytes!("../assets/skin.png").to_vec(),
    };
    let skin = Skin::decode(&skin, None)?;
    let cape = args.next().map(std::fs::read).transpose()?;
    let cape = cape.map(|file| Cape::decode(&file)).transpose()?;
    let mut player = Player::new(&skin);
    if let Some(cape) = &cape {
        player = player.with_cape(cape);
    }

    let figure = PictureSpec::new(View::Figure, Size::px(width));
    let from = |yaw, pose| {
        let spec = figure.with_camera(Camera::perspective(yaw, 15.0, 30.0));
        spec.with_pose(pose)
    };
    let rows: Vec<Vec<PictureSpec>> = if of_moments {
        let moving = [Walk, Run, Wave, Cheer, Idle].into_iter();
        let moments =
            |pose: NamedPose| (0..16).map(move |number| pose.at(f64::from(number) / 16.0));
        let row = |pose| moments(pose).map(|pose| from(25.0, pose).with_framing(Framing::All));
        moving.map(|pose| row(pose).collect()).collect()
    } else {
        let row = |yaw| {
            NamedPose::ALL
                .iter()
                .map(move |&pose| from(yaw, pose.into()))
        };
        [25.0, -35.0, 90.0, 150.0]
            .map(|yaw| row(yaw).collect())
            .into()
    };
    let [columns, lines] = [rows[0].len(), rows.len()].map(u32::try_from);
    let mut sheet = RgbaImage::from_pixel(columns? * width, lines? * 2 * width, BACKGROUND);
    let mut renderer = Renderer::new();
    for (y, row) in (0..).zip(&rows) {
        for (x, spec) in (0..).zip(row) {
            let mut image = RgbaImage::new(width, 2 * width);
            renderer.render_into(&spec.picture(player)?, PixelLayout::default(), &mut image)?;
            let [left, top] = [x * width, y * 2 * width].map(i64::from);
            imageops::overlay(&mut sheet, &image, left, top);
        }
    }
    Ok(sheet.save(path)?)
}
