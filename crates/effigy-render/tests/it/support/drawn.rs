//! The fixture skins, decoded, and pictures of them.

use std::ops::Range;

use effigy_render::{Model, Picture, PictureSpec, Skin};
use fixtures::{Fixture, Image};

/// The skin on the model that it was drawn for.
pub(crate) fn worn(fixture: &Fixture) -> Skin {
    let model = if fixture.slim {
        Model::Slim
    } else {
        Model::Classic
    };
    Skin::decode(fixture.png, model).expect(fixture.name)
}

/// The fixture skin of that name.
pub(crate) fn named(name: &str) -> Skin {
    worn(fixtures::skin(name))
}

/// The fixture skin of that name with more texels by this factor, which are a little lighter or
/// darker than one another.
pub(crate) fn enlarged(name: &str, factor: u32) -> Skin {
    let fixture = fixtures::skin(name);
    let small = Image::decode(fixture.png).expect(name);
    let large = painted([small.width * factor, small.height * factor], |x, y| {
        let [r, g, b, alpha] = small.pixel(x / factor, y / factor);
        let shade = (x * 7 + y * 13) % 40;
        let shaded = |channel: u8| channel.saturating_sub(40).saturating_add(shade as u8);
        [shaded(r), shaded(g), shaded(b), alpha]
    });
    Skin::decode(&large.encode(), worn(fixture).model()).expect(name)
}

/// An image whose texels a function computes.
pub(crate) fn painted([width, height]: [u32; 2], texel: impl Fn(u32, u32) -> [u8; 4]) -> Image {
    let mut image = Image::new(width, height);
    for [x, y] in places([0..width, 0..height]) {
        image.set_pixel(x, y, texel(x, y));
    }
    image
}

/// The places in a rectangle of columns and rows, row by row.
pub(crate) fn places([columns, rows]: [Range<u32>; 2]) -> impl Iterator<Item = [u32; 2]> {
    rows.flat_map(move |y| columns.clone().map(move |x| [x, y]))
}

/// The low byte of a number, for colors that vary from texel to texel.
pub(crate) fn low(number: u32) -> u8 {
    number.to_le_bytes()[0]
}

/// A picture with transparent pixels around it.
pub(crate) fn surrounded(inner: &Image, size: [u32; 2], [left, top]: [u32; 2]) -> Image {
    let columns = left..left + inner.width;
    let rows = top..top + inner.height;
    painted(size, |x, y| {
        if columns.contains(&x) && rows.contains(&y) {
            inner.pixel(x - left, y - top)
        } else {
            [0; 4]
        }
    })
}

/// The straight pixels of a picture.
pub(crate) fn image(picture: &Picture<'_>) -> Image {
    Image {
        width: picture.width(),
        height: picture.height(),
        rgba: picture.to_rgba().expect("the picture is small"),
    }
}

/// The straight pixels of a player's picture.
pub(crate) fn pixels(spec: &PictureSpec, skin: &Skin) -> Vec<[u8; 4]> {
    let picture = spec.picture(skin).expect("the picture is small");
    image(&picture).rgba.as_chunks().0.to_vec()
}

/// The most memory that this process has held, in KiB, if the system tells.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
