//! The landing page and its assets.

pub(crate) mod assets;
pub(crate) mod landing;
pub(crate) mod template;
