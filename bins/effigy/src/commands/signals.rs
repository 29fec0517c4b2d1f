//! The signals that end a service: the first one well, the second one at once.

use std::{fmt, process::ExitCode};

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::Failure;

/// A signal that was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopSignal {
    /// What Ctrl-C sends.
    Interrupt,
    /// What service managers send.
    Terminate,
}

impl StopSignal {
    /// The exit code of a process that the signal ends, as shells have it: 128 and its number.
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

/// Hears the signals from its making on.
pub(super) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    pub(super) fn listen() -> Result<Self, Failure> {
        let hear = |kind| {
            signal(kind).map_err(|source| Failure::System {
                what: "signal handlers",
                source,
            })
        };
        Ok(Self {
            interrupt: hear(SignalKind::interrupt())?,
            terminate: hear(SignalKind::terminate())?,
        })
    }

    /// The next one.
    pub(super) async fn next(&mut self) -> StopSignal {
        tokio::select! {
            _ = self.interrupt.recv() => StopSignal::Interrupt,
            _ = self.terminate.recv() => StopSignal::Terminate,
        }
    }
}
