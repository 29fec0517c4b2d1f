//! What an operator can set about the service itself.

use std::time::Duration;

use crate::Observer;

/// The settings of a [`Service`](crate::Service).
#[derive(Debug, Clone)]
pub struct ServiceConfig {
    /// How many bytes of pictures are kept in memory in front of the store, about.
    pub memory_cache: u64,
    /// How much longer than their hour pictures are served where an outage keeps newer ones from
    /// us. Not at all by default.
    pub stale_if_error: Duration,
    /// For how long the outcome of a health ping holds, so that the identity service is not pinged
    /// more often. By default every check has its own, which simultaneous ones share.
    pub health_ping_every: Duration,
    /// Who is told what the service does.
    pub observer: Observer,
}

impl Default for ServiceConfig {
    fn default() -> Self {
        Self {
            memory_cache: 64 << 20,
            stale_if_error: Duration::ZERO,
            health_ping_every: Duration::ZERO,
            observer: Observer::nobody(),
        }
    }
}
