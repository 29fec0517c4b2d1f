//! The parameters of pictures.
//!
//! A picture consists of rectangles inside one another, each in the middle of the next one:
//!
//! 1. The *view* shows the player. Its full size is smaller if it has to lie inside the shape.
//! 2. The *frame* is the room for the view. Without the parameter, it is as large as the view.
//! 3. The *shape* is as large as the frame. A circle is as wide and as high as its longer side.
//! 4. The *padding* surrounds the shape. Its edge is the edge of the picture.

pub(crate) mod drawing;

use crate::picture::Picture;
use crate::skin::texels::LEAST_ALPHA;
use crate::{
    Angle, Camera, Crop, Decoration, Facing, Filter, Framing, Layers, Light, Model, Outline,
    Player, Pose, RenderError, Shape, Size, View,
};

/// The parameters of a picture except the player. Flat views have no camera, pose, light or cape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
#[non_exhaustive]
pub struct PictureSpec {
    /// The way of looking at the player.
    pub view: View,
    /// The width of the view; of [`View::Combo`], the height, and of [`Crop::Content`], the longer
    /// side.
    pub size: Size,
    /// The part of a figure that the picture shows.
    #[cfg_attr(feature = "serde", serde(default))]
    pub crop: Crop,
    /// The direction from which the figure is seen.
    pub camera: Camera,
    /// The positions of the limbs. Isometric views cut off limbs that reach beyond the picture;
    /// the other views make room for them.
    pub pose: Pose,
    /// The light that falls on the figure.
    pub light: Light,
    /// The direction of a soft light, relative to the player, as the yaw and the pitch of a viewer
    /// who stands at the light. By default, the light follows the viewer.
    #[cfg_attr(feature = "serde", serde(default))]
    pub light_from: Option<[Angle; 2]>,
    /// The brightness of the top, of the front and the back, of the sides, and of the bottom,
    /// which replaces the light: 255 is the skin's own.
    pub brightness: Option<[u8; 4]>,
    /// The way in which boxes become pixels.
    pub filter: Filter,
    /// The rule by which figures, portraits and cubes are enlarged and placed.
    pub framing: Framing,
    /// Shows the player's cape, if the player has one.
    #[cfg_attr(feature = "serde", serde(alias = "has_cape"))]
    pub cape: bool,
    /// Shows elytra in place of the cape, if the cape's texture has them.
    #[cfg_attr(feature = "serde", serde(default, alias = "has_elytra"))]
    pub elytra: bool,
    /// The layers of the skin.
    pub layers: Layers,
    /// Draws texels of the overlay whose alpha is less than a tenth of full opacity. The game
    /// doesn't draw them.
    #[cfg_attr(feature = "serde", serde(default))]
    pub faint_texels: bool,
    /// The model on which the skin is drawn. By default, it is the player's.
    pub model: Option<Model>,
    /// Turns the player upside down or upright, whatever the name. Flat views stay upright.
    #[cfg_attr(feature = "serde", serde(alias = "is_upside_down"))]
    pub upside_down: Option<bool>,
    /// Width and height of a transparent frame with the view in the middle. If the difference is
    /// odd, the extra pixel is on the right or at the bottom.
    pub frame: Option<[Size; 2]>,
    /// The line around the silhouette of each player. A view with a line is filtered by area,
    /// because Lanczos3 leaves specks around the silhouette.
    #[cfg_attr(feature = "serde", serde(default))]
    pub outline: Option<Outline>,
    /// The background, padding, shape and shadow.
    pub decoration: Decoration,
    /// Writes the name below each player of a group or a sheet. [`Player::with_label`] says which
    /// letters are drawn, and that long names are cut.
    #[cfg_attr(feature = "serde", serde(default, alias = "has_names"))]
    pub names: bool,
}

