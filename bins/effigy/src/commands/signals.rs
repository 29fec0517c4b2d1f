//! The signals that stop a service: the first one gracefully, the second one at once.

use std::{fmt, process::ExitCode};

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::Failure;

const INTERRUPT: StopSignal = StopSignal {
    name: "SIGINT",
    number: 2,
};

const TERMINATE: StopSignal = StopSignal {
    name: "SIGTERM",
    number: 15,
};

/// A signal that stops the service: SIGINT, sent by Ctrl-C, or SIGTERM, sent by service managers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StopSignal {
    name: &'static str,
    number: u8,
}

impl StopSignal {
    /// Returns the exit code of a process that the signal ends: 128 plus its number, as in shells.
    pub(crate) fn exit_code(self) -> ExitCode {
        ExitCode::from(128 + self.number)
    }
}

impl fmt::Display for StopSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A receiver of the signals that arrive after its creation.
pub(super) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    pub(super) fn listen() -> Result<Self, Failure> {
        let receiver = |kind| {
            signal(kind).map_err(|source| Failure::System {
                what: "signal handlers",
                source,
            })
        };
        Ok(Self {
            interrupt: receiver(SignalKind::interrupt())?,
            terminate: receiver(SignalKind::terminate())?,
        })
    }

    /// Waits for the next signal.
    pub(super) async fn next(&mut self) -> StopSignal {
        tokio::select! {
            _ = self.interrupt.recv() => INTERRUPT,
            _ = self.terminate.recv() => TERMINATE,
        }
    }
}
