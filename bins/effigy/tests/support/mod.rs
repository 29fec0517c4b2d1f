//! The real binary over real sockets: a server to ask, a client to ask it with, and what the
//! answers should be.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "each test file uses its own part of this"
)]

mod client;
mod expected;
mod faults;
mod outcome;
mod server;

pub use client::{Connection, Reply, exchange, get_from, try_get};
pub use expected::{assert_error, assert_picture, assert_refused, drawn, picture_of, text};
pub use faults::faults;
pub use outcome::{Judge, Outcome, pictures};
pub use server::{LOG_TO_FILE, Server, effigy, read_line, run};
