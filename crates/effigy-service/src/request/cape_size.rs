//! The sizes of pictures of capes.

use effigy_render::Size;

/// The size of a picture of a cape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CapeSize {
    /// The width. The height is 1.6 times as much.
    Width(Size),
    /// The width and the height.
    Box([Size; 2]),
}

impl CapeSize {
    /// Returns the width in pixels.
    #[must_use]
    pub const fn width(self) -> Size {
        match self {
            Self::Width(width) | Self::Box([width, _]) => width,
        }
    }
}
