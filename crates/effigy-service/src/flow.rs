//! The request flow: key, cache, resolve, count, render, store.

mod cached;
pub(crate) mod failure_log;
pub(crate) mod large_picture;
pub(crate) mod picture;
pub(crate) mod player_skin;
pub(crate) mod preview;
mod profile;
