//! Isometric views: canvas, patches, resampling, mirror.

use crate::falls::{Column, Falls};
use crate::kernel::Shrink;
use crate::parts::{PAINT_ORDER, Part};
use crate::projection::{Frame, Projection};
use crate::render::{Render, height_of};
use crate::resample::{Columns, Rows};
use crate::sheet::{Run, Sheet};
use crate::sight::Sight;
use crate::view::{Facing, View};
use crate::{RenderError, Size, Skin, scene};

/// The head seen from an upper corner, overlay included: `size` x `size` pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IsometricHead {
    /// Width and height.
    pub size: Size,
    /// Which way the player looks.
    pub facing: Facing,
}

/// The whole figure seen from an upper corner, overlays included: `size` pixels wide and
/// `round(size * 2.04)` high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IsometricBody {
    /// Width.
    pub size: Size,
    /// Which way the player looks.
    pub facing: Facing,
}

const HEAD: Frame = Frame {
    parts: &[Part::Head],
    patches: scene::head,
    canvas: [2175, 2175],
};

const BODY: Frame = Frame {
    parts: &PAINT_ORDER,
    patches: scene::figure,
    canvas: [2500, 5100],
};

impl View for IsometricHead {
    fn width(&self) -> u32 {
        self.size.get()
    }

    fn height(&self) -> u64 {
        u64::from(self.size.get())
    }

    fn render<'skin>(&self, skin: &'skin Skin) -> Result<Render<'skin>, RenderError> {
        draw(self, &HEAD, self.facing, skin)
    }
}

impl View for IsometricBody {
    fn width(&self) -> u32 {
        self.size.get()
    }

    /// Spec, "Render details": round(size * 2.04), in whole numbers.
    fn height(&self) -> u64 {
        (u64::from(self.size.get()) * 204 + 50) / 100
    }

    fn render<'skin>(&self, skin: &'skin Skin) -> Result<Render<'skin>, RenderError> {
        draw(self, &BODY, self.facing, skin)
    }
}

fn draw<'skin>(
    view: &dyn View,
    frame: &'static Frame,
    facing: Facing,
    skin: &'skin Skin,
) -> Result<Render<'skin>, RenderError> {
    let (width, height) = (view.width(), height_of(view)?);
    let drawing = Isometric {
        frame,
        skin,
        facing,
        width,
        height,
    };
    Ok(Render::from_isometric(width, height, drawing))
}

/// An isometric picture that is yet to be drawn.
pub(crate) struct Isometric<'skin> {
    frame: &'static Frame,
    skin: &'skin Skin,
    facing: Facing,
    width: u32,
    height: u32,
}

/// The filtered columns of one strip take no more than this, but for pictures so wide that
/// [`STRIP_ROWS`] rows do.
const STRIP_BYTES: usize = 2 << 20;

/// The least height of a strip: every strip walks over all columns of the canvas.
const STRIP_ROWS: usize = 16;

impl Isometric<'_> {
    /// Draws the picture strip by strip. Each is a number of whole rows, straight RGBA, from the top.
    pub(crate) fn strips<E: From<RenderError>>(
        &self,
        mut take: impl FnMut(&[[u8; 4]]) -> Result<(), E>,
    ) -> Result<(), E> {
        let projection = Projection::new(self.frame, side(self.width));
        let canvas = Canvas::new(self.frame, self.skin, &projection);
        let across = Rows::new(Shrink {
            input: projection.width,
            output: self.width.into(),
        });
        let mut down = Shrink {
            input: projection.height,
            output: self.height.into(),
        }
        .windows();

        let pairs = usize::try_from(projection.width.div_ceil(2)).unwrap_or(usize::MAX);
        let rows = (STRIP_BYTES / 16 / pairs)
            .max(STRIP_ROWS)
            .min(self.height as usize);
        let mut columns = Columns::new(pairs, rows)?;
        let mut pixels = vec![[0; 4]; across.width() * rows];
        for start in (0..self.height).step_by(rows) {
            let end = self
                .height
                .min(start.saturating_add(u32::try_from(rows).unwrap_or(u32::MAX)));
            let falls = Falls::new(&mut down, start.into()..end.into());
            canvas.filter(&falls, rows, &mut columns);
            let strip = &mut pixels[..across.width() * falls.height()];
            strip.fill([0; 4]);
            across.filter(&columns, strip);
            if self.facing == Facing::Left {
                strip
                    .chunks_exact_mut(across.width())
                    .for_each(<[_]>::reverse);
            }
            take(strip)?;
        }
        Ok(())
    }
}

