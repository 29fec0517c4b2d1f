//! The views that the benchmarks measure, the straightforward pipeline to compare with, and the
//! traffic of simulations.

pub mod baseline;
pub mod traffic;

use effigy_render::{Layers, Model, PictureSpec, Size, Skin, View};

/// Widths in pixels: a list of players, a profile, a poster.
pub const WIDTHS: [u32; 3] = [64, 128, 512];

/// The pictures of one width, under the names that benchmarks and golden files use.
///
/// # Panics
///
/// Panics if no PNG can have the width.
pub fn views(width: u32) -> [(&'static str, PictureSpec); 6] {
    let size = Size::new(width).expect("a width that a PNG can have");
    let base = |view| PictureSpec::new(view, size).with_layers(Layers::Base);
    let overlay = |view| PictureSpec::new(view, size).with_layers(Layers::WithOverlay);
    [
        ("head", base(View::Face)),
        ("head_hat", overlay(View::Face)),
        ("player", base(View::Body)),
        ("player_hat", overlay(View::Body)),
        ("isometric_head", overlay(View::IsometricHead)),
        ("isometric_body", overlay(View::IsometricBody)),
    ]
}

/// The skin that all benchmarks draw: classic, with a rich overlay.
///
/// # Panics
///
/// Panics if the fixture is not a skin.
#[must_use]
pub fn skin() -> Skin {
    Skin::decode(fixtures::skin("knight").png, Model::Classic).expect("the fixture is a skin")
}
