//! The straightforward pipeline: tiny-skia draws whole faces on the whole working canvas,
//! `fast_image_resize` shrinks it with a two-pass Lanczos3, and `png` encodes it with default
//! settings.
//!
//! It uses nothing of the renderer except a decoded skin. The benchmarks compare the renderer's
//! speed with it, and a test compares the pictures as far as boxes do not intersect.

use effigy_render::{Model, Skin};
use fast_image_resize::images::Image;
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use tiny_skia::{
    FilterQuality, IntRect, Paint, Pattern, Pixmap, PixmapMut, PremultipliedColorU8, Rect,
    SpreadMode, Transform,
};

/// A part's box: corner with the smallest coordinates and size in texels, the places of its two
/// layers on the skin, and the inflation of the overlay.
type Cuboid = ([f32; 3], [f32; 3], [[f32; 2]; 2], f32);

/// A picture of the pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// The face, with the hat or without.
    Head {
        /// Draw the hat.
        hat: bool,
    },
    /// The flat figure, with the overlays or without.
    Body {
        /// Draw the overlays.
        overlays: bool,
    },
    /// The isometric head.
    IsometricHead,
    /// The isometric figure.
    IsometricBody,
}

impl Picture {
    /// Returns the picture with this name in the table of views.
    #[must_use]
    pub fn named(name: &str) -> Option<Picture> {
        Some(match name {
            "head" => Picture::Head { hat: false },
            "head_hat" => Picture::Head { hat: true },
            "player" => Picture::Body { overlays: false },
            "player_hat" => Picture::Body { overlays: true },
            "isometric_head" => Picture::IsometricHead,
            "isometric_body" => Picture::IsometricBody,
            _ => return None,
        })
    }

    /// Draws and encodes the picture.
    ///
    /// # Panics
    ///
    /// Panics if the picture does not fit into memory.
    #[must_use]
    pub fn png(self, skin: &Skin, width: u32) -> Vec<u8> {
        let pixmap = self
            .draw(skin, width)
            .expect("a canvas that fits in memory");
        pixmap.encode_png().expect("a vector takes every byte")
    }

    /// Draws the picture.
    ///
    /// # Panics
    ///
    /// Panics if the resizer refuses the canvas.
    #[must_use]
    pub fn draw(self, skin: &Skin, width: u32) -> Option<Drawn> {
        let texture = texture(skin)?;
        match self {
            Picture::Head { hat } => {
                flat(&texture, skin, &[HEAD], hat, [4.0, 0.0, 8.0, 8.0], width)
            }
            Picture::Body { overlays } => {
                let parts = parts(skin.model());
                flat(
                    &texture,
                    skin,
                    &parts,
                    overlays,
                    [0.0, 0.0, 16.0, 32.0],
                    width,
                )
            }
            Picture::IsometricHead => {
                let size = [width, width];
                isometric(&texture, skin, &[HEAD], [2.175, 2.175], [7.2, 0.4], size)
            }
            Picture::IsometricBody => {
                let height = (width * 204 + 50) / 100;
                let parts = parts(skin.model());
                isometric(
                    &texture,
                    skin,
                    &parts,
                    [2.5, 5.1],
                    [7.2, 11.7125],
                    [width, height],
                )
            }
        }
    }
}

/// A finished picture.
#[derive(Debug)]
pub struct Drawn {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Straight RGBA.
    pub rgba: Vec<u8>,
}

impl Drawn {
    fn encode_png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgba)?;
        writer.finish()?;
        Ok(file)
    }
}

const HEAD: Cuboid = (
    [4.0, 0.0, -4.0],
    [8.0, 8.0, 8.0],
    [[0.0, 0.0], [32.0, 0.0]],
    0.5,
);

