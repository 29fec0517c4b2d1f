//! The console's events on Windows.

use std::io;

use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown,
};

use super::StopSignal;

/// A receiver of the events that arrive after its creation. Each has the number of the signal that it is
/// most like.
pub(crate) struct StopSignals {
    interrupt: CtrlC,
    terminate: CtrlBreak,
    close: CtrlClose,
    shutdown: CtrlShutdown,
}

impl StopSignals {
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: ctrl_c()?,
            terminate: ctrl_break()?,
            close: ctrl_close()?,
            shutdown: ctrl_shutdown()?,
        })
    }

    /// Waits for the next event.
    pub(crate) async fn next(&mut self) -> StopSignal {
        let (name, number) = tokio::select! {
            _ = self.interrupt.recv() => ("Ctrl-C", 2),
            _ = self.terminate.recv() => ("Ctrl-Break", 15),
            _ = self.close.recv() => ("the end of the console", 1),
            _ = self.shutdown.recv() => ("the end of the system", 15),
        };
        StopSignal { name, number }
    }

    /// Waits for the next event.
    pub(crate) async fn next_of_operator(&mut self) -> StopSignal {
        self.next().await
    }
}
