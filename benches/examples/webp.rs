//! Compares lossless WebP files with ours, in bytes and time:
//! `cargo run --release -p benches --example webp`

use std::io::{self, Write};
use std::time::{Duration, Instant};

use effigy_render::{
    Animation, Decoration, ImageFormat, Motion, NamedPose, Picture, PictureSpec, Renderer, Size,
    Skin, View,
};
use image_webp::{ColorType, EncodingError, WebPEncoder};

/// The header of a WebP file before its pixels.
const FILE_HEADER: usize = 12;

/// The header of a frame of a moving WebP file.
const FRAME_HEADER: usize = 24;

/// The sums over all skins.
#[derive(Default)]
struct Sums {
    our_bytes: usize,
    our_time: Duration,
    webp_bytes: usize,
    webp_time: Duration,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "| picture | ours | WebP | ratio |\n|---|---:|---:|---:|"
    )?;
    let views = [
        View::Face,
        View::Body,
        View::IsometricBody,
        View::Figure,
        View::Portrait,
    ];
    for view in views {
        for size in [64, 128, 512] {
            let spec = PictureSpec::new(view, Size::px(size));
            let sums = of_stills(&spec)?;
            write_row(&mut out, &format!("{view} {size}"), &sums)?;
        }
    }
    let plain = PictureSpec::new(View::Figure, Size::px(128));
    let ground = Decoration::NONE.with_background([0x20, 0x22, 0x25, 255]);
    let walk = Motion::of(NamedPose::Walk);
    for (name, spec, motion) in [
        ("walk 128", plain, walk),
        (
            "walk 128 on a background",
            plain.with_decoration(ground),
            walk,
        ),
        ("turn 128", plain, Motion::TURN),
    ] {
        let sums = of_animations(&spec, motion)?;
        write_row(&mut out, name, &sums)?;
    }
    Ok(())
}

fn of_stills(spec: &PictureSpec) -> Result<Sums, Box<dyn std::error::Error>> {
    let mut sums = Sums::default();
    let mut renderer = Renderer::new();
    for skin in skins()? {
        let picture = spec.picture(&skin)?;
        // The first drawing divides the boxes of the pose.
        renderer.to_rgba(&picture)?;
        let our_start = Instant::now();
        sums.our_bytes += renderer.encode(&picture, ImageFormat::Png)?.len();
        sums.our_time += our_start.elapsed();
        let webp_start = Instant::now();
        let pixels = renderer.to_rgba(&picture)?;
        sums.webp_bytes += webp(&pixels, picture.width(), picture.height())?.len();
        sums.webp_time += webp_start.elapsed();
    }
    Ok(sums)
}

fn of_animations(spec: &PictureSpec, motion: Motion) -> Result<Sums, Box<dyn std::error::Error>> {
    let mut sums = Sums::default();
    let mut renderer = Renderer::new();
    for skin in skins()? {
        let animation = spec.animation(&skin, motion)?;
        for (picture, _) in &animation {
            renderer.to_rgba(picture)?;
        }
        let our_start = Instant::now();
        sums.our_bytes += animation.encode_apng()?.len();
        sums.our_time += our_start.elapsed();
        let webp_start = Instant::now();
        sums.webp_bytes += moving_webp_bytes(&animation, &mut renderer)?;
        sums.webp_time += webp_start.elapsed();
    }
    Ok(sums)
}

/// Returns the length of a moving WebP file. As in our APNG files, each frame has the rectangle
/// that differs from the one before.
fn moving_webp_bytes(
    animation: &Animation<'_>,
    renderer: &mut Renderer,
) -> Result<usize, Box<dyn std::error::Error>> {
    let mut bytes = FILE_HEADER + 18 + 14;
    let mut last = Vec::new();
    for (picture, _) in animation {
        let pixels = renderer.to_rgba(picture)?;
        let (part, [width, height]) = changed(picture, &pixels, &last);
        bytes += webp(&part, width, height)?.len() - FILE_HEADER + FRAME_HEADER;
        last = pixels;
    }
    Ok(bytes)
}

/// Returns the pixels and the size of the smallest rectangle with all pixels that differ. It begins
/// at even coordinates, as frames of WebP do.
fn changed(picture: &Picture<'_>, pixels: &[u8], last: &[u8]) -> (Vec<u8>, [u32; 2]) {
    let width = picture.width() as usize;
    let height = picture.height() as usize;
    if last.is_empty() {
        return (pixels.to_vec(), [picture.width(), picture.height()]);
    }
    let mut left = width;
    let mut top = height;
    let mut right = 1;
    let mut bottom = 1;
    for y in 0..height {
        for x in 0..width {
            let at = 4 * (y * width + x);
            if pixels[at..at + 4] != last[at..at + 4] {
                left = left.min(x);
                top = top.min(y);
                right = right.max(x + 1);
                bottom = bottom.max(y + 1);
            }
        }
    }
    left = left.min(right - 1) / 2 * 2;
    top = top.min(bottom - 1) / 2 * 2;
    let mut part = Vec::new();
    for y in top..bottom {
        part.extend_from_slice(&pixels[4 * (y * width + left)..4 * (y * width + right)]);
    }
    let side = |length: usize| u32::try_from(length).expect("a part of the picture");
    (part, [side(right - left), side(bottom - top)])
}

fn webp(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, EncodingError> {
    let mut file = Vec::new();
    WebPEncoder::new(&mut file).encode(pixels, width, height, ColorType::Rgba8)?;
    Ok(file)
}

fn skins() -> Result<Vec<Skin>, effigy_render::TextureError> {
    let skins = fixtures::SKINS.iter();
    skins.map(|skin| Skin::decode(skin.png, None)).collect()
}

fn write_row(out: &mut impl Write, name: &str, sums: &Sums) -> io::Result<()> {
    let count = f64::from(u32::try_from(fixtures::SKINS.len()).expect("a few skins"));
    let kilobytes = |bytes: usize| bytes as f64 / count / 1000.0;
    let milliseconds = |time: Duration| time.as_secs_f64() / count * 1000.0;
    let ratio = sums.webp_bytes as f64 / sums.our_bytes as f64;
    writeln!(
        out,
        "| {name} | {:.2} kB, {:.2} ms | {:.2} kB, {:.2} ms | {ratio:.2} |",
        kilobytes(sums.our_bytes),
        milliseconds(sums.our_time),
        kilobytes(sums.webp_bytes),
        milliseconds(sums.webp_time),
    )
}
