//! From faces to pixels.
//!
//! `scan` is the pipeline. The modules in the order of the data: `trapezoid` (with `line`),
//! `columns`, `face` (with `runs`), `coverage` (with `boundary`), and one of the filters `area` and
//! `lanczos`, which implement the trait in `filter`. `docs/projection.md` explains them.

mod area;
mod boundary;
mod columns;
mod coverage;
mod face;
mod filter;
#[cfg(feature = "lanczos3")]
mod lanczos;
mod line;
mod runs;
pub(crate) mod scan;
mod straight;
mod trapezoid;
