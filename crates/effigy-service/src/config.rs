//! The settings and the clock of a service.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use crate::ClientLimits;

/// The settings of a [`Service`](crate::Service).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServiceConfig {
    /// Approximate size of the pictures in memory in front of the store.
    pub memory_cache_bytes: u64,
    /// The time for which pictures may be served after their hour if an outage prevents newer ones.
    /// Zero by default.
    pub stale_if_error: Duration,
    /// The time for which a resolved player is reused by the requests that allow it. A minute by
    /// default.
    pub player_ttl: Duration,
    /// Reuses players for every request.
    pub player_ttl_everywhere: bool,
    /// The time for which a health report is reused. A second by default.
    pub health_ttl: Duration,
    /// The limits of each client. None by default.
    pub client_limits: ClientLimits,
}

impl Default for ServiceConfig {
    fn default() -> Self {
        Self {
            memory_cache_bytes: 64 << 20,
            stale_if_error: Duration::ZERO,
            player_ttl: Duration::from_secs(60),
            player_ttl_everywhere: false,
            health_ttl: Duration::from_secs(1),
            client_limits: ClientLimits::default(),
        }
    }
}

/// A source of the current time, as `SystemTime::now` is one.
pub type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;
