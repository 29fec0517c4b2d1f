//! The two doors between clients and the work that they cause.
//!
//! [`Rates`] limits how much drawing and how many calls to upstreams one client may cause in a
//! while. [`Turns`] lets clients take turns on the drawing threads. A request that needs neither
//! drawing nor a call passes neither door. A picture of an unknown player is charged before the
//! look-up, even if the picture of the player's skin turns out to be stored. Nothing else in the
//! service knows who a client is. [`MemoryBudget`] is the memory of bytes that wait for clients.

mod client;
mod memory;
mod rates;
mod turns;

pub use client::{Allowance, Client, ClientRates};
pub use memory::{MemoryBudget, WaitingBytes};
pub use turns::Turn;

pub(crate) use rates::{ChargedCalls, Rates};
pub(crate) use turns::{Askers, JobError, MAX_JOB_MEMORY, Turns};