/// The parts in painting order, back to front.
fn parts(model: Model) -> [Cuboid; 6] {
    let arm = if model == Model::Slim { 3.0 } else { 4.0 };
    let limb = [4.0, 12.0, 4.0];
    let sleeve = [arm, 12.0, 4.0];
    let torso = [8.0, 12.0, 4.0];
    [
        ([8.0, 20.0, -2.0], limb, [[16.0, 48.0], [0.0, 48.0]], 0.25),
        ([4.0, 20.0, -2.0], limb, [[0.0, 16.0], [0.0, 32.0]], 0.25),
        (
            [12.0, 8.0, -2.0],
            sleeve,
            [[32.0, 48.0], [48.0, 48.0]],
            0.25,
        ),
        ([4.0, 8.0, -2.0], torso, [[16.0, 16.0], [16.0, 32.0]], 0.25),
        (
            [4.0 - arm, 8.0, -2.0],
            sleeve,
            [[40.0, 16.0], [40.0, 32.0]],
            0.25,
        ),
        HEAD,
    ]
}

fn texture(skin: &Skin) -> Option<Pixmap> {
    let mut texture = Pixmap::new(skin.side(), skin.side())?;
    for (pixel, &[r, g, b, a]) in texture.pixels_mut().iter_mut().zip(skin.texels()) {
        *pixel = tiny_skia::ColorU8::from_rgba(r, g, b, a).premultiply();
    }
    Some(texture)
}

fn flat(
    texture: &Pixmap,
    skin: &Skin,
    parts: &[Cuboid],
    overlays: bool,
    [x, y, wide, high]: [f32; 4],
    width: u32,
) -> Option<Drawn> {
    #[expect(
        clippy::cast_precision_loss,
        reason = "pictures are far below 2^24 pixels wide"
    )]
    let scale = width as f32 / wide;
    #[expect(clippy::cast_possible_truncation, reason = "twice a width at most")]
    #[expect(clippy::cast_sign_loss, reason = "a size is positive")]
    let mut canvas = Pixmap::new(width, (high * scale).round() as u32)?;
    for &(position, [w, h, d], uv, _) in parts {
        for [u, v] in &uv[..=usize::from(overlays)] {
            let place = Transform::from_translate(position[0] - x, position[1] - y);
            let place = place.post_scale(scale, scale);
            face(
                &mut canvas.as_mut(),
                texture,
                skin,
                [u + d, v + d, w, h],
                place,
            )?;
        }
    }
    Some(straight(&canvas))
}

fn isometric(
    texture: &Pixmap,
    skin: &Skin,
    parts: &[Cuboid],
    canvas: [f32; 2],
    center: [f32; 2],
    [width, height]: [u32; 2],
) -> Option<Drawn> {
    // The minimum is the renderer's.
    let mut side = 240;
    while side < width {
        side *= 2;
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "canvases are far below 2^24 pixels wide"
    )]
    let side = side as f32;
    let unit = side / 8.0;
    #[expect(clippy::cast_possible_truncation, reason = "a few thousand pixels")]
    #[expect(clippy::cast_sign_loss, reason = "a size is positive")]
    let [wide, high] = canvas.map(|sides| (sides * side).round() as u32);
    let mut pixmap = Pixmap::new(wide, high)?;
    let origin = [
        canvas[0] * side / 2.0 - center[0] * unit,
        canvas[1] * side / 2.0 - center[1] * unit,
    ];
    for &(position, size, [base, overlay], inflation) in parts {
        let grown = position.map(|at| at - inflation);
        let stretched = size.map(|length| length + 2.0 * inflation);
        // The inside of the overlay, the body, the outside of the overlay.
        let outside = faces(grown, stretched, size, overlay);
        let body = faces(position, size, size, base);
        for (face_uv, place) in outside
            .iter()
            .take(3)
            .chain(&body[3..])
            .chain(&outside[3..])
        {
            let place = place
                .post_scale(unit, unit)
                .post_translate(origin[0], origin[1]);
            face(&mut pixmap.as_mut(), texture, skin, *face_uv, place)?;
        }
    }
    resize(&pixmap, width, height)
}

