//! Sizes, crops, frames, outlines and decorations, and pictures of several players.

mod compose;
mod crops;
mod framed;
mod names;
mod outlines;
mod sizes;
