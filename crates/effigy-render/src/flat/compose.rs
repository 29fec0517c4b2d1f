//! Composes the front faces of a skin on a grid of texels.

use std::iter::repeat_n;

use crate::Skin;
use crate::flat::grid::Grid;
use crate::flat::layout::Layout;
use crate::model::{Face, Layers};

impl Layout {
    /// Draws the front faces of a skin on the grid.
    pub(crate) fn compose(&self, skin: &Skin, layers: Layers) -> Grid {
        let scale = skin.texels.scale as usize;
        let mut grid = Grid::blank(self.columns * scale, self.rows * scale);
        for pane in self.panes {
            for part in pane.parts {
                let cuboid = part.cuboid(skin.model());
                let [x, y, _] = cuboid.position.map(i32::unsigned_abs);
                let at = [(x - pane.from) * pane.cells + pane.left, y * pane.cells];
                for &layer in part.layers(layers) {
                    let rows = skin.texels.rows(cuboid.region(layer, Face::Front));
                    grid.draw(rows, at.map(|cells| cells as usize * scale), pane.cells);
                }
            }
        }
        grid
    }
}

impl Grid {
    /// A transparent grid.
    fn blank(columns: usize, rows: usize) -> Grid {
        Grid {
            columns,
            rows,
            texels: vec![[0; 4]; columns * rows],
        }
    }

    /// Draws rows of texels, each `cells` columns wide and as many rows high. What lies outside is cut off.
    fn draw<'a>(
        &mut self,
        rows: impl Iterator<Item = &'a [[u8; 4]]>,
        [left, top]: [usize; 2],
        cells: u32,
    ) {
        let cells = cells as usize;
        let rows = rows.flat_map(|row| repeat_n(row, cells));
        let below = self.texels.chunks_exact_mut(self.columns).skip(top);
        for (row, below) in rows.zip(below) {
            let texels = row.iter().flat_map(|&texel| repeat_n(texel, cells));
            for (texel, below) in texels.zip(&mut below[left..]) {
                *below = over(texel, *below);
            }
        }
    }
}

/// Composites a straight color over an opaque one, or over nothing. Products are rounded as those of tiny-skia.
fn over([r, g, b, alpha]: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    if alpha == 0 || alpha == 255 || below[3] == 0 {
        return if alpha == 0 { below } else { [r, g, b, alpha] };
    }
    let share = |channel: u8, alpha: u8| (u32::from(channel) * u32::from(alpha) + 127) / 255;
    let mix = |above: u8, below: u8| {
        u8::try_from(share(above, alpha) + share(below, 255 - alpha)).unwrap_or(u8::MAX)
    };
    [mix(r, below[0]), mix(g, below[1]), mix(b, below[2]), 255]
}

#[cfg(test)]
#[cfg(feature = "compose")]
mod tests {
    use tiny_skia::{BlendMode, ColorU8, FilterQuality, IntSize, Pixmap, PixmapPaint, Transform};

    use super::*;

    /// A grid as a pixmap.
    fn pixmap(grid: &Grid) -> Pixmap {
        let premultiplied = grid.texels.iter().flat_map(|&[r, g, b, alpha]| {
            let color = ColorU8::from_rgba(r, g, b, alpha).premultiply();
            [color.red(), color.green(), color.blue(), alpha]
        });
        let [width, height] = [grid.columns, grid.rows].map(|side| u32::try_from(side).unwrap());
        let size = IntSize::from_wh(width, height).unwrap();
        Pixmap::from_vec(premultiplied.collect(), size).unwrap()
    }

    #[test]
    fn pixels_are_those_of_tiny_skia() {
        // Every opacity over every channel, in columns of channels that vary.
        let opaque: Vec<[u8; 4]> = (0..=255)
            .map(|below| [below, 255 - below, 77, 255])
            .collect();
        let paint = PixmapPaint {
            opacity: 1.0,
            blend_mode: BlendMode::SourceOver,
            quality: FilterQuality::Nearest,
        };
        for channel in [0, 1, 99, 128, 254, 255] {
            let above = (0..=255).flat_map(|alpha| vec![[channel, 200, alpha, alpha]; 256]);
            let mut ours = Grid::blank(600, 515);
            let mut theirs = pixmap(&ours);
            for texels in [opaque.repeat(256), above.collect()] {
                ours.draw(texels.chunks_exact(256), [3, 0], 2);
                let layer = Grid {
                    columns: 256,
                    rows: 256,
                    texels,
                };
                let place = Transform::from_row(2.0, 0.0, 0.0, 2.0, 3.0, 0.0);
                theirs.draw_pixmap(0, 0, pixmap(&layer).as_ref(), &paint, place, None);
            }
            let theirs = theirs.take_demultiplied();
            assert!(ours.texels.as_flattened() == theirs, "{channel}");
        }
    }
}
