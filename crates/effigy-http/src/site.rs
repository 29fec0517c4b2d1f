//! The pages for people, and the files that they load.

pub(crate) mod assets;
mod figure_params;
pub(crate) mod landing;
mod page_params;
pub(crate) mod reference;
mod template;
