//! Draws a sheet of figures: every named pose from four sides (`poses`) or from its own (`acting`),
//! some poses from more sides (`walk,run`), 16 moments of each movement (`moments`), or joints that
//! bend (`bends`).
//! `cargo run -p effigy-render --example contact_sheet -- <content> [sheet.png] [width] [skin.png]
//! [cape.png]`

#![expect(
    clippy::disallowed_methods,
    reason = "a program reads and writes files, the library does not"
)]

use anyhow::Context;
use effigy_render::{
    Angle, Camera, Cape, Motion, NamedPose, Picture, PictureSpec, PixelLayout, Player, Pose,
    RenderError, Renderer, Rotation, Size, Skin, View,
};
use image::{Rgba, RgbaImage, imageops};

const BACKGROUND: Rgba<u8> = Rgba([236, 236, 230, 255]);

const CONTENTS: &str =
    "the content of the sheet is poses, acting, moments, bends, or poses separated by commas";

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let content = args.next().context(CONTENTS)?;
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

    let figure = PictureSpec::new(View::Figure, Size::try_from(width)?);
    let rows = match content.as_str() {
        "moments" => moments(figure, player)?,
        "acting" => pictures(acting(figure), player)?,
        "bends" => pictures(bends(figure), player)?,
        "poses" => pictures(poses(figure), player)?,
        words => pictures(sides(figure, words)?, player)?,
    };
    let [columns, lines] = [rows[0].len(), rows.len()].map(u32::try_from);
    let mut sheet = RgbaImage::from_pixel(columns? * width, lines? * 2 * width, BACKGROUND);
    let mut renderer = Renderer::new();
    for (y, row) in (0..).zip(&rows) {
        for (x, picture) in (0..).zip(row) {
            let mut image = RgbaImage::new(width, 2 * width);
            renderer.render_into(picture, PixelLayout::default(), &mut image)?;
            let [left, top] = [x * width, y * 2 * width].map(i64::from);
            imageops::overlay(&mut sheet, &image, left, top);
        }
    }
    Ok(sheet.save(path)?)
}

/// Pictures in rows.
type Rows<'a> = Vec<Vec<Picture<'a>>>;

fn pictures<'a>(rows: Vec<Vec<PictureSpec>>, player: Player<'a>) -> Result<Rows<'a>, RenderError> {
    let row = |row: Vec<PictureSpec>| row.iter().map(|spec| spec.picture(player)).collect();
    rows.into_iter().map(row).collect()
}

/// The number of figures in a row of the sheet of all poses.
const COLUMNS: usize = 9;

fn seen(figure: PictureSpec, yaw: f64, pose: impl Into<Pose>) -> PictureSpec {
    let camera = Camera::perspective(yaw, 15.0, 30.0);
    figure.with_camera(camera).with_pose(pose)
}

/// Rows of all named poses.
fn poses(figure: PictureSpec) -> Vec<Vec<PictureSpec>> {
    let mut rows = Vec::new();
    for yaw in [25.0, -35.0, 90.0, 150.0] {
        let row = NamedPose::ALL.iter().map(|&pose| seen(figure, yaw, pose));
        rows.push(row.collect());
    }
    rows
}

/// All named poses, each seen by its own camera, without a cape.
fn acting(figure: PictureSpec) -> Vec<Vec<PictureSpec>> {
    let rows = NamedPose::ALL.chunks(COLUMNS).map(|row| {
        let specs = row.iter().map(|&pose| {
            let spec = figure.with_cape(false).with_pose(pose);
            spec.with_camera(pose.camera())
        });
        specs.collect()
    });
    rows.collect()
}

/// A row for each of these poses, separated by commas: from its own side, from the front, from both
/// sides and from behind.
fn sides(figure: PictureSpec, words: &str) -> anyhow::Result<Vec<Vec<PictureSpec>>> {
    let mut rows = Vec::new();
    for word in words.split(',') {
        let pose: NamedPose = word.parse().context(CONTENTS)?;
        let own = figure.with_camera(pose.camera()).with_pose(pose);
        let mut row = vec![own];
        row.extend([0.0, 25.0, 80.0, -65.0, 155.0].map(|yaw| seen(figure, yaw, pose)));
        rows.push(row);
    }
    Ok(rows)
}

/// Rows of moments of movements.
fn moments(figure: PictureSpec, player: Player<'_>) -> Result<Rows<'_>, RenderError> {
    let mut rows = Vec::new();
    for &pose in NamedPose::ALL.iter().filter(|pose| pose.is_moving()) {
        let motion = Motion::of(pose);
        let spec = seen(figure, 40.0, pose);
        let moments = (0..16).map(|number| f64::from(number) / 16.0);
        let row = moments.map(|share| spec.moment(player, motion, share));
        rows.push(row.collect::<Result<_, _>>()?);
    }
    Ok(rows)
}

/// Rows of a figure with its elbow and its knee bent more and more, and with its waist turned.
fn bends(figure: PictureSpec) -> Vec<Vec<PictureSpec>> {
    let mut bent = Vec::new();
    for degrees in [0.0, 30.0, 60.0, 90.0, 135.0] {
        let mut pose = Pose::STAND;
        pose.right_elbow = Angle::degrees(degrees);
        pose.right_knee = Angle::degrees(degrees);
        bent.push(pose);
    }
    for [x, y, z] in [[30.0, 0.0, 0.0], [0.0, 45.0, 0.0], [0.0, 0.0, 20.0]] {
        let mut pose = Pose::STAND;
        pose.waist = Rotation::degrees(x, y, z);
        bent.push(pose);
    }
    let mut rows = Vec::new();
    for yaw in [25.0, 80.0, 160.0] {
        rows.push(bent.iter().map(|&pose| seen(figure, yaw, pose)).collect());
    }
    rows
}
