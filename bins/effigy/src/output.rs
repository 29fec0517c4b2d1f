//! What commands tell their callers, on standard output and standard error.

use std::io::{self, Write};

use anyhow::{Context, Result};

/// Prints a line to standard output at once, even if that is a pipe.
pub(crate) fn print_line(line: &str) -> Result<()> {
    print(format!("{line}\n").as_bytes())
}

/// Tells on standard error what was done or failed. If that is closed, the exit code alone tells it.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints bytes to standard output at once, even if that is a pipe.
pub(crate) fn print(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    written.context("cannot write standard output")
}
