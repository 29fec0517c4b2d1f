//! Pictures kept for later requests: in memory, and in the store.

pub(crate) mod memory;
pub(crate) mod reads;
pub(crate) mod writer;
