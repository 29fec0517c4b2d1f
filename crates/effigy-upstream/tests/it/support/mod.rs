//! Upstreams for the tests, with canned answers.

pub(crate) mod canned;
pub(crate) mod resolve;
