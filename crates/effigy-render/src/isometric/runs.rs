//! What a patch shows in a column of the canvas: stretches of one colour, one below the other.

use wide::i32x4;

use crate::isometric::texel_edges::pixel;

/// Fractional bits of a colour.
pub(crate) const COLOR_BITS: u32 = 4;

/// The colours of a patch along a column, from top to bottom.
#[derive(Default)]
pub(crate) struct Strand {
    /// Where the first band begins, in lattice units.
    start: i64,
    bands: Vec<Band>,
}

/// A stretch of one colour, downwards from where the band before it ends.
pub(crate) struct Band {
    end: i64,
    straight: [u8; 4],
    pub(crate) paint: Paint,
}

/// A colour as it is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    /// As if it were opaque: of 255, with [`COLOR_BITS`] fractional bits.
    pub(crate) color: i32x4,
    /// How much of the light it takes, of 1.
    pub(crate) share: f32,
}

impl Strand {
    /// Forgets the bands. The next one begins at `start`.
    pub(crate) fn begin(&mut self, start: i64) {
        self.start = start;
        self.bands.clear();
    }

    /// Adds a band of a straight colour, or lengthens the last one where the colour goes on.
    pub(crate) fn push(&mut self, end: i64, straight: [u8; 4]) {
        match self.bands.last_mut() {
            Some(last) if last.straight == straight => last.end = end,
            _ => self.bands.push(Band {
                end,
                straight,
                paint: Paint::of(straight),
            }),
        }
    }

    /// Leaves out what is transparent at both ends.
    pub(crate) fn trim(&mut self) {
        while self.bands.pop_if(|band| band.is_clear()).is_some() {}
        let clear = self.bands.iter().take_while(|band| band.is_clear()).count();
        if let Some(last) = self.bands.drain(..clear).next_back() {
            self.start = last.end;
        }
    }

    /// Whether there is nothing to be seen.
    pub(crate) fn is_clear(&self) -> bool {
        self.bands.iter().all(Band::is_clear)
    }

    /// The first row of pixels and the row after the last one, with the strand so much lower.
    pub(crate) fn rows(&self, lower: i64) -> (i64, i64) {
        let end = self.bands.last().map_or(self.start, |band| band.end);
        (pixel(self.start + lower), pixel(end + lower))
    }

    /// The bands, and before which row of pixels each ends.
    pub(crate) fn bands(&self, lower: i64) -> impl Iterator<Item = (i64, &Paint)> {
        let bands = self.bands.iter();
        bands.map(move |band| (pixel(band.end + lower), &band.paint))
    }
}

impl Band {
    fn is_clear(&self) -> bool {
        self.straight[3] == 0
    }
}

impl Paint {
    fn of([r, g, b, alpha]: [u8; 4]) -> Paint {
        let color = i32x4::new([r.into(), g.into(), b.into(), 255]);
        Paint {
            color: color << COLOR_BITS,
            share: match alpha {
                u8::MAX => 1.0,
                _ => f32::from(alpha) / 255.0,
            },
        }
    }
}
