//! The table of routes as an OpenAPI 3.1 document.

mod document;
mod schemas;

pub(crate) use document::{ABOUT, document};
