//! The signals that stop a service: the first one gracefully, the second one at once.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(super) use unix::StopSignals;
#[cfg(windows)]
pub(super) use windows::StopSignals;

/// A signal that stops the service.
pub(super) struct StopSignal {
    pub(super) name: &'static str,
    /// The number on Unix, which is a part of the exit code.
    pub(super) number: u8,
}
