//! The signals that stop a server.

use std::{io, process};

use anyhow::anyhow;
#[cfg(unix)]
use tokio::signal::unix::{Signal as Interrupt, Signal as Terminate, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlBreak as Terminate, CtrlC as Interrupt, ctrl_break, ctrl_c};

use crate::log;

/// The receivers of SIGINT, which Ctrl-C sends, and SIGTERM, which service managers send. On
/// Windows, these are Ctrl-C and Ctrl-Break. They receive the signals that arrive after their
/// creation.
pub(super) struct StopSignals {
    interrupt: Interrupt,
    terminate: Terminate,
}

/// A signal that was received.
struct Received {
    name: &'static str,
    /// The exit code of a program that the signal ends.
    exit_code: i32,
}

impl StopSignals {
    #[cfg(unix)]
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    #[cfg(windows)]
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: ctrl_c()?,
            terminate: ctrl_break()?,
        })
    }

    /// Waits for a signal. From then on, another signal ends the program at once.
    pub(super) async fn stop(mut self) {
        let first = self.next().await;
        tracing::info!("stopping after {}", first.name);
        tokio::spawn(async move {
            let second = self.next().await;
            log::report(&anyhow!(
                "received {} again; exiting with requests or writes pending",
                second.name
            ));
            process::exit(second.exit_code);
        });
    }

    async fn next(&mut self) -> Received {
        tokio::select! {
            _ = self.interrupt.recv() => Received { name: "SIGINT", exit_code: 130 },
            _ = self.terminate.recv() => Received { name: "SIGTERM", exit_code: 143 },
        }
    }
}
