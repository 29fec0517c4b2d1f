//! Flat views: the front faces of a player on a grid of texels, enlarged with hard edges.

use std::borrow::Cow;
use std::iter::{once, repeat_n};

use crate::Skin;
use crate::model::{BODY_PARTS, Cuboid, Face, Layer, Layers, Model, Part};
use crate::picture::layout::multiplied;

/// Straight RGBA texels, row by row.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) texels: Vec<[u8; 4]>,
}

/// A grid with the width of every column and the height of every row in pixels.
pub(crate) struct EnlargedGrid<'a> {
    pub(crate) grid: Cow<'a, Grid>,
    widths: Vec<u32>,
    heights: Vec<u32>,
}

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
    /// A transparent grid.
    pub(crate) fn blank(columns: usize, rows: usize) -> Grid {
        Grid {
            columns,
            rows,
            texels: vec![[0; 4]; columns * rows],
        }
    }

    /// Draws rows of texels, each `cells` columns wide and as many rows high. What lies outside is
    /// cut off.
    pub(crate) fn draw<'a>(
        &mut self,
        rows: impl Iterator<Item = &'a [[u8; 4]]>,
        at: [usize; 2],
        cells: u32,
    ) {
        self.draw_from_alpha(1, rows, at, cells);
    }

    /// Draws rows of texels like [`Grid::draw`], except those with an alpha below this one.
    fn draw_from_alpha<'a>(
        &mut self,
        least_alpha: u8,
        rows: impl Iterator<Item = &'a [[u8; 4]]>,
        [left, top]: [usize; 2],
        cells: u32,
    ) {
        let cells = cells as usize;
        let rows = rows.flat_map(|row| repeat_n(row, cells));
        let rows_below = self.texels.chunks_exact_mut(self.columns).skip(top);
        for (row, row_below) in rows.zip(rows_below) {
            let texels = row.iter().flat_map(|&texel| repeat_n(texel, cells));
            for (texel, below) in texels.zip(&mut row_below[left..]) {
                if texel[3] >= least_alpha {
                    *below = over(texel, *below);
                }
            }
        }
    }

    /// Enlarges the grid to pixels.
    pub(crate) fn enlarge(&self, [width, height]: [u32; 2]) -> EnlargedGrid<'_> {
        EnlargedGrid {
            grid: Cow::Borrowed(self),
            widths: texel_widths(width, self.columns).collect(),
            heights: texel_widths(height, self.rows).collect(),
        }
    }

    /// Covers all texels that are not transparent with rectangles, from the top left corner, each
    /// first as wide and then as high as possible.
    pub(crate) fn into_rectangles(mut self) -> Vec<Rectangle> {
        let mut rectangles = Vec::new();
        for at in 0..self.texels.len() {
            let color = self.texels[at];
            if color[3] == 0 {
                continue;
            }
            let [x, y] = [at % self.columns, at / self.columns];
            let right = self.texels[at..(y + 1) * self.columns].iter();
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

impl<'a> EnlargedGrid<'a> {
    /// Adds margins of transparent texels, if there are any: before and after the columns, above
    /// and below the rows.
    pub(crate) fn with_margins(self, margins: [[u32; 2]; 2]) -> EnlargedGrid<'a> {
        if margins == [[0; 2]; 2] {
            return self;
        }
        let [[left, right], [top, bottom]] = margins;
        let mut grid = Grid::blank(self.grid.columns + 2, self.grid.rows + 2);
        grid.draw(self.grid.texels.chunks_exact(self.grid.columns), [1, 1], 1);
        EnlargedGrid {
            grid: Cow::Owned(grid),
            widths: once(left).chain(self.widths).chain(once(right)).collect(),
            heights: once(top).chain(self.heights).chain(once(bottom)).collect(),
        }
    }

    /// Returns the top left and the bottom right corner of a rectangle of texels in pixels.
    pub(crate) fn corners(&self, rectangle: &Rectangle) -> [[u32; 2]; 2] {
        let place = |[column, row]: [usize; 2]| {
            let across: u32 = self.widths[..column].iter().sum();
            let down: u32 = self.heights[..row].iter().sum();
            [across, down]
        };
        let end = [0, 1].map(|axis| rectangle.at[axis] + rectangle.size[axis]);
        [rectangle.at, end].map(place)
    }

    /// Draws rows of pixels, from this one on: straight RGBA.
    pub(crate) fn draw(&self, start: usize, pixels: &mut [[u8; 4]]) {
        let row_width = self.widths.iter().sum::<u32>() as usize;
        let rows = self.rows();
        let rows = rows.flat_map(|(texels, height)| repeat_n(texels, height as usize));
        for (mut row, texels) in pixels.chunks_exact_mut(row_width).zip(rows.skip(start)) {
            for (texel, width) in texels {
                let part = row.split_off_mut(..width as usize);
                part.expect("a row is as wide as its texels").fill(texel);
            }
        }
    }

    /// Rows of texels with their heights; each texel has its width. Empty rows are left out.
    pub(crate) fn rows(
        &self,
    ) -> impl Iterator<Item = (impl Iterator<Item = ([u8; 4], u32)> + Clone, u32)> {
        let rows = self.grid.texels.chunks_exact(self.grid.columns);
        let widths = self.widths.iter().copied();
        let rows = rows.map(move |row| row.iter().copied().zip(widths.clone()));
        let rows = rows.zip(self.heights.iter().copied());
        rows.filter(|(_, height)| *height > 0)
    }
}

/// Composites a visible straight color over an opaque one, or over nothing. All is rounded as by tiny-skia.
fn over([r, g, b, alpha]: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    if alpha == 255 || below[3] == 0 {
        return [r, g, b, alpha];
    }
    let mix =
        |upper, lower| multiplied(upper, alpha).saturating_add(multiplied(lower, 255 - alpha));
    [mix(r, below[0]), mix(g, below[1]), mix(b, below[2]), 255]
}

/// The number of pixels of a line that show each of its texels. A pixel shows the texel under its
/// center.
fn texel_widths(pixels: u32, texels: usize) -> impl Iterator<Item = u32> {
    let (pixels, texels) = (u64::from(pixels), texels as u64);
    // The first pixel whose center does not lie before the texel.
    let first = move |texel: u64| (2 * pixels * texel + texels - 1) / (2 * texels);
    let widths = (0..texels).map(move |texel| first(texel + 1) - first(texel));
    widths.map(|width| u32::try_from(width).expect("a texel is no wider than the line"))
}

/// Parts of the figure, seen from one side, on a grid of cells. On a skin 64 texels wide a cell is
/// one texel, on one twice as wide it is 2 x 2 texels, and so on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pane {
    /// The parts in painting order.
    parts: &'static [Part],
    /// The side that the viewer sees.
    face: Face,
    /// The column of cells where the figure begins, which is 16 texels wide.
    left: i32,
    /// The width and height of a texel in cells.
    cells: i32,
}

