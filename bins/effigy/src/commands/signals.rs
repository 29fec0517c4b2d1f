//! The signals that stop a service.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal as Interrupt, Signal as Terminate};
#[cfg(windows)]
use tokio::signal::windows::{CtrlBreak as Terminate, CtrlC as Interrupt};

/// A receiver of the signals that arrive after its creation: SIGINT, sent by Ctrl-C, and SIGTERM, sent by service
/// managers. On Windows, these are Ctrl-C and Ctrl-Break.
pub(super) struct StopSignals {
    interrupt: Interrupt,
    terminate: Terminate,
}

impl StopSignals {
    #[cfg(unix)]
    pub(super) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    #[cfg(windows)]
    pub(super) fn listen() -> io::Result<Self> {
        use tokio::signal::windows::{ctrl_break, ctrl_c};
        Ok(Self {
            interrupt: ctrl_c()?,
            terminate: ctrl_break()?,
        })
    }

    /// Waits for the next signal and returns its name, and the exit code of a program that it ends.
    pub(super) async fn next(&mut self) -> (&'static str, i32) {
        tokio::select! {
            _ = self.interrupt.recv() => ("SIGINT", 130),
            _ = self.terminate.recv() => ("SIGTERM", 143),
        }
    }
}
