//! The flows: what happens from a request to its file.

mod appearance;
mod cached;
mod draw;
mod group;
mod picture;
mod profile;
mod step;