impl Pane {
    const fn new(parts: &'static [Part], face: Face, left: i32, cells: i32) -> Pane {
        Pane {
            parts,
            face,
            left,
            cells,
        }
    }

    /// Returns the column of texels where a part begins.
    fn column(&self, cuboid: &Cuboid) -> i32 {
        let [x, _, z] = cuboid.position;
        match self.face {
            Face::Front => x,
            Face::Back => WIDTH - x - cuboid.size[0].cast_signed(),
            // Every part is as deep in front of the middle as behind it.
            _ => WIDTH / 2 + z,
        }
    }
}

/// The width of the figure in texels.
const WIDTH: i32 = 16;

const LEFT_PARTS: [Part; 3] = [Part::Head, Part::LeftLeg, Part::LeftArm];
const RIGHT_PARTS: [Part; 3] = [Part::Head, Part::RightLeg, Part::RightArm];

pub(crate) const FACE: Pane = Pane::new(&[Part::Head], Face::Front, -4, 1);
pub(crate) const FIGURE: Pane = Pane::new(&BODY_PARTS, Face::Front, 0, 1);
/// The figure of a slim model without the columns beside its arms.
pub(crate) const SLIM_FIGURE: Pane = Pane::new(&BODY_PARTS, Face::Front, -1, 1);
pub(crate) const BACK: Pane = Pane::new(&BODY_PARTS, Face::Back, 0, 1);
pub(crate) const LEFT_SIDE: Pane = Pane::new(&LEFT_PARTS, Face::Left, 0, 1);
pub(crate) const RIGHT_SIDE: Pane = Pane::new(&RIGHT_PARTS, Face::Right, 0, 1);

