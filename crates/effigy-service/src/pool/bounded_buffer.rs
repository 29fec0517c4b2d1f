//! A memory buffer that limits how long a picture's file and its drawing may become.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

/// The longest file that is built in memory. A body 8,192 pixels wide needs a tenth of it.
const MAX_BYTES: usize = 256 << 20;

/// The best compression ratio of a PNG: deflate's longest match is 258 bytes and takes 2 bits.
const BEST_RATIO: u64 = 1032;

/// The longest time of a drawing. Every size is accepted, but a picture must not keep a
/// processor when its client has given up.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// A buffer that fails to grow beyond its length or after its deadline.
#[derive(Debug)]
pub(crate) struct BoundedBuffer {
    bytes: Vec<u8>,
    max_bytes: usize,
    deadline: Instant,
}

impl BoundedBuffer {
    /// An empty buffer, whose time starts now.
    pub(crate) fn new() -> Self {
        Self::with_limits(MAX_BYTES, Instant::now() + TIME_LIMIT)
    }

    fn with_limits(max_bytes: usize, deadline: Instant) -> Self {
        Self {
            bytes: Vec::new(),
            max_bytes,
            deadline,
        }
    }

    /// Returns `true` if the PNG of a picture with that many pixels can fit, at one bit per pixel.
    pub(crate) fn may_hold(pixels: u64) -> bool {
        pixels / 8 / BEST_RATIO <= MAX_BYTES as u64
    }

    /// The bytes, in no more memory than they need, because they will be cached.
    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.shrink_to_fit();
        self.bytes
    }
}

impl Write for BoundedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.max_bytes - self.bytes.len() {
            return Err(io::Error::other("the file is too long"));
        }
        self.flush()?;
        self.bytes.try_reserve(bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Fails after the deadline. The renderer flushes between strips of rows.
    fn flush(&mut self) -> io::Result<()> {
        if Instant::now() > self.deadline {
            let message = "drawing takes too long";
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_beyond_the_best_ratio_cannot_fit() {
        let rows = [
            (0, true),
            (128 * 128, true),
            (100_000 * 100_000, true),
            (1_000_000 * 2_000_000, true),
            (2_000_000 * 2_000_000, false),
            (u64::MAX, false),
        ];
        for (pixels, expected) in rows {
            assert_eq!(BoundedBuffer::may_hold(pixels), expected, "{pixels}");
        }
    }

    #[test]
    fn the_length_is_limited() {
        let mut buffer = BoundedBuffer::with_limits(5, Instant::now() + TIME_LIMIT);
        assert!(buffer.write_all(b"abc").is_ok());
        assert!(buffer.write_all(b"def").is_err());
        assert!(buffer.write_all(b"de").is_ok());
        assert_eq!(buffer.into_bytes(), b"abcde");
    }

    #[test]
    fn the_time_is_limited() {
        let mut buffer = BoundedBuffer::with_limits(5, Instant::now());
        while Instant::now() <= buffer.deadline {}
        let refused = buffer.write_all(b"abc").map_err(|error| error.kind());
        assert_eq!(refused, Err(io::ErrorKind::TimedOut));
        let refused = buffer.flush().map_err(|error| error.kind());
        assert_eq!(refused, Err(io::ErrorKind::TimedOut), "without a byte");
    }
}