/// Defines the methods that change one parameter.
macro_rules! setters {
    ($($method:ident($field:ident: $type:ty),)*) => {
        impl PictureSpec {
            $(
                #[doc = concat!(
                    "Changes [`", stringify!($field), "`](field@Self::", stringify!($field), ").",
                )]
                pub fn $method(mut self, $field: impl Into<$type>) -> Self {
                    self.$field = $field.into();
                    self
                }
            )*
        }
    };
}

setters! {
    with_crop(crop: Crop),
    with_camera(camera: Camera),
    with_pose(pose: Pose),
    with_light(light: Light),
    with_light_from(light_from: Option<[Angle; 2]>),
    with_brightness(brightness: Option<[u8; 4]>),
    with_filter(filter: Filter),
    with_framing(framing: Framing),
    with_cape(cape: bool),
    with_elytra(elytra: bool),
    with_layers(layers: Layers),
    with_faint_texels(faint_texels: bool),
    with_model(model: Option<Model>),
    with_upside_down(upside_down: Option<bool>),
    with_frame(frame: Option<[Size; 2]>),
    with_outline(outline: Option<Outline>),
    with_decoration(decoration: Decoration),
    with_names(names: bool),
}

impl PictureSpec {
    /// A standing player with the overlay, without a frame. Isometric views face right, have
    /// neither light nor cape, and are filtered with Lanczos3, as in the specification; figures,
    /// portraits and cubes have soft light, the cape, area coverage and [`Camera::DEFAULT`].
    pub const fn new(view: View, size: Size) -> PictureSpec {
        let plain = PictureSpec {
            view,
            size,
            crop: Crop::Full,
            camera: Camera::Isometric(Facing::Right),
            pose: Pose::STRAIGHT,
            light: Light::None,
            light_from: None,
            brightness: None,
            filter: Filter::Lanczos3,
            framing: Framing::Pose,
            cape: false,
            elytra: false,
            layers: Layers::WithOverlay,
            faint_texels: false,
            model: None,
            upside_down: None,
            frame: None,
            outline: None,
            decoration: Decoration::NONE,
            names: false,
        };
        if !view.is_free() {
            return plain;
        }
        PictureSpec {
            camera: Camera::DEFAULT,
            pose: Pose::STAND,
            light: Light::Soft,
            filter: Filter::Area,
            cape: true,
            ..plain
        }
    }

    /// Changes the camera to the isometric one, with the player facing this way.
    pub const fn with_facing(self, facing: Facing) -> PictureSpec {
        let camera = Camera::Isometric(facing);
        PictureSpec { camera, ..self }
    }

    /// The shortest specification of the same picture. A figure that is cropped to the bust becomes
    /// a portrait, the outline has its width in pixels, and parameters without an effect have their
    /// defaults.
    pub const fn normalized(mut self) -> PictureSpec {
        let is_narrowed = matches!(self.crop, Crop::Content) && self.view.narrows();
        if !matches!(self.view, View::Figure) && !is_narrowed {
            self.crop = Crop::Full;
        }
        if matches!(self.crop, Crop::Bust) {
            self.view = View::Portrait;
            self.crop = Crop::Full;
        }
        if self.view.is_flat() || !matches!(self.light, Light::Soft) || self.brightness.is_some() {
            self.light_from = None;
        }
        let width = self.outline_width();
        if width == 0 {
            self.outline = None;
        }
        if let Some(outline) = &mut self.outline {
            outline.width = Some(width);
        }
        if self.outline.is_some() && !self.view.is_flat() {
            self.filter = Filter::Area;
        }
        self
    }

    /// Returns `true` if the picture can show the ground, on which a shadow falls.
    #[must_use]
    pub const fn shows_ground(&self) -> bool {
        let has_feet = !matches!(self.crop, Crop::Bust | Crop::Head);
        self.view.shows_ground() && (has_feet || !matches!(self.view, View::Figure))
    }

    /// Width in pixels. It may be more than a PNG can hold. With [`Crop::Content`], the picture may
    /// be narrower.
    #[must_use]
    pub fn width(&self) -> u64 {
        self.picture_size()[0]
    }

