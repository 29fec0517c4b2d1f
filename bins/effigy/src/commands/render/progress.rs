//! A progress bar on the terminal.

use std::io::{self, IsTerminal, Stderr, Write};

/// The width of the bar in characters.
const BAR_WIDTH: usize = 24;

/// A progress bar on standard error, or nothing if that is not a terminal.
#[derive(Debug)]
pub(super) struct Progress<W> {
    out: Option<W>,
    total: usize,
    done: usize,
}

impl Progress<Stderr> {
    /// Creates the bar of `total` pieces of work.
    pub(super) fn start(total: usize) -> Self {
        let out = io::stderr();
        let out = out.is_terminal().then_some(out);
        Self::on(out, total)
    }
}

impl<W: Write> Progress<W> {
    fn on(out: Option<W>, total: usize) -> Self {
        let done = 0;
        Self { out, total, done }
    }

    /// Shows that one more piece, `name`, is done.
    pub(super) fn advance(&mut self, name: &str) {
        self.done += 1;
        let filled = BAR_WIDTH * self.done / self.total.max(1);
        let (full, empty) = ("█".repeat(filled), "░".repeat(BAR_WIDTH - filled));
        let (done, total) = (self.done, self.total);
        // A name must not send control sequences to the terminal.
        let name: String = name.chars().filter(|c| !c.is_control()).take(32).collect();
        self.write(&format!("\r{full}{empty} {done}/{total} {name}\x1b[K"));
    }

    /// Clears the line, so that something else can be printed.
    pub(super) fn clear(&mut self) {
        self.write("\r\x1b[K");
    }

    fn write(&mut self, text: &str) {
        if let Some(out) = &mut self.out {
            // Without the bar, nothing that matters is lost.
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills() {
        let mut text = Vec::new();
        let mut progress = Progress::on(Some(&mut text), 2);
        progress.advance("Notch");
        progress.advance("a\x1b[2Jb");
        progress.clear();
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<&str> = text.split('\r').skip(1).collect();
        let (half, whole) = ("█".repeat(BAR_WIDTH / 2), "█".repeat(BAR_WIDTH));
        let rest = "░".repeat(BAR_WIDTH / 2);
        assert_eq!(lines[0], format!("{half}{rest} 1/2 Notch\x1b[K"));
        assert_eq!(lines[1], format!("{whole} 2/2 a[2Jb\x1b[K"));
        assert_eq!(lines[2], "\x1b[K");
    }

    #[test]
    fn without_a_terminal_nothing_is_written() {
        let mut progress = Progress::<Vec<u8>>::on(None, 1);
        progress.advance("Notch");
        progress.clear();
        assert_eq!(progress.done, 1);
    }
}
