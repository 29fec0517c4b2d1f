//! From faces to pixels.
//!
//! `scan` is the pipeline. The modules in the order of the data: `trapezoid`, `face` (with `runs`),
//! `coverage`, `vertical_filter`, `horizontal_filter` (both with `kernel`).
//! `docs/projection.md` explains them.

mod columns;
mod coverage;
pub(crate) mod face;
mod horizontal_filter;
mod kernel;
mod runs;
pub(crate) mod scan;
pub(crate) mod trapezoid;
mod vertical_filter;
