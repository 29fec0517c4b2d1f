//! From faces on a canvas to pixels.
//!
//! `strips` is the pipeline. The modules in the order of the data: `trapezoid`, `face` (with `runs`),
//! `canvas` (with `coverage`), `vertical_filter`, `horizontal_filter` (both with `kernel`).
//! `docs/projection.md` explains them.

mod canvas;
mod columns;
mod coverage;
mod face;
mod horizontal_filter;
mod kernel;
mod runs;
pub(crate) mod strips;
mod trapezoid;
mod vertical_filter;
