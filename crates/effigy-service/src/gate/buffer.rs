//! The buffer that files are made in.

use std::io::{self, Write};

use super::turn::Turn;

/// The longest file. A body 20,000 pixels wide takes a fiftieth of it.
const MAX_BYTES: usize = 32 << 20;

/// A buffer that fails to grow beyond its length, and with its turn.
#[derive(Debug)]
pub struct BoundedBuffer<'a> {
    bytes: Vec<u8>,
    turn: &'a Turn,
}

impl<'a> BoundedBuffer<'a> {
    /// Creates an empty buffer.
    #[must_use]
    pub const fn new(turn: &'a Turn) -> Self {
        Self {
            bytes: Vec::new(),
            turn,
        }
    }

    /// Returns the bytes, in no more memory than they need, because they will be cached.
    #[must_use]
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.shrink_to_fit();
        self.bytes
    }
}

impl Write for BoundedBuffer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.turn.checkpoint()?;
        if bytes.len() > MAX_BYTES - self.bytes.len() {
            return Err(io::Error::other("the file is too long"));
        }
        self.bytes.try_reserve(bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// The renderer flushes between strips of rows.
    fn flush(&mut self) -> io::Result<()> {
        self.turn.checkpoint()
    }
}
