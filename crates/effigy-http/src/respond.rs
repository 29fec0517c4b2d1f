//! Responses: pictures, JSON, documents and errors, with their headers and bodies.

pub(crate) mod body;
mod disposition;
pub(crate) mod error;
pub(crate) mod file;
pub(crate) mod reason;
pub(crate) mod response;

pub(crate) use response::{Response, empty, set};
