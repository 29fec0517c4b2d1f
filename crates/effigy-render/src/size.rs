//! How wide a picture is asked to be.

use std::num::NonZeroU32;

/// The requested width of a picture, in pixels.
///
/// # Guarantees
///
/// At least 1 and at most [`Size::MAX`], the widest picture that a PNG can hold. The height of a
/// view may still be more than a PNG can hold; that is what
/// [`View::render`](crate::View::render) tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size(NonZeroU32);

impl Size {
    /// The longest side a PNG can have: 2³¹ − 1 pixels (PNG specification, "PNG four-byte unsigned
    /// integers").
    pub const MAX: u32 = i32::MAX.unsigned_abs();

    /// A width of `pixels`, or `None` where no PNG can be that wide.
    #[must_use]
    pub fn new(pixels: u32) -> Option<Size> {
        NonZeroU32::new(pixels)
            .filter(|pixels| pixels.get() <= Size::MAX)
            .map(Size)
    }

    /// The width in pixels.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0.get()
    }
}
