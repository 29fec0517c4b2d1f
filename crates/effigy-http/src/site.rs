//! The pages for people, and the files that they load.

pub(crate) mod assets;
mod controls;
pub(crate) mod landing;
mod not_found;
pub(crate) mod page_params;
pub(crate) mod reference;
mod snippets;
mod template;

pub(crate) use not_found::not_found;
