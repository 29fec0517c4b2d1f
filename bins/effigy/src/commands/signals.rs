//! The signals that stop a service: the first one gracefully, the second one at once.

use std::{fmt, process::ExitCode};

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::Failure;

/// A signal that was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopSignal {
    /// SIGINT, sent by Ctrl-C.
    Interrupt,
    /// SIGTERM, sent by service managers.
    Terminate,
}

impl StopSignal {
    /// Returns the exit code of a process that the signal ends: 128 plus its number, as in shells.
    pub(crate) fn exit_code(self) -> ExitCode {
        match self {
            Self::Interrupt => ExitCode::from(130),
            Self::Terminate => ExitCode::from(143),
        }
    }
}

impl fmt::Display for StopSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Interrupt => "SIGINT",
            Self::Terminate => "SIGTERM",
        })
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
            _ = self.interrupt.recv() => StopSignal::Interrupt,
            _ = self.terminate.recv() => StopSignal::Terminate,
        }
    }
}
