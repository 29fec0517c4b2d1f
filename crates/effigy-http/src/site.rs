//! The pages for people, and the files that they load.

pub(crate) mod assets;
pub(crate) mod landing;
pub(crate) mod page_params;
pub(crate) mod reference;
pub(crate) mod template;
