//! The pictures that responses should show, drawn by the renderer itself.

use effigy_render::{
    Facing, Filter, ImageFormat, Layers, Light, Model, PictureSpec, Size, Skin, View,
};
use fixtures::Fixture;

/// A picture that an endpoint gives.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Picture {
    /// The texture itself.
    Skin,
    Drawn(PictureSpec, ImageFormat),
}

impl From<PictureSpec> for Picture {
    fn from(spec: PictureSpec) -> Self {
        Self::Drawn(spec, ImageFormat::Png)
    }
}

impl Picture {
    /// The file that the renderer makes of a skin.
    pub(crate) fn of(self, fixture: &Fixture) -> Vec<u8> {
        let Self::Drawn(spec, format) = self else {
            return fixture.png.to_vec();
        };
        let model = if fixture.slim {
            Model::Slim
        } else {
            Model::Classic
        };
        let skin = Skin::decode(fixture.png, model).unwrap();
        spec.picture(&skin).unwrap().encode(format).unwrap()
    }
}

pub(crate) fn skin_of(player: &str) -> &'static str {
    fixtures::player(player).skin().unwrap().name
}

pub(crate) fn of_view(view: View, pixels: u32) -> PictureSpec {
    PictureSpec::new(view, Size::new(pixels).unwrap())
}

pub(crate) fn head(layers: Layers, size: u32) -> PictureSpec {
    of_view(View::Face, size).with_layers(layers)
}

pub(crate) fn player(layers: Layers, size: u32) -> PictureSpec {
    of_view(View::Body, size).with_layers(layers)
}

pub(crate) fn bust(layers: Layers, size: u32) -> PictureSpec {
    of_view(View::Bust, size).with_layers(layers)
}

pub(crate) fn combo(layers: Layers, size: u32) -> PictureSpec {
    of_view(View::Combo, size).with_layers(layers)
}

pub(crate) fn ioshead(facing: Facing, size: u32) -> PictureSpec {
    of_view(View::IsometricHead, size).with_facing(facing)
}

/// The picture of `/avatar` and `/iosbody`.
pub(crate) fn avatar(facing: Facing, size: u32) -> PictureSpec {
    of_view(View::IsometricBody, size).with_facing(facing)
}

/// The picture as the paths under `/v1/` draw it: by area coverage.
pub(crate) fn area(spec: PictureSpec) -> PictureSpec {
    let spec = spec.with_filter(Filter::Area);
    if spec.view.is_isometric() {
        return spec.with_light(Light::Soft);
    }
    spec
}

pub(crate) const fn svg(spec: PictureSpec) -> Picture {
    Picture::Drawn(spec, ImageFormat::Svg)
}

/// Every endpoint that gives a picture, with its path for an input and a size.
pub(crate) fn pictures(input: &str, size: u32) -> [(Picture, String); 7] {
    let (hat, right) = (Layers::WithOverlay, Facing::Right);
    let (head, player) = (head(Layers::Base, size), player(hat, size));
    let (body, ioshead) = (avatar(right, size), ioshead(right, size));
    [
        (head.into(), format!("/head/{input}/{size}")),
        (player.into(), format!("/player/{input}/{size}/hat")),
        (body.into(), format!("/avatar/{input}/right/{size}")),
        (ioshead.into(), format!("/ioshead/{input}/right/{size}")),
        (body.into(), format!("/iosbody/{input}/right/{size}")),
        (Picture::Skin, format!("/skin/{input}")),
        (Picture::Skin, format!("/download/{input}")),
    ]
}

/// The messages of the endpoints, as [`pictures`] lists them.
pub(crate) const ERRORS: [&str; 7] = [
    "Failed to render head",
    "Failed to render player",
    "Failed to render avatar",
    "Failed to render iOS head",
    "Failed to render iOS body",
    "Failed to get skin",
    "Failed to download skin",
];
