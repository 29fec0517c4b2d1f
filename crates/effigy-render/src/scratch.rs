//! What drawings have in common.

use std::sync::Arc;

use wide::i16x8;

use crate::RenderError;
use crate::scene::bsp::Bsp;
use crate::scene::figure::Figure;

/// Memory that is kept from one drawing to the next.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The divided figures that were drawn last, the latest at the end.
    figures: Vec<(Figure, Arc<Bsp>)>,
    /// The pixels of a strip.
    pub(crate) strip: Vec<[u8; 4]>,
    /// Filtered columns.
    pub(crate) columns: Vec<i16x8>,
}

/// Makes room for this many rows of a width, which may be pixels or what they are made of.
pub(crate) fn reserve<T>(to: &mut Vec<T>, width: usize, rows: usize) -> Result<(), RenderError> {
    to.clear();
    to.try_reserve_exact(width.saturating_mul(rows))
        .map_err(|_| RenderError::OutOfMemory)
}

/// The number of divided figures that are kept. A few poses of two models with and without overlay, cape
/// and ears are most of what is drawn.
const KEPT: usize = 48;

impl Scratch {
    /// Returns the divided faces of a figure. Dividing takes longer than drawing a small picture.
    pub(crate) fn divided(&mut self, figure: &Figure) -> Arc<Bsp> {
        if let Some(index) = self.figures.iter().rposition(|(known, _)| known == figure) {
            self.figures[index..].rotate_left(1);
        } else {
            if self.figures.len() == KEPT {
                self.figures.remove(0);
            }
            self.figures
                .push((*figure, Arc::new(Bsp::new(figure.surfaces()))));
        }
        let (_, bsp) = self.figures.last().expect("it is the latest");
        Arc::clone(bsp)
    }
}
