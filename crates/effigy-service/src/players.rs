//! Players: who somebody is and what they wear, as it is remembered, stored, or looked up.
//!
//! A record that was checked a moment ago is used as it is. An older one is checked in the
//! background, for all who ask, and an answer waits for the check for a short time only. A player
//! without a record is looked up, which takes as long as it takes.

// Values and memories, which know nothing of a request.
pub(crate) mod account_key;
pub(crate) mod current;
pub(crate) mod memory;
pub(crate) mod record;
pub(crate) mod requested;
pub(crate) mod signed_profiles;

// The steps of a request.
mod changes;
mod check;
mod find;
mod keep;
pub(crate) mod look_up;
mod renew;
mod resolve;