/// The faces of a box, the three far ones first: regions and their places in the plane of the
/// screen, in texels.
fn faces(
    [x, y, z]: [f32; 3],
    [w, h, d]: [f32; 3],
    [tw, th, td]: [f32; 3],
    [u, v]: [f32; 2],
) -> [([f32; 4], Transform); 6] {
    // One texel of the texture's columns along x or z, and of its rows along y or z.
    let upright = |at_x: f32, at_z: f32, [dx, dz]: [f32; 2]| {
        Transform::from_row(
            0.9 * (dx + dz),
            0.45 * (dz - dx),
            0.0,
            h / th,
            0.9 * (at_x + at_z),
            y + 0.45 * (at_z - at_x),
        )
    };
    let scale_x = w / tw;
    let scale_z = d / td;
    let level = |at_y: f32| {
        Transform::from_row(
            0.9 * scale_x,
            -0.45 * scale_x,
            0.9 * scale_z,
            0.45 * scale_z,
            0.9 * (x + z),
            at_y + 0.45 * (z - x),
        )
    };
    let to_right = [scale_x, 0.0];
    let to_left = [-scale_x, 0.0];
    let to_front = [0.0, scale_z];
    let to_back = [0.0, -scale_z];
    let front_u = u + td;
    let front_v = v + td;
    let back_u = u + 2.0 * td + tw;
    [
        ([front_u + tw, v, tw, td], level(y + h)),
        ([back_u, front_v, tw, th], upright(x + w, z, to_left)),
        (
            [front_u + tw, front_v, td, th],
            upright(x + w, z + d, to_back),
        ),
        ([front_u, v, tw, td], level(y)),
        ([u, front_v, td, th], upright(x, z, to_front)),
        ([front_u, front_v, tw, th], upright(x, z + d, to_right)),
    ]
}

/// Fills a face with its region as a nearest-neighbor pattern.
fn face(
    canvas: &mut PixmapMut<'_>,
    texture: &Pixmap,
    skin: &Skin,
    region: [f32; 4],
    place: Transform,
) -> Option<()> {
    #[expect(clippy::cast_precision_loss, reason = "at most 16")]
    let scale = (skin.side() / 64) as f32;
    #[expect(clippy::cast_possible_truncation, reason = "regions are whole")]
    let [x, y, w, h] = region.map(|length| (length * scale) as i32);
    let cut = IntRect::from_xywh(x, y, w.unsigned_abs(), h.unsigned_abs())?;
    let cut = texture.as_ref().clone_rect(cut)?;
    let place = place.pre_scale(1.0 / scale, 1.0 / scale);
    let shader = Pattern::new(
        cut.as_ref(),
        SpreadMode::Pad,
        FilterQuality::Nearest,
        1.0,
        Transform::identity(),
    );
    let paint = Paint {
        shader,
        anti_alias: false,
        ..Paint::default()
    };
    #[expect(clippy::cast_precision_loss, reason = "at most 1,024")]
    let rect = Rect::from_xywh(0.0, 0.0, w as f32, h as f32)?;
    canvas.fill_rect(rect, &paint, place, None);
    Some(())
}

fn resize(canvas: &Pixmap, width: u32, height: u32) -> Option<Drawn> {
    let source = Image::from_vec_u8(
        canvas.width(),
        canvas.height(),
        canvas.data().to_vec(),
        PixelType::U8x4,
    )
    .ok()?;
    let mut target = Image::new(width, height, PixelType::U8x4);
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
        .use_alpha(false);
    Resizer::new().resize(&source, &mut target, &options).ok()?;
    let mut resized = Pixmap::new(width, height)?;
    for (pixel, bytes) in resized
        .pixels_mut()
        .iter_mut()
        .zip(target.buffer().chunks_exact(4))
    {
        let [r, g, b, a] = [bytes[0], bytes[1], bytes[2], bytes[3]];
        let clamped = PremultipliedColorU8::from_rgba(r.min(a), g.min(a), b.min(a), a);
        *pixel = clamped.unwrap_or(PremultipliedColorU8::TRANSPARENT);
    }
    Some(straight(&resized))
}

fn straight(canvas: &Pixmap) -> Drawn {
    let rgba = canvas.pixels().iter().flat_map(|pixel| {
        let color = pixel.demultiply();
        [color.red(), color.green(), color.blue(), color.alpha()]
    });
    Drawn {
        width: canvas.width(),
        height: canvas.height(),
        rgba: rgba.collect(),
    }
}
