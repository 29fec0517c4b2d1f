//! The commands.

mod demo;
mod health;
mod providers;
mod prune;
mod render;
mod serve;
mod server;
mod signals;
mod sources;

pub(crate) use demo::demo;
pub(crate) use health::health;
pub(crate) use providers::providers;
pub(crate) use prune::prune;
pub(crate) use render::render;
pub(crate) use serve::serve;
