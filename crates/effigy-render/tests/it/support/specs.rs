//! Picture specifications of every view.

use effigy_render::{Facing, Layers, PictureSpec, Size, View};

pub(crate) fn isometric(pixels: u32, facing: Facing, layers: Layers) -> [PictureSpec; 2] {
    [View::IsometricHead, View::IsometricBody].map(|view| {
        PictureSpec::new(view, Size::px(pixels))
            .with_facing(facing)
            .with_layers(layers)
    })
}

/// Head, body, bust, combo.
pub(crate) fn flat(pixels: u32, layers: Layers) -> [PictureSpec; 4] {
    [View::Face, View::Body, View::Bust, View::Combo]
        .map(|view| PictureSpec::new(view, Size::px(pixels)).with_layers(layers))
}

/// Flat and isometric views with the overlay.
pub(crate) fn all(pixels: u32) -> impl Iterator<Item = PictureSpec> {
    let layers = Layers::WithOverlay;
    let flat = flat(pixels, layers).into_iter();
    flat.chain(isometric(pixels, Facing::BackLeft, layers))
}
