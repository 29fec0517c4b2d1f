//! The pictures that responses should show, drawn by the renderer itself.

use effigy_render::{
    Cape, Facing, Filter, ImageFormat, Layers, Light, Model, PictureSpec, Player, Size, Skin, View,
};
use fixtures::Fixture;

/// A picture that an endpoint gives.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Picture {
    /// Without one, the picture is the texture itself.
    spec: Option<PictureSpec>,
    format: ImageFormat,
    /// `true` if the player wears the fixtures' cape.
    has_cape: bool,
    /// The endpoint's message when there is no picture.
    pub(crate) error: &'static str,
}

pub(crate) const SKIN: Picture = Picture {
    spec: None,
    format: ImageFormat::Png,
    has_cape: false,
    error: "Failed to get skin",
};

pub(crate) const DOWNLOAD: Picture = Picture {
    error: "Failed to download skin",
    ..SKIN
};

impl Picture {
    fn new(view: View, size: u32, error: &'static str) -> Self {
        let spec = PictureSpec::new(view, Size::new(size).unwrap());
        Self {
            error,
            ..Self::of_spec(spec)
        }
    }

    /// A picture under `/v1/`, which has no error message of its own.
    pub(crate) fn of_spec(spec: PictureSpec) -> Self {
        Self {
            spec: Some(spec),
            format: ImageFormat::Png,
            has_cape: false,
            error: "",
        }
    }

    pub(crate) fn with_cape(self) -> Self {
        Self {
            has_cape: true,
            ..self
        }
    }

    fn layers(self, layers: Layers) -> Self {
        let spec = self.spec.map(|spec| spec.with_layers(layers));
        Self { spec, ..self }
    }

    fn facing(self, facing: Facing) -> Self {
        let spec = self.spec.map(|spec| spec.with_facing(facing));
        Self { spec, ..self }
    }

    /// The file that the renderer makes of a skin.
    pub(crate) fn of(&self, fixture: &Fixture) -> Vec<u8> {
        let Some(spec) = self.spec else {
            return fixture.png.to_vec();
        };
        let model = if fixture.slim {
            Model::Slim
        } else {
            Model::Classic
        };
        let skin = Skin::decode(fixture.png, model).unwrap();
        let cape = Cape::decode(fixtures::cape()).unwrap();
        let mut player = Player::new(&skin);
        if self.has_cape {
            player = player.with_cape(&cape);
        }
        spec.picture(player).unwrap().encode(self.format).unwrap()
    }
}

pub(crate) fn head(layers: Layers, size: u32) -> Picture {
    Picture::new(View::Face, size, "Failed to render head").layers(layers)
}

pub(crate) fn player(layers: Layers, size: u32) -> Picture {
    Picture::new(View::Body, size, "Failed to render player").layers(layers)
}

pub(crate) fn bust(layers: Layers, size: u32) -> Picture {
    Picture::new(View::Bust, size, "Failed to render player").layers(layers)
}

pub(crate) fn combo(layers: Layers, size: u32) -> Picture {
    Picture::new(View::Combo, size, "Failed to render player").layers(layers)
}

pub(crate) fn ioshead(facing: Facing, size: u32) -> Picture {
    Picture::new(View::IsometricHead, size, "Failed to render iOS head").facing(facing)
}

pub(crate) fn avatar(facing: Facing, size: u32) -> Picture {
    Picture::new(View::IsometricBody, size, "Failed to render avatar").facing(facing)
}

pub(crate) fn iosbody(facing: Facing, size: u32) -> Picture {
    Picture::new(View::IsometricBody, size, "Failed to render iOS body").facing(facing)
}

/// The picture as the paths under `/v1/` draw it: by area coverage.
pub(crate) fn area(picture: Picture) -> Picture {
    let spec = picture.spec.map(|spec| match spec.view.is_isometric() {
        true => spec.with_filter(Filter::Area).with_light(Light::Soft),
        false => spec.with_filter(Filter::Area),
    });
    Picture { spec, ..picture }
}

pub(crate) fn svg(picture: Picture) -> Picture {
    let format = ImageFormat::Svg;
    Picture { format, ..picture }
}

pub(crate) fn without_overlay(picture: Picture) -> Picture {
    picture.layers(Layers::Base)
}
