//! Other programs of this machine.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
    assert!(
        std::env::var(REQUIRE).as_deref() != Ok("1"),
        "{REQUIRE} is set, but there is no {name} on this machine"
    );
    // Bypasses the test harness, which hides the output of tests that pass.
    let _ = writeln!(io::stderr(), "SKIPPED: no {name} on this machine");
    None
}
