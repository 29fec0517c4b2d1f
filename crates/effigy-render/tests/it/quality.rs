//! The quality of isometric pictures against ideal ones, which a canvas of many times the size stands for.
//! `benches/examples/psnr.rs` measures every size.

use crate::support::straightforward::{Look, working_side};
use crate::support::{drawn, psnr};
use effigy_render::View;

/// The least likeness of a picture with the ideal one, in decibels.
const IDEAL: f64 = 53.0;

/// The least likeness with what the specification's canvas gives. It is that canvas' own likeness with the ideal
/// at its worst, for a head as wide as the canvas' side.
const SPECIFIED: f64 = 35.0;

/// The side of the canvas of ideal pictures. It is as fine as it must be to tell pictures of 128 pixels from
/// better ones.
const FINE: u32 = 1920;

#[test]
fn pictures_come_near_the_ideal() {
    // The skins that are furthest from it.
    for (name, view) in [
        ("panda", View::IsometricHead),
        ("uv_slim", View::IsometricBody),
    ] {
        let (skin, look) = (drawn::worn(fixtures::skin(name)), Look::usual(view));
        let sizes = [32, 64, 100, 128];
        for (size, ideal) in sizes
            .into_iter()
            .zip(psnr::shrink(look, &skin, &sizes, FINE))
        {
            let found = psnr::likeness(&ideal, &psnr::render(look, &skin, size));
            assert!(found >= IDEAL, "{name}, {look:?} {size}: {found:.1} dB");
        }
    }
}

#[test]
fn pictures_are_near_the_specified_ones_and_nearer_to_the_ideal() {
    for name in [
        "uv_classic",
        "uv_slim",
        "uv_legacy",
        "ghost",
        "knight",
        "panda",
        "plain",
        "queen",
    ] {
        let skin = drawn::worn(fixtures::skin(name));
        for look in [View::IsometricHead, View::IsometricBody].map(Look::usual) {
            let sizes = [32, 64, 100, 120];
            let side = working_side(sizes[3]);
            let canvas = |side| psnr::shrink(look, &skin, &sizes, side);
            let (specified, ideal) = (canvas(side), canvas(side * 4));
            for (at, size) in sizes.into_iter().enumerate() {
                let picture = psnr::render(look, &skin, size);
                let likeness = psnr::likeness(&specified[at], &picture);
                let ours = psnr::likeness(&ideal[at], &picture);
                let theirs = psnr::likeness(&ideal[at], &specified[at]);
                assert!(
                    likeness >= SPECIFIED && ours > theirs,
                    "{name}, {look:?} {size}: {likeness:.1} dB to the canvas, which is {theirs:.1} dB from the \
                        ideal; the picture is {ours:.1} dB from it"
                );
            }
        }
    }
}
