//! Lines around silhouettes.

mod nearest;
mod painter;

pub(crate) use self::painter::OutlinedPainter;

/// A line around the silhouette of a player, as on a sticker. The player is made smaller so that
/// the line lies inside the picture. A shadow has no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outline {
    /// The color of the line: straight RGBA.
    pub color: [u8; 4],
    /// The width in pixels: at most [`Outline::MAX_WIDTH`], and at most a quarter of the picture's
    /// size. By default, it is a 64th of the size, and at least 1.
    pub width: Option<u8>,
}

impl Outline {
    /// The greatest width in pixels.
    pub const MAX_WIDTH: u8 = 32;

    /// An outline of the default width.
    #[must_use]
    pub const fn new(color: [u8; 4]) -> Outline {
        Outline { color, width: None }
    }

    /// Changes the width in pixels.
    #[must_use]
    pub const fn with_width(self, width: u8) -> Outline {
        Outline {
            width: Some(width),
            ..self
        }
    }

    /// Returns the width in pixels in a picture of this size. It is 0 if the picture has no room
    /// for a line, or if the line is transparent.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "at most the greatest width"
    )]
    pub(crate) const fn width_in(self, size: u32) -> u8 {
        if self.color[3] == 0 {
            return 0;
        }
        let mut width = match self.width {
            Some(width) => width as u32,
            None => size.saturating_add(32) / 64,
        };
        if width < 1 {
            width = 1;
        }
        if width > Outline::MAX_WIDTH as u32 {
            width = Outline::MAX_WIDTH as u32;
        }
        if width > size / 4 {
            width = size / 4;
        }
        width as u8
    }
}

/// The line of an outline on a picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stroke {
    pub(crate) color: [u8; 4],
    /// The width in pixels.
    pub(crate) width: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_leave_room_for_the_player() {
        let white = Outline::new([255; 4]);
        for (size, expected) in [
            (3, 0),
            (4, 1),
            (64, 1),
            (95, 1),
            (96, 2),
            (512, 8),
            (1 << 20, 32),
        ] {
            assert_eq!(white.width_in(size), expected, "{size}");
        }
        assert_eq!(white.with_width(200).width_in(1024), 32);
        assert_eq!(white.with_width(32).width_in(64), 16);
        assert_eq!(white.with_width(0).width_in(64), 1);
        assert_eq!(Outline::new([9, 9, 9, 0]).width_in(64), 0);
    }
}
