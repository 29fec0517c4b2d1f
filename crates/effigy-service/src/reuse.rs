//! Work that requests share: values in memory, and computations that several callers wait for.

pub(crate) mod cache;
pub(crate) mod single_flight;
