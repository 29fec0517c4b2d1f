//! Pictures kept for later requests: in memory, and on their way to the store.

pub(crate) mod circuit_breaker;
pub(crate) mod memory;
pub(crate) mod write_behind;
mod write_queue;
