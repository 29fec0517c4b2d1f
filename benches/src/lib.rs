//! What the benchmarks measure: the table of views, and the straightforward pipeline to compare with.

pub mod baseline;

use effigy_render::{
    Body, Facing, Head, IsometricBody, IsometricHead, Layers, Model, Size, Skin, View,
};

/// Widths in pixels: a list of players, a profile, a poster.
pub const WIDTHS: [u32; 3] = [64, 128, 512];

/// A view under the name that benchmarks and golden files know it by.
pub type NamedView = (&'static str, Box<dyn View>);

/// Every view, at a width.
///
/// # Panics
///
/// Panics when the width is none that a PNG can have.
#[must_use]
pub fn views(width: u32) -> [NamedView; 6] {
    let size = Size::new(width).expect("a width that a PNG can have");
    let (base, overlay) = (Layers::Base, Layers::WithOverlay);
    let facing = Facing::Right;
    [
        ("head", Box::new(Head { size, layers: base })),
        (
            "head_hat",
            Box::new(Head {
                size,
                layers: overlay,
            }),
        ),
        ("player", Box::new(Body { size, layers: base })),
        (
            "player_hat",
            Box::new(Body {
                size,
                layers: overlay,
            }),
        ),
        (
            "isometric_head",
            Box::new(IsometricHead {
                size,
                facing,
                layers: overlay,
            }),
        ),
        (
            "isometric_body",
            Box::new(IsometricBody {
                size,
                facing,
                layers: overlay,
            }),
        ),
    ]
}

/// The skin that all benchmarks draw: classic, with a rich overlay.
///
/// # Panics
///
/// Panics when the fixture is no skin.
#[must_use]
pub fn skin() -> Skin {
    Skin::decode(fixtures::skin("knight").png, Model::Classic).expect("the fixture is a skin")
}
