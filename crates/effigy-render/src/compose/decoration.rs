//! Decorations: the surroundings of a picture.

use effigy_player::word_enum;
use tiny_skia::{Path, PathBuilder};

word_enum! {
    /// The shape to which a picture is cut.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Shape {
        /// The whole rectangle.
        #[default]
        Square = "square",
        /// The rectangle with round corners, whose radius is an eighth of the shorter side.
        Rounded = "rounded",
        /// The rectangle with corners as round as the shorter side allows: a circle if it is a square.
        Circle = "circle",
    }
}

/// The background, padding, shape and shadow of a picture. The default is none of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Decoration {
    /// The color behind the picture: straight RGBA.
    pub background: Option<[u8; 4]>,
    /// The distance of the picture from all edges, and of the pictures of a sheet from each other, in pixels.
    /// It adds to the size. A portrait goes on to the lower edge.
    pub padding: u16,
    /// The shape to which the picture is cut, with its background and padding.
    pub shape: Shape,
    /// Draws a soft shadow on the ground below whole figures.
    pub has_shadow: bool,
}

/// Parses a color: `rrggbb`, or `rrggbbaa` with an opacity, in hexadecimal digits of either case.
#[must_use]
pub fn parse_color(text: &str) -> Option<[u8; 4]> {
    // The parser of numbers accepts a sign.
    let is_hexadecimal = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u32::from_str_radix(text, 16)
        .ok()
        .filter(|_| is_hexadecimal)?;
    match text.len() {
        6 => Some((number << 8 | 0xff).to_be_bytes()),
        8 => Some(number.to_be_bytes()),
        _ => None,
    }
}

impl Decoration {
    /// Nothing.
    pub const NONE: Decoration = Decoration {
        background: None,
        padding: 0,
        shape: Shape::Square,
        has_shadow: false,
    };
}

impl Shape {
    /// Returns the radius of the corners of a picture of this size.
    pub(crate) fn radius(self, [width, height]: [u32; 2]) -> f32 {
        let shorter = width.min(height) as f32;
        match self {
            Shape::Square => 0.0,
            Shape::Rounded => shorter / 8.0,
            Shape::Circle => shorter / 2.0,
        }
    }

    /// Returns the outline of a picture of this size unless it is the whole rectangle.
    pub(crate) fn outline(self, size: [u32; 2]) -> Option<Path> {
        /// The distance of the control points of a quarter of a circle, as a share of the radius.
        const CONTROL: f32 = 0.552_284_8;
        let r = self.radius(size);
        let [width, height] = size.map(|pixels| pixels as f32);
        if r == 0.0 {
            return None;
        }
        let mut path = PathBuilder::new();
        path.move_to(r, 0.0);
        let c = r * (1.0 - CONTROL);
        for (corner, [start, end]) in [
            ([width, 0.0], [[-1.0, 0.0], [0.0, 1.0]]),
            ([width, height], [[0.0, -1.0], [-1.0, 0.0]]),
            ([0.0, height], [[1.0, 0.0], [0.0, -1.0]]),
            ([0.0, 0.0], [[0.0, 1.0], [1.0, 0.0]]),
        ] {
            let at = |[x, y]: [f32; 2], distance: f32| {
                [corner[0] + x * distance, corner[1] + y * distance]
            };
            let [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] =
                [at(start, r), at(start, c), at(end, c), at(end, r)];
            path.line_to(x0, y0);
            path.cubic_to(x1, y1, x2, y2, x3, y3);
        }
        path.close();
        path.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors() {
        assert_eq!(parse_color("202225"), Some([0x20, 0x22, 0x25, 0xff]));
        assert_eq!(parse_color("ABCDEF80"), Some([0xab, 0xcd, 0xef, 0x80]));
        for text in ["", "red", "#202225", "+20222", "2022255", "20222580a"] {
            assert_eq!(parse_color(text), None, "{text}");
        }
    }
}
