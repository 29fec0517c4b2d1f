//! From faces to pixels.
//!
//! `scan` is the pipeline. The modules in the order of the data: `trapezoid` (with `line`), `face` (with `runs`),
//! `coverage`, `vertical_filter`, `horizontal_filter` (both with `kernel`).
//! `docs/projection.md` explains them.

mod area;
mod boundary;
mod columns;
mod coverage;
mod face;
mod lanczos;
mod line;
mod runs;
pub(crate) mod scan;
mod straight;
mod trapezoid;
