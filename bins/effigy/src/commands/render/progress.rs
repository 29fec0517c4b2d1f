//! The progress of a batch on the terminal.

use std::io::{self, IsTerminal, Stderr, Write};

use anyhow::Result;

/// The width of the bar in characters.
const BAR_WIDTH: usize = 24;

/// A progress bar and messages of failures on standard error. If that is not a terminal, there is no
/// bar.
#[derive(Debug)]
pub(super) struct Progress<W> {
    out: W,
    has_bar: bool,
    total: usize,
    done: usize,
    failed: usize,
}

impl Progress<Stderr> {
    /// Creates the bar of `total` pieces of work.
    pub(super) fn start(total: usize) -> Self {
        Self::on(io::stderr(), io::stderr().is_terminal(), total)
    }
}

impl<W: Write> Progress<W> {
    fn on(out: W, has_bar: bool, total: usize) -> Self {
        Self {
            out,
            has_bar,
            total,
            done: 0,
            failed: 0,
        }
    }

    /// Shows that one more piece, `name`, is done.
    pub(super) fn advance(&mut self, name: &str, outcome: Result<()>) {
        self.done += 1;
        if let Err(failure) = outcome {
            self.failed += 1;
            self.clear();
            self.write(&format!("effigy: {name}: {failure:#}\n"));
        }
        let filled = BAR_WIDTH * self.done / self.total.max(1);
        let (full, empty) = ("█".repeat(filled), "░".repeat(BAR_WIDTH - filled));
        let (done, total) = (self.done, self.total);
        // A name must not send control sequences to the terminal.
        let name: String = name.chars().filter(|c| !c.is_control()).take(32).collect();
        if self.has_bar {
            self.write(&format!("\r{full}{empty} {done}/{total} {name}\x1b[K"));
        }
    }

    /// Clears the bar and returns the number of failures.
    pub(super) fn finish(mut self) -> usize {
        self.clear();
        self.failed
    }

    fn clear(&mut self) {
        if self.has_bar {
            self.write("\r\x1b[K");
        }
    }

    fn write(&mut self, text: &str) {
        // If standard error is closed, the exit code alone tells of failures.
        let written = self.out.write_all(text.as_bytes());
        let _ = written.and_then(|()| self.out.flush());
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn the_bar_fills() {
        let mut text = Vec::new();
        let mut progress = Progress::on(&mut text, true, 2);
        progress.advance("Notch", Ok(()));
        progress.advance("a\x1b[2Jb", Ok(()));
        assert_eq!(progress.finish(), 0);
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<&str> = text.split('\r').skip(1).collect();
        let (half, whole) = ("█".repeat(BAR_WIDTH / 2), "█".repeat(BAR_WIDTH));
        let rest = "░".repeat(BAR_WIDTH / 2);
        assert_eq!(lines[0], format!("{half}{rest} 1/2 Notch\x1b[K"));
        assert_eq!(lines[1], format!("{whole} 2/2 a[2Jb\x1b[K"));
        assert_eq!(lines[2], "\x1b[K");
    }

    #[test]
    fn without_a_terminal_only_failures_are_written() {
        let mut text = Vec::new();
        let mut progress = Progress::on(&mut text, false, 2);
        progress.advance("Notch", Ok(()));
        progress.advance("fox.png", Err(anyhow!("it is missing")));
        assert_eq!(progress.finish(), 1);
        assert_eq!(text, b"effigy: fox.png: it is missing\n");
    }
}
