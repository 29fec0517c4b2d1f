//! The file that is being written.

use std::io::{self, Write};

use crate::scratch::Scratch;

/// The number of bytes after which a file is passed on.
const PART_BYTES: usize = 16 << 10;

/// A writer in parts that refuses what is too long.
pub(super) struct SvgWriter<'a> {
    to: &'a mut dyn Write,
    pub(super) scratch: &'a mut Scratch,
    part: Vec<u8>,
    left: usize,
    pub(super) is_too_long: bool,
}

impl<'a> SvgWriter<'a> {
    pub(super) fn new(to: &'a mut dyn Write, scratch: &'a mut Scratch, max_bytes: usize) -> Self {
        SvgWriter {
            to,
            scratch,
            part: Vec::with_capacity(PART_BYTES),
            left: max_bytes,
            is_too_long: false,
        }
    }
}

impl Write for SvgWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(left) = self.left.checked_sub(bytes.len()) else {
            self.is_too_long = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        };
        self.left = left;
        self.part.extend_from_slice(bytes);
        if self.part.len() >= PART_BYTES {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.write_all(&self.part)?;
        self.part.clear();
        self.to.flush()
    }
}
