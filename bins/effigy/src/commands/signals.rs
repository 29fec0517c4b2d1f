//! The signals that stop a service: the first one gracefully, the second one at once.

use std::{future, io};

#[cfg(unix)]
use tokio::signal::unix::{Signal as Interrupt, Signal as Terminate, Signal as Hangup};
#[cfg(windows)]
use tokio::signal::windows::{CtrlBreak as Terminate, CtrlC as Interrupt, CtrlClose as Hangup};

/// A receiver of the signals that arrive after its creation: SIGINT, sent by Ctrl-C, SIGTERM, sent by service
/// managers, and SIGHUP, sent when the terminal is closed. On Windows, these are Ctrl-C, Ctrl-Break and the
/// closing of the console.
pub(super) struct StopSignals {
    interrupt: Interrupt,
    terminate: Terminate,
    /// `None` if the program was started to outlive its terminal, as with `nohup`.
    hangup: Option<Hangup>,
}

impl StopSignals {
    #[cfg(unix)]
    pub(super) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let hangup = (!ignores_hangups()).then(|| signal(SignalKind::hangup()));
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: hangup.transpose()?,
        })
    }

    #[cfg(windows)]
    pub(super) fn listen() -> io::Result<Self> {
        use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close};
        Ok(Self {
            interrupt: ctrl_c()?,
            terminate: ctrl_break()?,
            hangup: Some(ctrl_close()?),
        })
    }

    /// Waits for the next signal and returns its name, and the exit code of a program that it ends.
    pub(super) async fn next(&mut self) -> (&'static str, u8) {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => ("SIGINT", 130),
            _ = self.terminate.recv() => ("SIGTERM", 143),
            _ = hangup => ("SIGHUP", 129),
        }
    }

    /// Waits for a signal after the first one. A closed terminal may send SIGHUP several times, which does not
    /// count.
    pub(super) async fn second(&mut self) -> (&'static str, u8) {
        self.hangup = None;
        self.next().await
    }
}

/// Returns `true` if the program was started with SIGHUP ignored. Systems without `/proc` do not tell.
#[cfg(unix)]
fn ignores_hangups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // The lowest bit is that of signal 1, SIGHUP.
    ignored.is_some_and(|mask| mask & 1 == 1)
}