    /// Height in pixels. It may be more than a PNG can hold. With [`Crop::Content`], the picture
    /// may be lower.
    #[must_use]
    pub fn height(&self) -> u64 {
        self.picture_size()[1]
    }

    /// The picture of a player. Nothing is drawn before it is encoded.
    ///
    /// # Errors
    ///
    /// [`RenderError::TooLarge`] if no PNG can hold the picture, and [`RenderError::FrameTooSmall`]
    /// if the view does not fit into the frame.
    pub fn picture<'a>(&self, player: impl Into<Player<'a>>) -> Result<Picture<'a>, RenderError> {
        self.picture_with_room(player.into(), &[self.pose])
    }

    /// The width of the outline in pixels. It is 0 without an outline, or if the picture has no
    /// room for one.
    #[must_use]
    pub const fn outline_width(&self) -> u8 {
        match self.outline {
            Some(outline) => outline.width_in(self.size.get()),
            None => 0,
        }
    }

    /// Returns the least alpha with which texels of a skin are drawn.
    const fn least_alpha(&self) -> u8 {
        if self.faint_texels { 1 } else { LEAST_ALPHA }
    }

    /// Width and height of the picture.
    pub(crate) fn picture_size(&self) -> [u64; 2] {
        self.picture_size_around(self.full_view_size())
    }

    /// Width and height of the picture around a view of this full size.
    fn picture_size_around(&self, full_view_size: [u64; 2]) -> [u64; 2] {
        let mut size = self.frame_size_around(full_view_size);
        if self.decoration.shape == Shape::Circle {
            size = [size[0].max(size[1]); 2];
        }
        let padding = 2 * u64::from(self.decoration.padding);
        size.map(|side| side + padding)
    }

    /// Width and height of the frame.
    pub(crate) fn frame_size(&self) -> [u64; 2] {
        self.frame_size_around(self.full_view_size())
    }

    /// Width and height of the frame around a view of this full size.
    fn frame_size_around(&self, full_view_size: [u64; 2]) -> [u64; 2] {
        match self.frame {
            Some(frame) => frame.map(|side| side.get().into()),
            None => full_view_size,
        }
    }

    /// Width and height of the view, which is smaller than its full size if it would not fit into
    /// the shape otherwise.
    fn view_size_in_shape(&self, full_view_size: [u64; 2]) -> [u64; 2] {
        let is_plain = self.decoration.padding == 0 && self.outline_width() == 0;
        let fills_shape = matches!(self.view, View::Face | View::Bust) && is_plain;
        if fills_shape || self.frame.is_some() {
            return full_view_size;
        }
        let shape = self.decoration.shape;
        shape.fitted(full_view_size, self.picture_size_around(full_view_size))
    }

    /// Width and height of the view if nothing makes it smaller.
    pub(crate) fn full_view_size(&self) -> [u64; 2] {
        let size = u64::from(self.size.get());
        match self.view {
            View::Figure if self.crop != Crop::Full => [size, size],
            View::Body if self.crop == Crop::Content => [size.div_ceil(2), size],
            View::Face | View::Bust | View::Layout => [size, size],
            View::IsometricHead | View::Portrait | View::Cube => [size, size],
            View::Body | View::BodyBack | View::BodyLeft | View::BodyRight | View::Figure => {
                [size, size * 2]
            }
            View::Combo => [size * 49 / 32, size],
            // Spec, "Render details": round(size * 2.04), in whole numbers.
            View::IsometricBody => [size, (size * 204 + 50) / 100],
        }
    }
}

/// Returns a width and height that a PNG can hold.
pub(crate) fn checked([width, height]: [u64; 2]) -> Result<[u32; 2], RenderError> {
    match (u32::try_from(width), u32::try_from(height)) {
        (Ok(width), Ok(height)) if width.max(height) <= Size::MAX => Ok([width, height]),
        _ => Err(RenderError::TooLarge { width, height }),
    }
}
