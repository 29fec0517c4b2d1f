//! The request flow: key, cache, resolve, count, render, store.

mod cached;
mod failure_log;
mod health;
pub(crate) mod large_picture;
mod picture;
pub(crate) mod preview;
mod profile;
mod resolve;
mod valid_request;
