//! Work that requests share: values that are reused up to some age, and computations that several
//! callers wait for.

pub(crate) mod age;
pub(crate) mod cache;
pub(crate) mod single_flight;
