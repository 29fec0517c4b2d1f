//! The flows: what happens from a request to its file.

mod appearance;
mod batch;
mod cached;
mod draw;
mod draw_group;
mod group;
mod picture;
mod preview;
mod profile;
mod step;
