//! The texels of skins and capes.

use std::fmt;
use std::ops::Range;

use crate::Skin;
use crate::model::Region;

/// The least alpha of a texel that the game draws. Its shader discards texels with less than a
/// tenth of full opacity.
pub(crate) const LEAST_ALPHA: u8 = 26;

/// Texels in rows: straight RGBA.
#[derive(Clone)]
pub(crate) struct Texels {
    pub(crate) all: Vec<[u8; 4]>,
    /// Texels per texel of a skin that is 64 wide.
    pub(crate) scale: u32,
}

impl Texels {
    /// Width in texels.
    pub(crate) fn width(&self) -> usize {
        self.scale as usize * 64
    }

    /// The texels of a region, row by row.
    pub(crate) fn rows(&self, region: Region) -> impl Iterator<Item = &[[u8; 4]]> {
        self.ranges(region).map(|row| &self.all[row])
    }

    /// Calls a function with every texel of a region.
    pub(crate) fn update(&mut self, region: Region, update: impl Fn(&mut [u8; 4])) {
        for row in self.ranges(region) {
            for texel in &mut self.all[row] {
                update(texel);
            }
        }
    }

    /// Copies a region of the same width and height to another place, each row reversed.
    pub(super) fn copy_mirrored(&mut self, from: Region, to: Region) {
        for (row, mirrored) in self.ranges(from).zip(self.ranges(to)) {
            self.all.copy_within(row, mirrored.start);
            self.all[mirrored].reverse();
        }
    }

    /// The places of the rows of a region.
    fn ranges(&self, region: Region) -> impl Iterator<Item = Range<usize>> + use<> {
        let [[x, y], [width, height]] = region.scaled(self.scale);
        let side = self.width();
        (y..y + height).map(move |row| {
            let start = row * side + x;
            start..start + width
        })
    }
}

impl fmt::Debug for Texels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} texels wide", self.width())
    }
}

pub(super) const fn region(at: [u32; 2], size: [u32; 2]) -> Region {
    Region { at, size }
}

/// Returns `true` if textures can be this wide.
pub(super) fn is_width(width: u32) -> bool {
    width != 0 && width.is_multiple_of(64) && width <= Skin::MAX_WIDTH
}
