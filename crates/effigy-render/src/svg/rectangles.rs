//! Grids of texels as few rectangles.

use crate::flat::grid::Grid;

/// A rectangle of texels of one color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rectangle {
    /// The top left corner.
    pub(crate) at: [usize; 2],
    /// Width and height.
    pub(crate) size: [usize; 2],
    pub(crate) color: [u8; 4],
}

impl Grid {
    /// Covers all texels that are not transparent with rectangles, from the top left corner, each first as wide and then
    /// as high as possible.
    pub(crate) fn into_rectangles(mut self) -> Vec<Rectangle> {
        let mut rectangles = Vec::new();
        for at in 0..self.texels.len() {
            let color = self.texels[at];
            if color[3] == 0 {
                continue;
            }
            let [x, y] = [at % self.columns, at / self.columns];
            let right = self.row(y)[x..].iter();
            let width = right.take_while(|texel| **texel == color).count();
            let below = self.texels.chunks_exact_mut(self.columns).skip(y);
            let rows = below.map(|row| &mut row[x..x + width]);
            let mut height = 0;
            for row in rows.take_while(|row| row.iter().all(|texel| *texel == color)) {
                // What is covered becomes transparent.
                row.fill([0; 4]);
                height += 1;
            }
            rectangles.push(Rectangle {
                at: [x, y],
                size: [width, height],
                color,
            });
        }
        rectangles
    }
}
