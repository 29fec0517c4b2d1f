//! The signals of Unix.

use std::{fs, io};

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::StopSignal;

/// A receiver of the signals that arrive after its creation: SIGINT, sent by Ctrl-C, SIGTERM, sent by
/// service managers, and SIGHUP, sent when the terminal is closed.
pub(crate) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
    /// `None` if the program was started to outlive its terminal, as `nohup` does.
    hangup: Option<Signal>,
}

impl StopSignals {
    pub(crate) fn listen() -> io::Result<Self> {
        let hangup = (!ignores_hangup()).then(|| signal(SignalKind::hangup()));
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: hangup.transpose()?,
        })
    }

    /// Waits for the next signal.
    pub(crate) async fn next(&mut self) -> StopSignal {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        let (name, number) = tokio::select! {
            _ = self.interrupt.recv() => ("SIGINT", 2),
            _ = self.terminate.recv() => ("SIGTERM", 15),
            _ = hangup => ("SIGHUP", 1),
        };
        StopSignal { name, number }
    }

    /// Waits for the next signal other than SIGHUP, which a closed terminal may send several times.
    pub(crate) async fn next_of_operator(&mut self) -> StopSignal {
        self.hangup = None;
        self.next().await
    }
}

/// Returns whether the process has inherited that SIGHUP is ignored. Where the system does not tell, it
/// has not.
fn ignores_hangup() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // The lowest bit is signal 1.
    mask.is_some_and(|mask| mask & 1 == 1)
}
