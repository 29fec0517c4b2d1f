//! Responses: pictures, JSON, documents and errors, with their headers and bodies.

mod body;
mod conditional;
mod disposition;
pub(crate) mod document;
pub(crate) mod error;
pub(crate) mod image;
pub(crate) mod reason;
pub(crate) mod response;

pub(crate) use response::{Response, empty, set};
