//! The specification's pipeline taken literally, in floating point, without any code of the renderer: every pixel of the working canvas casts a ray through every face, and a plain
//! Lanczos3 shrinks what it sees.

mod figure;
mod scene;
pub(crate) mod shrink;

pub(crate) use scene::{Frame, Look, Scene, Viewer, working_side};
pub(crate) use shrink::Shrinker;
