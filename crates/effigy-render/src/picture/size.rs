//! The requested size of a picture.

/// The requested width of a picture in pixels; of [`View::Combo`](crate::View::Combo), the height.
///
/// # Guarantees
///
/// At least 1 and at most [`Size::MAX`], the widest picture that a PNG can hold. The other
/// dimension of the picture may still be more than a PNG can hold, which
/// [`PictureSpec::picture`](crate::PictureSpec::picture) reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u32", into = "u32"))]
pub struct Size(u32);

/// A number of pixels that is zero or more than a PNG can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("a size is 1 to {max} pixels, not {pixels}", max = Size::MAX)]
pub struct SizeError {
    /// The refused number.
    pub pixels: u32,
}

impl Size {
    /// The longest side a PNG can have: 2³¹ − 1 pixels (PNG specification, "PNG four-byte unsigned
    /// integers").
    pub const MAX: u32 = i32::MAX.unsigned_abs();

    /// A size for a number in code.
    ///
    /// # Panics
    ///
    /// For zero and for more than [`Size::MAX`] pixels. [`Size::new`] is for numbers that are not
    /// known.
    #[must_use]
    pub const fn px(pixels: u32) -> Size {
        Size::new(pixels).expect("a size is 1 to 2³¹ − 1 pixels")
    }

    /// Returns a size, or `None` for zero and for more than [`Size::MAX`] pixels.
    #[must_use]
    pub const fn new(pixels: u32) -> Option<Size> {
        match pixels {
            1..=Size::MAX => Some(Size(pixels)),
            _ => None,
        }
    }

    /// The size in pixels.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl TryFrom<u32> for Size {
    type Error = SizeError;

    fn try_from(pixels: u32) -> Result<Size, SizeError> {
        Size::new(pixels).ok_or(SizeError { pixels })
    }
}

impl From<Size> for u32 {
    fn from(size: Size) -> u32 {
        size.get()
    }
}
