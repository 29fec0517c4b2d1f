//! How far a long command is, for who watches it.

use std::io::{self, IsTerminal, Stderr, Write};

/// How wide the bar is, in characters.
const BAR: usize = 24;

/// A line on standard error that is written over and over; nothing where that is no terminal.
#[derive(Debug)]
pub(super) struct Progress<W> {
    out: Option<W>,
    total: usize,
    done: usize,
}

impl Progress<Stderr> {
    /// The progress of so many pieces of work.
    pub(super) fn begin(total: usize) -> Self {
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

    /// One more is done.
    pub(super) fn advance(&mut self, what: &str) {
        self.done += 1;
        let filled = BAR * self.done / self.total.max(1);
        let (full, empty) = ("█".repeat(filled), "░".repeat(BAR - filled));
        let (done, total) = (self.done, self.total);
        // Only the last line of a name that a terminal could be steered by.
        let what: String = what.chars().filter(|c| !c.is_control()).take(32).collect();
        self.write(&format!("\r{full}{empty} {done}/{total} {what}\x1b[K"));
    }

    /// Something else has to be said: it gets a line of its own.
    pub(super) fn interrupt(&mut self) {
        self.write("\r\x1b[K");
    }

    fn write(&mut self, text: &str) {
        if let Some(out) = &mut self.out {
            // Who cannot be shown anything misses nothing that matters.
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
        progress.interrupt();
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<&str> = text.split('\r').skip(1).collect();
        let (half, whole) = ("█".repeat(BAR / 2), "█".repeat(BAR));
        let rest = "░".repeat(BAR / 2);
        assert_eq!(lines[0], format!("{half}{rest} 1/2 Notch\x1b[K"));
        assert_eq!(lines[1], format!("{whole} 2/2 a[2Jb\x1b[K"));
        assert_eq!(lines[2], "\x1b[K");
    }

    #[test]
    fn nobody_watches_nothing_is_said() {
        let mut progress = Progress::<Vec<u8>>::on(None, 1);
        progress.advance("Notch");
        progress.interrupt();
        assert_eq!(progress.done, 1);
    }
}
