//! The gate: everything that a request makes the service do beyond parsing and a look at memory.
//!
//! That is one of three things: look-ups, which upstreams limit; work, which takes processor time; and bytes
//! that wait to be sent. `client` bounds what one client uses of each, and `queue` gives the drawing threads to clients in
//! turns. Whatever a route does through the gate is bounded without a line of its own.

mod client;
mod queue;
mod turn;
mod usage;

pub(crate) use client::MAX_WRITES;
pub use client::{Client, Gate};
pub(crate) use turn::MAX_MEMORY_OF_ONE;
pub use turn::{BoundedBuffer, Turn};
pub(crate) use usage::Waiters;
pub use usage::{ClientLimits, Permit, Permits};
