//! The pipeline taken literally, in floating point, without any code of the renderer: every pixel of a canvas
//! casts a ray through every face, and a plain Lanczos3 shrinks what it sees.

mod camera;
mod figure;
mod scene;
pub(crate) mod shrink;

pub(crate) use camera::Look;
pub(crate) use scene::{Scene, working_side};
pub(crate) use shrink::Shrinker;
