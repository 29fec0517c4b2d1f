//! The output of commands, on standard output and standard error.

use std::io::{self, Write};

use anyhow::{Context, Result};

/// Prints bytes to standard output at once, even if that is a pipe.
pub(crate) fn print(bytes: impl AsRef<[u8]>) -> Result<()> {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes.as_ref()).and_then(|()| out.flush());
    written.context("cannot write standard output")
}

/// Prints a line to standard error. If that is closed, only the exit code says what happened.
pub(crate) fn print_error(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
