//! Memory that is kept from one drawing to the next.

use wide::i16x8;

use crate::RenderError;
use crate::scene::figure_cache::FigureCache;

/// The memory of a renderer.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The pixels of a strip.
    pub(crate) strip: Vec<[u8; 4]>,
    /// Filtered columns.
    pub(crate) columns: Vec<i16x8>,
    pub(crate) figures: FigureCache,
}

/// Empties a buffer, and makes room for this many rows of this many elements.
pub(crate) fn reserve<T>(
    buffer: &mut Vec<T>,
    row_length: usize,
    rows: usize,
) -> Result<(), RenderError> {
    buffer.clear();
    buffer
        .try_reserve_exact(row_length.saturating_mul(rows))
        .map_err(|_| RenderError::OutOfMemory)
}
