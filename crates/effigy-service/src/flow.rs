//! The request flow: key, cache, resolve, count, render, store.

mod appearance;
mod cached;
mod failure_log;
mod health;
pub(crate) mod large_picture;
mod picture;
pub(crate) mod preview;
mod profile;
pub(crate) mod resolved_players;
mod several;
pub(crate) mod skin;
mod stored;
