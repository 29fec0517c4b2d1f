//! Legacy skins, twice as wide as high, in the modern layout.

use crate::model::Region;
use crate::skin::texels::Texels;

/// Fills the lower half of a legacy skin as the game does when it loads one.
pub(super) fn to_modern(texels: &mut Texels) {
    for (from, to) in COPIES {
        texels.copy_mirrored(region(from), region([to[0], to[1], from[2], from[3]]));
    }
    if has_blank_hat(texels) {
        texels.update(HAT, |texel| *texel = [0; 4]);
    }
}

/// Returns `true` for a hat of one opaque color, with which old editors filled the background.
fn has_blank_hat(texels: &Texels) -> bool {
    let mut hat = texels.rows(HAT).flatten();
    hat.next()
        .is_some_and(|first| first[3] == 255 && hat.all(|texel| texel == first))
}

/// The overlay of the head.
const HAT: Region = region([32, 0, 32, 16]);

/// The regions of the right limbs, `[x, y, width, height]`, and the place `[x, y]` of each on the left
/// limbs. Every face is mirrored, so the inner and outer faces change places.
const COPIES: [([i32; 4], [i32; 2]); 12] = [
    ([4, 16, 4, 4], [20, 48]),
    ([8, 16, 4, 4], [24, 48]),
    ([0, 20, 4, 12], [24, 52]),
    ([4, 20, 4, 12], [20, 52]),
    ([8, 20, 4, 12], [16, 52]),
    ([12, 20, 4, 12], [28, 52]),
    ([44, 16, 4, 4], [36, 48]),
    ([48, 16, 4, 4], [40, 48]),
    ([40, 20, 4, 12], [40, 52]),
    ([44, 20, 4, 12], [36, 52]),
    ([48, 20, 4, 12], [32, 52]),
    ([52, 20, 4, 12], [44, 52]),
];

const fn region([x, y, width, height]: [i32; 4]) -> Region {
    Region {
        x,
        y,
        width,
        height,
    }
}
