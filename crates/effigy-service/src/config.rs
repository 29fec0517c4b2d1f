//! What an operator can set about the service itself.

use crate::Observer;

/// The settings of a [`Service`](crate::Service).
#[derive(Debug, Clone)]
pub struct ServiceConfig {
    /// How many bytes of pictures are kept in memory in front of the store, about.
    pub memory_cache: u64,
    /// Who is told what the service does.
    pub observer: Observer,
}

impl Default for ServiceConfig {
    fn default() -> Self {
        Self {
            memory_cache: 64 << 20,
            observer: Observer::nobody(),
        }
    }
}
