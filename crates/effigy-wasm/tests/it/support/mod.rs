//! The folder of the package, and other programs that use it.

pub(crate) mod node;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, str};

/// Returns the folder of the package.
pub(crate) fn npm() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("npm")
}

/// Runs a program in a folder, and returns what it writes. Without the program, says so and returns
/// `None`, unless `EFFIGY_REQUIRE_LANGUAGES=1`.
#[track_caller]
pub(crate) fn run(folder: &Path, program: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    let Ok(output) = command.args(arguments).current_dir(folder).output() else {
        let required = env::var_os("EFFIGY_REQUIRE_LANGUAGES").is_some_and(|set| set == "1");
        assert!(!required, "{program} is not installed");
        // Written past the test harness, which hides the output of tests that pass.
        let _ = writeln!(io::stderr(), "SKIPPED: no {program} on this machine");
        return None;
    };
    let written = String::from_utf8(output.stdout).unwrap();
    let errors = str::from_utf8(&output.stderr).unwrap();
    assert!(output.status.success(), "{program}: {errors}\n{written}");
    Some(written)
}
