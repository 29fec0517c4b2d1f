//! The pictures that responses should show, drawn by the renderer itself.

use effigy_render::{
    Facing, Filter, ImageFormat, Layers, Light, Model, PictureSpec, Size, Skin, View,
};
use fixtures::Fixture;

/// A picture that an endpoint gives.
#[derive(Debug, Clone, Copy)]
pub enum Picture {
    /// The texture itself.
    Skin,
    /// A file of the renderer in this format.
    Drawn(PictureSpec, ImageFormat),
}

impl From<PictureSpec> for Picture {
    fn from(spec: PictureSpec) -> Self {
        Self::Drawn(spec, ImageFormat::Png)
    }
}

impl Picture {
    /// The file that the renderer makes of a skin.
    ///
    /// # Panics
    ///
    /// When the renderer refuses it.
    #[must_use]
    pub fn of(self, fixture: &Fixture) -> Vec<u8> {
        let Self::Drawn(spec, format) = self else {
            return fixture.png.to_vec();
        };
        let model = if fixture.slim {
            Model::Slim
        } else {
            Model::Classic
        };
        let skin = Skin::decode(fixture.png, model).expect("the skins of the fixtures are valid");
        let picture = spec.picture(&skin).expect("the picture can be drawn");
        picture.encode(format).expect("the picture fits the format")
    }
}

/// The name of the skin that a player of the fixtures wears.
///
/// # Panics
///
/// When the player wears none.
#[must_use]
pub fn skin_of(player: &str) -> &'static str {
    let skin = fixtures::player(player).skin();
    skin.expect("the player wears a skin").name
}

/// A picture of this view and size, with the defaults of the renderer.
///
/// # Panics
///
/// When the size is 0.
pub fn of_view(view: View, pixels: u32) -> PictureSpec {
    let size = Size::new(pixels).expect("the size is not zero");
    PictureSpec::new(view, size)
}

/// The picture of `/head`.
pub fn head(layers: Layers, size: u32) -> PictureSpec {
    of_view(View::Face, size).with_layers(layers)
}

/// The picture of `/player`.
pub fn player(layers: Layers, size: u32) -> PictureSpec {
    of_view(View::Body, size).with_layers(layers)
}

/// The picture of `/v1/bust`.
pub fn bust(layers: Layers, size: u32) -> PictureSpec {
    of_view(View::Bust, size).with_layers(layers)
}

/// The picture of `/v1/combo`.
pub fn combo(layers: Layers, size: u32) -> PictureSpec {
    of_view(View::Combo, size).with_layers(layers)
}

/// The picture of `/ioshead`.
pub fn ioshead(facing: Facing, size: u32) -> PictureSpec {
    of_view(View::IsometricHead, size).with_facing(facing)
}

/// The picture of `/avatar` and `/iosbody`.
pub fn avatar(facing: Facing, size: u32) -> PictureSpec {
    of_view(View::IsometricBody, size).with_facing(facing)
}

/// The picture as the paths under `/v1/` draw it: by area coverage, and with soft light if it is
/// isometric.
pub fn as_under_v1(spec: PictureSpec) -> PictureSpec {
    let spec = spec.with_filter(Filter::Area);
    if spec.view.is_isometric() {
        return spec.with_light(Light::Soft);
    }
    spec
}

/// The picture as an SVG file.
#[must_use]
pub const fn svg(spec: PictureSpec) -> Picture {
    Picture::Drawn(spec, ImageFormat::Svg)
}

/// Every endpoint of the specification that gives a picture: the picture, and its path for an
/// input and a size.
#[must_use]
pub fn pictures(input: &str, size: u32) -> [(Picture, String); 7] {
    let head = head(Layers::Base, size).into();
    let player = player(Layers::WithOverlay, size).into();
    let body = avatar(Facing::Right, size).into();
    let isometric_head = ioshead(Facing::Right, size).into();
    [
        (head, format!("/head/{input}/{size}")),
        (player, format!("/player/{input}/{size}/hat")),
        (body, format!("/avatar/{input}/right/{size}")),
        (isometric_head, format!("/ioshead/{input}/right/{size}")),
        (body, format!("/iosbody/{input}/right/{size}")),
        (Picture::Skin, format!("/skin/{input}")),
        (Picture::Skin, format!("/download/{input}")),
    ]
}

/// The error messages of the endpoints, in the order of [`pictures`].
pub const ERRORS: [&str; 7] = [
    "Failed to render head",
    "Failed to render player",
    "Failed to render avatar",
    "Failed to render iOS head",
    "Failed to render iOS body",
    "Failed to get skin",
    "Failed to download skin",
];
