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
    /// Covers all texels that are not transparent with rectangles, from the top left corner.
    pub(crate) fn rectangles(&self) -> Vec<Rectangle> {
        let mut covered = vec![false; self.texels.len()];
        let mut rectangles = Vec::new();
        for at in 0..self.texels.len() {
            let place = [at % self.columns, at / self.columns];
            if let Some(rectangle) = Rectangle::at(place, self, &covered) {
                let ([x, y], [width, height]) = (rectangle.at, rectangle.size);
                let rows = covered.chunks_exact_mut(self.columns);
                for row in rows.skip(y).take(height) {
                    row[x..][..width].fill(true);
                }
                rectangles.push(rectangle);
            }
        }
        rectangles
    }
}

impl Rectangle {
    /// Returns the rectangle with this texel in its upper left corner, first as wide and then as high as
    /// possible, or `None` if the texel is covered or transparent.
    fn at([x, y]: [usize; 2], grid: &Grid, covered: &[bool]) -> Option<Rectangle> {
        let color = grid.texels[y * grid.columns + x];
        let is_free = |x: usize, y: usize| {
            let at = y * grid.columns + x;
            !covered[at] && grid.texels[at] == color
        };
        if color[3] == 0 || !is_free(x, y) {
            return None;
        }
        let width = (x..grid.columns).take_while(|&x| is_free(x, y)).count();
        let is_free_row = |&y: &usize| (x..x + width).all(|x| is_free(x, y));
        let height = (y..grid.rows).take_while(is_free_row).count();
        Some(Rectangle {
            at: [x, y],
            size: [width, height],
            color,
        })
    }
}
