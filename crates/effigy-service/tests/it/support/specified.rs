//! The pictures of the specified paths.

use effigy_render::{Facing, Layers, PictureSpec, Size, View};
use effigy_service::{Endpoint, PictureParams};

const fn flat(endpoint: Endpoint, view: View, size: Option<u32>, layers: Layers) -> PictureParams {
    let mut spec = PictureSpec::new(view, Size::px(128));
    spec.layers = layers;
    PictureParams::specified(endpoint, spec, size)
}

const fn isometric(
    endpoint: Endpoint,
    (view, default): (View, u32),
    size: Option<u32>,
    facing: Facing,
) -> PictureParams {
    let spec = PictureSpec::new(view, Size::px(default)).with_facing(facing);
    PictureParams::specified(endpoint, spec, size)
}

pub(crate) const fn head(size: Option<u32>, layers: Layers) -> PictureParams {
    flat(Endpoint::Head, View::Face, size, layers)
}

pub(crate) const fn player(size: Option<u32>, layers: Layers) -> PictureParams {
    flat(Endpoint::Player, View::Body, size, layers)
}

pub(crate) const fn avatar(size: Option<u32>, facing: Facing) -> PictureParams {
    isometric(Endpoint::Avatar, (View::IsometricBody, 128), size, facing)
}

pub(crate) const fn ioshead(size: Option<u32>, facing: Facing) -> PictureParams {
    isometric(Endpoint::Ioshead, (View::IsometricHead, 64), size, facing)
}

pub(crate) const fn iosbody(size: Option<u32>, facing: Facing) -> PictureParams {
    isometric(Endpoint::Iosbody, (View::IsometricBody, 64), size, facing)
}
