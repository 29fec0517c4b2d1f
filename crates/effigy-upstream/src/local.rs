//! The operator's own skins: in memory, and in a folder.

pub(crate) mod folder;
pub(crate) mod listing;
pub(crate) mod skin_file;
pub(crate) mod skins;
