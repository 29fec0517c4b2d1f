//! Flat views: faces of a player on a grid of texels.

mod grid;

pub(crate) use crate::flat::grid::{EnlargedGrid, Grid, Rectangle};

use crate::Skin;
use crate::model::{BODY_PARTS, Cuboid, Face, Layer, Layers, Model, Part};

/// A composition of faces on a grid of cells. On a skin 64 texels wide a cell is one texel, on one
/// twice as wide it is 2 x 2 texels, and so on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlatView {
    /// Columns and rows of cells.
    size: [usize; 2],
    panes: &'static [Pane],
}

/// Parts of a figure, seen from one side. The figure is 16 texels wide.
#[derive(Debug, Clone, Copy)]
struct Pane {
    /// The parts in painting order.
    parts: &'static [Part],
    /// The side that the viewer sees.
    face: Face,
    /// The column of cells at which the figure begins.
    left: i32,
    /// The width and height of a texel in cells.
    cells: i32,
}

/// The width of a figure in texels.
const FIGURE_WIDTH: i32 = 16;

/// The column at which the figure begins, so that its head begins at the first column.
const HEAD_FIRST: i32 = -4;

const LEFT_PARTS: [Part; 3] = [Part::Head, Part::LeftLeg, Part::LeftArm];
const RIGHT_PARTS: [Part; 3] = [Part::Head, Part::RightLeg, Part::RightArm];

const WHOLE: Pane = Pane::new(&BODY_PARTS, Face::Front, 0, 1);
const NARROW: Pane = Pane::new(&BODY_PARTS, Face::Front, -1, 1);

impl FlatView {
    pub(crate) const FACE: FlatView = FlatView::new(
        [8, 8],
        &[Pane::new(&[Part::Head], Face::Front, HEAD_FIRST, 1)],
    );

    pub(crate) const BUST: FlatView = FlatView::new([16, 16], &[WHOLE]);

    /// The bust of a slim model without the empty columns next to its arms.
    pub(crate) const NARROW_BUST: FlatView = FlatView::new([14, 16], &[NARROW]);

    pub(crate) const BODY: FlatView = FlatView::new([16, 32], &[WHOLE]);

    /// The body of a slim model without the empty columns next to its arms.
    pub(crate) const NARROW_BODY: FlatView = FlatView::new([14, 32], &[NARROW]);

    pub(crate) const BODY_BACK: FlatView =
        FlatView::new([16, 32], &[Pane::new(&BODY_PARTS, Face::Back, 0, 1)]);

    pub(crate) const BODY_LEFT: FlatView =
        FlatView::new([16, 32], &[Pane::new(&LEFT_PARTS, Face::Left, 0, 1)]);

    pub(crate) const BODY_RIGHT: FlatView =
        FlatView::new([16, 32], &[Pane::new(&RIGHT_PARTS, Face::Right, 0, 1)]);

    /// The face four times as large, an empty column, and the body.
    pub(crate) const COMBO: FlatView = FlatView::new(
        [49, 32],
        &[
            Pane::new(&[Part::Head], Face::Front, 4 * HEAD_FIRST, 4),
            Pane::new(&BODY_PARTS, Face::Front, 33, 1),
        ],
    );

    const fn new(size: [usize; 2], panes: &'static [Pane]) -> FlatView {
        FlatView { size, panes }
    }

    /// Draws the view of a skin, without texels whose alpha is less than `least_alpha`. Texels
    /// outside of the grid are cut off.
    pub(crate) fn compose(
        &self,
        skin: &Skin,
        model: Model,
        layers: Layers,
        least_alpha: u8,
    ) -> Grid {
        let scale = skin.texels.scale as usize;
        let [columns, rows] = self.size.map(|cells| cells * scale);
        let mut grid = Grid::blank(columns, rows);
        for pane in self.panes {
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

    /// Returns the column of texels at which a part begins.
    fn column(&self, cuboid: &Cuboid) -> i32 {
        let [x, _, z] = cuboid.position;
        match self.face {
            Face::Front => x,
            Face::Back => FIGURE_WIDTH - x - cuboid.size[0].cast_signed(),
            // Every part is as deep in front of the middle as behind it.
            _ => FIGURE_WIDTH / 2 + z,
        }
    }
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
