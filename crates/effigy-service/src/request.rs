//! What a caller can ask for, and the keys under which it is kept.

pub(crate) mod endpoint;
pub(crate) mod group;
pub(crate) mod key;
pub(crate) mod picture;
