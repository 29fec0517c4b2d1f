//! Every view, at a size.

use effigy_render::{
    Body, Bust, Combo, Facing, Head, IsometricBody, IsometricHead, Layers, Size, View,
};

pub(crate) fn size(pixels: u32) -> Size {
    Size::new(pixels).expect("a size of a table")
}

pub(crate) fn isometric(pixels: u32, facing: Facing, layers: Layers) -> [Box<dyn View>; 2] {
    let size = size(pixels);
    [
        Box::new(IsometricHead {
            size,
            facing,
            layers,
        }),
        Box::new(IsometricBody {
            size,
            facing,
            layers,
        }),
    ]
}

/// Head, body, bust, combo.
pub(crate) fn flat(pixels: u32, layers: Layers) -> [Box<dyn View>; 4] {
    let size = size(pixels);
    [
        Box::new(Head { size, layers }),
        Box::new(Body { size, layers }),
        Box::new(Bust { size, layers }),
        Box::new(Combo { size, layers }),
    ]
}
