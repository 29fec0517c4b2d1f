//! The signals that stop a service.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal as Interrupt, Signal as Terminate, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlBreak as Terminate, CtrlC as Interrupt, ctrl_break, ctrl_c};

/// A receiver of the signals that arrive after its creation: SIGINT, sent by Ctrl-C, and SIGTERM, sent by service
/// managers. On Windows, these are Ctrl-C and Ctrl-Break.
pub(super) struct StopSignals(Interrupt, Terminate);

impl StopSignals {
    #[cfg(unix)]
    pub(super) fn listen() -> io::Result<Self> {
        let interrupt = signal(SignalKind::interrupt())?;
        Ok(Self(interrupt, signal(SignalKind::terminate())?))
    }

    #[cfg(windows)]
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self(ctrl_c()?, ctrl_break()?))
    }

    /// Waits for the next signal and returns its name, and the exit code of a program that it ends.
    pub(super) async fn next(&mut self) -> (&'static str, i32) {
        tokio::select! {
            _ = self.0.recv() => ("SIGINT", 130),
            _ = self.1.recv() => ("SIGTERM", 143),
        }
    }
}
