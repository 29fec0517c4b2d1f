//! Other programs of this machine.

use std::path::{Path, PathBuf};

use fixtures::programs::skip;

/// The variable that fails tests instead of skipping them if a program is missing. Set it to `1`.
const REQUIRE: &str = "EFFIGY_REQUIRE_PROGRAMS";

/// Finds a program, or prints that it is missing.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    for folder in ["/usr/sbin", "/usr/bin", "/usr/local/bin"] {
        let path = Path::new(folder).join(name);
        if path.is_file() {
            return Some(path);
        }
    }
    skip(REQUIRE, name);
    None
}
