//! Responses: pictures, JSON, documents and errors, with their headers and bodies.

pub(crate) mod answer;
pub(crate) mod body;
pub(crate) mod conditional;
mod disposition;
pub(crate) mod document;
pub(crate) mod error;
pub(crate) mod gzip;
pub(crate) mod headers;
pub(crate) mod image;
pub(crate) mod json;
