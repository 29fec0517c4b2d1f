//! Skins in memory: files, the players that they are for, and the look-up.

pub(crate) mod skin_file;
pub(crate) mod skins;
