//! A bound of a file's length.

use std::io::{self, Write};

use crate::RenderError;

/// A writer that refuses what is too long, with [`RenderError::SvgTooLong`] as the cause.
pub(super) struct BoundedWriter<'a> {
    pub(super) to: &'a mut dyn Write,
    /// The number of bytes for which there is room.
    pub(super) left: usize,
}

impl Write for BoundedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.left.checked_sub(bytes.len());
        self.left = left.ok_or_else(|| io::Error::other(RenderError::SvgTooLong))?;
        self.to.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
