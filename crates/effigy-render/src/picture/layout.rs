//! Pixels in the memory of programs.

/// The form of the pixels that [`Renderer::render_into`](crate::Renderer::render_into) writes, four
/// bytes each. The default is straight RGBA in rows without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[must_use]
#[non_exhaustive]
pub struct PixelLayout {
    /// The distance in bytes from one row to the next, or `None` if there are no gaps.
    pub stride: Option<usize>,
    /// Multiplies the colors by their opacity, as canvases and windows require.
    pub premultiplied: bool,
    /// Writes blue first and red third, which is the order of many windowing systems.
    pub bgra: bool,
}

impl PixelLayout {
    /// Straight RGBA in rows without gaps, for `image` and most encoders.
    pub const RGBA: PixelLayout = PixelLayout {
        stride: None,
        premultiplied: false,
        bgra: false,
    };

    /// Changes the distance in bytes from one row to the next.
    pub fn with_stride(mut self, bytes: impl Into<Option<usize>>) -> PixelLayout {
        self.stride = bytes.into();
        self
    }

    /// Multiplies the colors by their opacity, or leaves them straight.
    pub const fn with_premultiplied(mut self, premultiplied: bool) -> PixelLayout {
        self.premultiplied = premultiplied;
        self
    }

    /// Writes blue first and red third, or the other way round.
    pub const fn with_bgra(mut self, bgra: bool) -> PixelLayout {
        self.bgra = bgra;
        self
    }

    /// Converts straight RGBA.
    pub(crate) fn pixel(self, [r, g, b, alpha]: [u8; 4]) -> [u8; 4] {
        let [r, g, b] = if self.premultiplied {
            [r, g, b].map(|channel| multiplied(channel, alpha))
        } else {
            [r, g, b]
        };
        if self.bgra {
            [b, g, r, alpha]
        } else {
            [r, g, b, alpha]
        }
    }
}

/// Returns a channel multiplied by an opacity, rounded as tiny-skia does.
pub(crate) fn multiplied(channel: u8, alpha: u8) -> u8 {
    let product = u16::from(channel) * u16::from(alpha) + 127;
    u8::try_from(product / 255).expect("a share of a byte")
}
