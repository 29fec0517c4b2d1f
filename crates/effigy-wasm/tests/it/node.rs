//! The package in Node.js: what is published is installed into an empty folder and used there.

mod errors;
mod package;
mod pictures;
