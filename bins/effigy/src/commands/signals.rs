//! The signals that stop a service: the first one gracefully, the second one at once.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// A signal that stops the service: SIGINT, sent by Ctrl-C, or SIGTERM, sent by service managers.
pub(super) struct StopSignal {
    pub(super) name: &'static str,
    pub(super) number: u8,
}

/// A receiver of the signals that arrive after its creation.
pub(super) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the next signal.
    pub(super) async fn next(&mut self) -> StopSignal {
        let (name, number) = tokio::select! {
            _ = self.interrupt.recv() => ("SIGINT", 2),
            _ = self.terminate.recv() => ("SIGTERM", 15),
        };
        StopSignal { name, number }
    }
}
