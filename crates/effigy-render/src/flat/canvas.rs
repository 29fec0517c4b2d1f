//! Layers of texels over one another, with the same pixels as tiny-skia's.

use crate::flat::grid::Grid;

pub(super) struct Canvas(Grid);

impl Canvas {
    /// A transparent canvas of these columns and rows.
    pub(super) fn new(size: [u32; 2]) -> Canvas {
        let [columns, rows] = size.map(|side| side as usize);
        Canvas(Grid {
            columns,
            rows,
            texels: vec![[0; 4]; columns * rows],
        })
    }

    /// Draws rows of texels, each `cells` columns wide and as many rows high. What lies outside is cut off.
    pub(super) fn draw<'a>(
        &mut self,
        rows: impl Iterator<Item = &'a [[u8; 4]]>,
        at: [i32; 2],
        cells: i32,
    ) {
        let [left, top, cells] = [at[0], at[1], cells].map(|cells| cells.unsigned_abs() as usize);
        let rows = rows.flat_map(|row| std::iter::repeat_n(row, cells));
        let below = self.0.texels.chunks_exact_mut(self.0.columns).skip(top);
        for (row, below) in rows.zip(below) {
            let texels = row
                .iter()
                .flat_map(|texel| std::iter::repeat_n(texel, cells));
            for (&texel, below) in texels.zip(&mut below[left..]) {
                *below = over(texel, *below);
            }
        }
    }

    pub(super) fn into_grid(self) -> Grid {
        self.0
    }
}

/// Composites a straight color over an opaque one, or over nothing.
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
    use super::*;
    use crate::flat::skia_canvas;

    #[test]
    fn pixels_are_those_of_tiny_skia() {
        // Every opacity over every channel, in columns of channels that vary.
        let opaque: Vec<[u8; 4]> = (0..=255)
            .map(|below| [below, 255 - below, 77, 255])
            .collect();
        for channel in [0, 1, 99, 128, 254, 255] {
            let above: Vec<Vec<[u8; 4]>> = (0..=255)
                .map(|alpha| vec![[channel, 200, alpha, alpha]; 256])
                .collect();
            let mut ours = Canvas::new([600, 515]);
            let mut theirs = skia_canvas::Canvas::new([600, 515]);
            for (rows, at, cells) in [(vec![opaque.clone(); 256], [3, 0], 2), (above, [3, 0], 2)] {
                ours.draw(rows.iter().map(|row| &row[..]), at, cells);
                theirs.draw(rows.iter().map(|row| &row[..]), at, cells);
            }
            assert!(
                ours.into_grid().texels == theirs.into_grid().texels,
                "{channel}"
            );
        }
    }
}
