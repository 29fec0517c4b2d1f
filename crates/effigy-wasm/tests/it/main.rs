//! The files of the package: the parts that are written from the table of parameters, and the
//! package in Node.js.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod generated;
mod node;
mod size;
mod support;
