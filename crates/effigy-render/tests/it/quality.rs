//! The quality of isometric pictures against ideal ones. `benches/examples/psnr.rs` measures every skin.

use crate::support::{drawn, psnr};

use crate::support::straightforward::Frame;

/// Sizes that share a working canvas, and the decibels that their pictures must reach. The largest are
/// the worst, since the canvas is only a little wider than the picture.
const HEADS: &[(u32, f64)] = &[
    (32, 48.0),
    (64, 46.0),
    (100, 45.0),
    (128, 45.0),
    (200, 43.0),
];

const BODIES: &[(u32, f64)] = &[(32, 46.0), (64, 45.0), (128, 43.0)];

#[test]
fn pictures_come_near_the_ideal() {
    for (frame, table, finer) in [(Frame::Head, HEADS, 8), (Frame::Body, BODIES, 4)] {
        for name in ["knight", "fox"] {
            let skin = drawn::worn(fixtures::skin(name));
            let sizes: Vec<u32> = table.iter().map(|row| row.0).collect();
            let found = psnr::psnr(frame, &skin, &sizes, finer);
            for ((size, least), found) in table.iter().zip(found) {
                assert!(found >= *least, "{name}, {frame:?} {size}: {found:.1} dB");
            }
        }
    }
}
