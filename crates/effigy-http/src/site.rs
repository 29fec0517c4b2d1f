//! The pages for people, and the files that they load.

pub(crate) mod assets;
pub(crate) mod landing;
pub(crate) mod reference;
mod template;
