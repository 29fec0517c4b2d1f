//! The URLs of other avatar services, each under a prefix of its own, for sites that move here.

pub(super) mod crafatar;
mod defaults;
pub(super) mod mc_heads;
pub(super) mod minotar;
