//! Upstreams for the tests: canned answers, and servers on real sockets.

pub(crate) mod canned;
pub(crate) mod resolve;
pub(crate) mod server;
