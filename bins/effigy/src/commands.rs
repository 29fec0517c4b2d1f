//! The commands.

pub(crate) mod demo;
pub(crate) mod health;
pub(crate) mod providers;
pub(crate) mod prune;
pub(crate) mod render;
pub(crate) mod serve;
mod sources;