/// The face, an empty column, and the figure.
pub(crate) const COMBO: [Pane; 2] = [
    Pane::new(&[Part::Head], Face::Front, -16, 4),
    Pane::new(&BODY_PARTS, Face::Front, 33, 1),
];

/// Draws one side of a skin on a grid of this many columns and rows of cells, without texels with
/// an alpha below this one. What lies outside is cut off.
pub(crate) fn compose(
    size: [usize; 2],
    panes: &[Pane],
    skin: &Skin,
    model: Model,
    layers: Layers,
    least_alpha: u8,
) -> Grid {
    let scale = skin.texels.scale as usize;
    let [columns, rows] = size.map(|cells| cells * scale);
    let mut grid = Grid::blank(columns, rows);
    for pane in panes {
        for part in pane.parts {
            let cuboid = part.cuboid(model);
            let x = pane.left + pane.column(&cuboid) * pane.cells;
            let y = cuboid.position[1] * pane.cells;
            let at = [x, y].map(|place| place.unsigned_abs() as usize * scale);
            for &layer in part.layers(layers) {
                let side = skin.texels.rows(cuboid.region(layer, pane.face));
                grid.draw_from_alpha(least_alpha, side, at, pane.cells.unsigned_abs());
            }
        }
    }
    grid
}

/// Returns the texture of a skin as a grid, with the overlay or without it.
pub(crate) fn layout(skin: &Skin, layers: Layers) -> Grid {
    let side = skin.side() as usize;
    let mut texels = skin.texels.clone();
    if layers == Layers::Base {
        for part in BODY_PARTS {
            let cuboid = part.cuboid(Model::Classic);
            for face in Face::ALL {
                let region = cuboid.region(Layer::Overlay, face);
                texels.update(region, |texel| *texel = [0; 4]);
            }
        }
    }
    Grid {
        columns: side,
        rows: side,
        texels: texels.all,
    }
}

#[cfg(test)]
mod tests {
    use tiny_skia::{IntSize, Pixmap, PixmapPaint, Transform};

    use super::*;
    use crate::PixelLayout;

    #[test]
    fn a_pixel_takes_the_texel_under_its_center() {
        let mut widest = [268_435_456; 8];
        widest[3] -= 1;
        let rows: [(u32, [u32; 8]); 6] = [
            (1, [0, 0, 0, 0, 1, 0, 0, 0]),
            (3, [0, 1, 0, 0, 1, 0, 1, 0]),
            (4, [0, 1, 0, 1, 0, 1, 0, 1]),
            (8, [1; 8]),
            (10, [1, 1, 2, 1, 1, 1, 2, 1]),
            (i32::MAX.unsigned_abs(), widest),
        ];
        for (pixels, expected) in rows {
            let widths: Vec<_> = texel_widths(pixels, 8).collect();
            assert_eq!(widths, expected, "{pixels}");
        }
    }

    #[test]
    fn pixels_are_those_of_tiny_skia() {
        // Every opacity over every channel, in columns of channels that vary.
        let opaque: Vec<[u8; 4]> = (0..=255)
            .map(|below| [below, 255 - below, 77, 255])
            .collect();
        for channel in [0, 1, 99, 128, 254, 255] {
            let above = (0..=255).flat_map(|alpha| vec![[channel, 200, alpha, alpha]; 256]);
            let mut ours = Grid::blank(600, 515);
            let mut theirs = Pixmap::new(600, 515).unwrap();
            for texels in [opaque.repeat(256), above.collect()] {
                ours.draw(texels.chunks_exact(256), [3, 0], 2);
                let layout = PixelLayout::RGBA.with_premultiplied(true);
                let texels = texels.into_iter().map(|texel| layout.pixel(texel));
                let texels: Vec<_> = texels.collect();
                let size = IntSize::from_wh(256, 256).unwrap();
                let texture = Pixmap::from_vec(texels.into_flattened(), size).unwrap();
                let place = Transform::from_row(2.0, 0.0, 0.0, 2.0, 3.0, 0.0);
                let paint = PixmapPaint::default();
                theirs.draw_pixmap(0, 0, texture.as_ref(), &paint, place, None);
            }
            let theirs = theirs.take_demultiplied();
            assert!(*ours.texels.as_flattened() == theirs, "{channel}");
        }
    }
}
