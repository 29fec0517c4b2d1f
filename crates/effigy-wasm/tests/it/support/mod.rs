//! The folder of the package, and Node.js, which uses it.

pub(crate) mod node;

use std::path::{Path, PathBuf};

/// Returns the folder of the package.
pub(crate) fn npm() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("npm")
}
