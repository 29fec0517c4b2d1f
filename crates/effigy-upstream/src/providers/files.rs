//! Files that somebody else may be writing.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

/// Reads a file, or one byte more than `max_bytes` of a longer one.
///
/// # Errors
///
/// The error of the file system, or [`ErrorKind::InvalidInput`] for anything that is not a file.
pub(super) fn read(path: &Path, max_bytes: usize) -> io::Result<Vec<u8>> {
    // Opening a pipe would wait for its other end.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a file"));
    }
    let mut data = Vec::new();
    let mut file = File::open(path)?.take(max_bytes as u64 + 1);
    file.read_to_end(&mut data)?;
    Ok(data)
}
