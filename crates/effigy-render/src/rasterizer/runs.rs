//! Runs of one color along a column.

use std::ops::Range;

use wide::{f32x4, i32x4};

use crate::rasterizer::boundary::{Boundary, Rises};
use crate::rasterizer::line::{Slope, Steepness};
use crate::scene::light::{BRIGHTNESS_BITS, FULL};

/// Fractional bits of a color channel.
pub(crate) const COLOR_BITS: u32 = 4;

/// The colors of a face along a column, from top to bottom. From one column to the next, all of
/// them move up or down together.
#[derive(Default)]
pub(crate) struct Runs {
    start: Crossing,
    runs: Vec<Run>,
    /// The rise from one column to the next. It is 0 unless columns share the runs.
    pub(crate) slope: Slope,
    /// The `x` at which the runs have their positions.
    pub(crate) from: i64,
}

/// The place at which a line crosses the middle of a column.
#[derive(Clone, Copy, Default)]
pub(crate) struct Crossing {
    pub(crate) y: i64,
    pub(crate) steepness: Steepness,
}

/// A run of one color, from the end of the run above.
struct Run {
    end: Crossing,
    rgba: [u8; 4],
    paint: Paint,
}

/// A color in the form in which it is composited.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    /// The opaque color: channels up to 255 with [`COLOR_BITS`] fractional bits.
    pub(crate) color: f32x4,
    /// From 0 to 1.
    pub(crate) opacity: f32,
}

impl Crossing {
    /// Further down than any picture reaches, and still far from overflow.
    pub(crate) const FAR: Crossing = Crossing::level(1 << 61);

    /// A crossing at one height all over the column.
    pub(crate) const fn level(y: i64) -> Crossing {
        Crossing {
            y,
            steepness: Steepness::LEVEL,
        }
    }

    #[inline(always)]
    pub(crate) fn boundary(self, offset: i64, rises: Rises) -> Boundary {
        Boundary::new(self.y + offset, self.steepness, rises)
    }
}

impl Runs {
    /// Removes all runs. The next one begins at `start`.
    pub(crate) fn restart(&mut self, start: Crossing) {
        self.start = start;
        self.runs.clear();
    }

    /// Appends a run of a straight color in a light of this brightness, or extends the last one if
    /// the color is the same.
    pub(crate) fn push(&mut self, end: Crossing, rgba: [u8; 4], brightness: u16) {
        match self.runs.last_mut() {
            Some(last) if last.rgba == rgba => last.end = end,
            _ => self.runs.push(Run {
                end,
                rgba,
                paint: Paint::new(rgba, brightness),
            }),
        }
    }

    /// Removes transparent runs at both ends.
    pub(crate) fn trim(&mut self) {
        while self.runs.pop_if(|run| run.rgba[3] == 0).is_some() {}
        let is_transparent = |run: &&Run| run.rgba[3] == 0;
        let leading = self.runs.iter().take_while(is_transparent).count();
        if let Some(last) = self.runs.drain(..leading).next_back() {
            self.start = last.end;
        }
    }

    /// Returns the part of the column at `x` that the runs cover.
    pub(crate) fn range(&self, x: i64, rises: Rises) -> Range<Boundary> {
        let offset = self.slope.rise(x - self.from);
        let end = self.runs.last().map_or(self.start, |run| run.end);
        self.start.boundary(offset, rises)..end.boundary(offset, rises)
    }

    /// Returns the runs of the column at `x`, as the boundary after each and its paint.
    pub(crate) fn iter(&self, x: i64, rises: Rises) -> impl Iterator<Item = (Boundary, &Paint)> {
        let offset = self.slope.rise(x - self.from);
        let runs = self.runs.iter();
        runs.map(move |run| (run.end.boundary(offset, rises), &run.paint))
    }
}

impl Paint {
    fn new([r, g, b, alpha]: [u8; 4], brightness: u16) -> Paint {
        let lit = |channel: u8| i32::from(channel) * i32::from(brightness);
        let color = i32x4::new([lit(r), lit(g), lit(b), 255 * i32::from(FULL)]);
        Paint {
            color: (color >> (BRIGHTNESS_BITS - COLOR_BITS)).round_float(),
            opacity: f32::from(alpha) / 255.0,
        }
    }
}
