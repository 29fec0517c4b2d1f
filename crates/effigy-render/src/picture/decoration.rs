//! Decorations: the surroundings of a picture.

use std::ops::Range;

use effigy_player::word_enum;
use glam::DVec2;

word_enum! {
    #[non_exhaustive]
    /// The shape to which a picture is cut. A view without a frame is made smaller until it lies
    /// inside the shape; only a face or a bust without padding keeps its size, and is cut.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Shape {
        /// The whole rectangle.
        #[default]
        Square = "square",
        /// The rectangle with round corners, whose radius is an eighth of the shorter side.
        Rounded = "rounded",
        /// A circle. The picture becomes a square. Groups keep their sides; their corners are as
        /// round as the shorter side allows.
        Circle = "circle",
    }
}

/// The background, padding, shape and shadow of a picture. By default, a picture has no decoration:
/// `Decoration::NONE.with_padding(8)` has only a padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[must_use]
#[non_exhaustive]
pub struct Decoration {
    /// The color behind the picture: straight RGBA.
    pub background: Option<[u8; 4]>,
    /// The distance of the picture from all edges in pixels. It adds to the size. A portrait
    /// continues to the lower edge, or to the upper edge if it is upside down.
    pub padding: u16,
    /// The shape to which the picture is cut, with its background and padding.
    pub shape: Shape,
    /// Draws a soft shadow on the ground below whole figures.
    #[cfg_attr(feature = "serde", serde(alias = "has_shadow"))]
    pub shadow: bool,
}

impl Decoration {
    /// No decoration.
    pub const NONE: Decoration = Decoration {
        background: None,
        padding: 0,
        shape: Shape::Square,
        shadow: false,
    };

    /// Changes the color behind the picture: straight RGBA.
    pub fn with_background(mut self, color: impl Into<Option<[u8; 4]>>) -> Decoration {
        self.background = color.into();
        self
    }

    /// Changes the distance of the picture from all edges in pixels.
    pub const fn with_padding(mut self, pixels: u16) -> Decoration {
        self.padding = pixels;
        self
    }

    /// Changes the shape to which the picture is cut.
    pub const fn with_shape(mut self, shape: Shape) -> Decoration {
        self.shape = shape;
        self
    }

    /// Draws a soft shadow on the ground below whole figures, or leaves it out.
    pub const fn with_shadow(mut self, shadow: bool) -> Decoration {
        self.shadow = shadow;
        self
    }
}

impl Shape {
    /// Returns the radius of the corners of a picture of this size.
    pub(crate) fn radius(self, [width, height]: [f64; 2]) -> f64 {
        let shorter = width.min(height);
        match self {
            Shape::Square => 0.0,
            Shape::Rounded => shorter / 8.0,
            Shape::Circle => shorter / 2.0,
        }
    }

    /// Returns the greatest size, of the same proportions, at which a content in the middle of a
    /// picture lies inside the shape. It is at most the content's own size.
    #[expect(clippy::cast_possible_truncation, reason = "a part of the content")]
    pub(crate) fn fitted(self, content: [u64; 2], picture: [u64; 2]) -> [u64; 2] {
        let half = |size: [u64; 2]| DVec2::from(size.map(|side| side as f64)) / 2.0;
        let corner = half(content);
        let edge = half(picture);
        let radius = self.radius((edge * 2.0).into());
        // From the middle of the picture to the middle of the round corner.
        let center = edge - radius;
        if (corner - center).min_element() <= 0.0 || (corner - center).length() <= radius {
            return content;
        }
        // The distance between `share * corner` and `center` is the radius.
        let square = corner.length_squared();
        let product = corner.dot(center);
        let rest = square * (center.length_squared() - radius * radius);
        let share = (product + (product * product - rest).max(0.0).sqrt()) / square;
        [0, 1].map(|axis| {
            let side = (content[axis] as f64 * share) as u64;
            // The distances from both edges have to be equal.
            let odd = (picture[axis] - side) % 2;
            side.saturating_sub(odd).max(1)
        })
    }

    /// Makes the pixels of some rows of a picture transparent if they lie outside of the shape. A
    /// pixel at the border keeps the share of its opacity that lies inside.
    #[expect(clippy::cast_possible_truncation, reason = "a share of a byte")]
    pub(crate) fn cut(self, size: [u32; 2], rows: Range<usize>, pixels: &mut [[u8; 4]]) {
        let radius = self.radius(size.map(f64::from));
        // The distance from the middle of a round corner, along one side of the picture.
        let distance = |at: usize, side: u32| {
            let center = at as f64 + 0.5;
            radius - center.min(f64::from(side) - center)
        };
        for (y, row) in rows.zip(pixels.chunks_exact_mut(size[0] as usize)) {
            let down = distance(y, size[1]);
            for (x, pixel) in row.iter_mut().enumerate() {
                let right = distance(x, size[0]);
                if right <= 0.0 || down <= 0.0 {
                    continue;
                }
                let inside = radius - (right * right + down * down).sqrt();
                let share = (inside + 0.5).clamp(0.0, 1.0);
                pixel[3] = (f64::from(pixel[3]) * share).round() as u8;
                if pixel[3] == 0 {
                    *pixel = [0; 4];
                }
            }
        }
    }
}