/// The working canvas, which is never made: its columns are filtered as they are found.
struct Canvas<'a> {
    skin: &'a Skin,
    projection: &'a Projection,
    /// Nearest first.
    sheets: Vec<Sheet>,
}

impl<'a> Canvas<'a> {
    fn new(frame: &Frame, skin: &'a Skin, projection: &'a Projection) -> Canvas<'a> {
        let sheets = (frame.patches)(skin.model())
            .iter()
            .rev()
            .map(|patch| Sheet::new(patch, skin, projection))
            .collect();
        Canvas {
            skin,
            projection,
            sheets,
        }
    }

    /// Filters every column of a strip.
    fn filter(&self, falls: &Falls, rows: usize, columns: &mut Columns) {
        let width = i64::try_from(self.projection.width).unwrap_or(i64::MAX);
        let mut sight = Sight::default();
        let mut runs = Vec::new();
        let mut pair = [Column::new(rows), Column::new(rows)];
        let mut drawn: Vec<&Sheet> = Vec::new();
        let mut until = 0;
        for x in 0..width {
            if x == until {
                until = self.sheets_at(x, &mut drawn);
            }
            let column = &mut pair[usize::from(x % 2 != 0)];
            if !drawn.is_empty() {
                self.look(x, &drawn, falls, &mut sight, &mut runs, column);
            }
            if x % 2 != 0 || x + 1 == width {
                let place = usize::try_from(x / 2).unwrap_or(usize::MAX);
                columns.set(place, &mut pair, falls.height());
            }
        }
    }

    /// Finds the sheets that cover a column. Returns the next column where others do.
    fn sheets_at<'s>(&'s self, x: i64, drawn: &mut Vec<&'s Sheet>) -> i64 {
        drawn.clear();
        drawn.extend(
            self.sheets
                .iter()
                .filter(|sheet| sheet.columns.contains(&x)),
        );
        let borders = self
            .sheets
            .iter()
            .flat_map(|s| [s.columns.start, s.columns.end]);
        borders
            .filter(|&border| border > x)
            .min()
            .unwrap_or(i64::MAX)
    }

    /// Looks down a column: what is seen of the sheets, nearest first.
    fn look(
        &self,
        x: i64,
        sheets: &[&Sheet],
        falls: &Falls,
        sight: &mut Sight,
        runs: &mut Vec<Run>,
        column: &mut Column,
    ) {
        let (centre, h) = self.projection.column(x);
        let mut edges = column.edges(falls);
        sight.clear(falls.rows.start, falls.rows.end);
        for sheet in sheets {
            let rows = sheet.rows(h);
            if sight.shows(&rows) {
                sheet.runs(centre, h, self.skin, runs);
                sight.lay(rows.start, runs, &mut edges);
            }
        }
    }
}

/// The working canvas' side for a picture of this width. Spec, "Render details": 60, doubled until
/// it reaches the size, and at least 120.
fn side(width: u32) -> u64 {
    let mut side = 120;
    while side < u64::from(width) {
        side *= 2;
    }
    side
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides() {
        let table = [
            (1, 120),
            (60, 120),
            (120, 120),
            (121, 240),
            (512, 960),
            (961, 1920),
        ];
        for (width, expected) in table {
            assert_eq!(side(width), expected, "{width}");
        }
    }
}
