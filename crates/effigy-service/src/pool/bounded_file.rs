//! A file in memory that ends the drawing of a picture which grows too long or takes too much time.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

/// The longest file that is kept in memory. A body of 8,192 pixels' width has a tenth of it.
const LONGEST: usize = 256 << 20;

/// So many bytes at most become one in a PNG: deflate's longest match is 258 bytes, and takes 2 bits.
const BEST_RATIO: u64 = 1032;

/// How long drawing may take. No size is refused as such, but a picture that nobody still waits
/// for must not keep a processor from the others.
const TIME: Duration = Duration::from_secs(30);

/// A file in memory with an end to its length and its time.
#[derive(Debug)]
pub(crate) struct BoundedFile {
    bytes: Vec<u8>,
    longest: usize,
    deadline: Instant,
}

impl BoundedFile {
    /// An empty file; its time begins.
    pub(crate) fn begin() -> Self {
        Self::with_bounds(LONGEST, Instant::now() + TIME)
    }

    fn with_bounds(longest: usize, deadline: Instant) -> Self {
        Self {
            bytes: Vec::new(),
            longest,
            deadline,
        }
    }

    /// Whether a PNG of so many pixels can be short enough at all, be they of one bit each.
    pub(crate) fn may_hold(pixels: u64) -> bool {
        pixels / 8 / BEST_RATIO <= LONGEST as u64
    }

    /// The file, which takes no more memory than its length: it is kept.
    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.shrink_to_fit();
        self.bytes
    }
}

impl Write for BoundedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.longest - self.bytes.len() {
            return Err(io::Error::other("the file is too long"));
        }
        if Instant::now() > self.deadline {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "drawing takes too long",
            ));
        }
        self.bytes.try_reserve(bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_beyond_every_ratio_are_known_beforehand() {
        let rows = [
            (0, true),
            (128 * 128, true),
            (100_000 * 100_000, true),
            (1_000_000 * 2_000_000, true),
            (2_000_000 * 2_000_000, false),
            (u64::MAX, false),
        ];
        for (pixels, expected) in rows {
            assert_eq!(BoundedFile::may_hold(pixels), expected, "{pixels}");
        }
    }

    #[test]
    fn a_file_may_be_as_long_as_allowed() {
        let mut file = BoundedFile::with_bounds(5, Instant::now() + TIME);
        assert!(file.write_all(b"abc").is_ok());
        assert!(file.write_all(b"def").is_err());
        assert!(file.write_all(b"de").is_ok());
        assert_eq!(file.into_bytes(), b"abcde");
    }

    #[test]
    fn a_file_may_take_as_long_as_allowed() {
        let mut file = BoundedFile::with_bounds(5, Instant::now());
        while Instant::now() <= file.deadline {}
        let refused = file.write_all(b"abc").map_err(|error| error.kind());
        assert_eq!(refused, Err(io::ErrorKind::TimedOut));
    }
}
