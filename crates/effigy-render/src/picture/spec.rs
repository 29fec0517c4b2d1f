//! The parameters of pictures.

use std::ops::Range;

use crate::flat::{BACK, COMBO, FACE, FIGURE, LEFT_SIDE, Pane, RIGHT_SIDE, compose, layout};
use crate::picture::painter::strip_rows;
use crate::picture::{Drawing, Picture, Placed};
use crate::scene::Scene;
use crate::scene::figure::{self, Figure};
use crate::{
    Camera, Decoration, Facing, Filter, Framing, Layers, Light, Model, Place, Player, Pose,
    RenderError, Shape, Size, View,
};

/// Every parameter of a picture except the player. Flat views have no camera, pose, light or cape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
#[non_exhaustive]
pub struct PictureSpec {
    /// The way of looking at the player.
    pub view: View,
    /// The width of the view; of [`View::Combo`], the height.
    pub size: Size,
    /// The direction from which the figure is seen.
    pub camera: Camera,
    /// The positions of the limbs. What does not fit into an isometric view is cut off; the other
    /// views make room for it.
    pub pose: Pose,
    /// The light that falls on the figure.
    pub light: Light,
    /// The brightness of the top, of the front and the back, of the sides, and of the bottom, in
    /// place of that of the light: 255 is the skin's own.
    pub brightness: Option<[u8; 4]>,
    /// The way in which boxes become pixels.
    pub filter: Filter,
    /// The rule by which figures, portraits and cubes are enlarged and placed.
    pub framing: Framing,
    /// Shows the player's cape, if there is one.
    pub has_cape: bool,
    /// Shows the elytra of the cape's texture in place of the cape, if it has them.
    #[cfg_attr(feature = "serde", serde(default))]
    pub has_elytra: bool,
    /// The layers of the skin.
    pub layers: Layers,
    /// The model on which the skin is drawn, if it is not the player's.
    pub model: Option<Model>,
    /// Turns a figure, portrait or cube upside down or upright, whatever the player's name.
    pub is_upside_down: Option<bool>,
    /// Width and height of a transparent frame with the view in the middle. If the difference is
    /// odd, the extra pixel is on the right or at the bottom.
    pub frame: Option<[Size; 2]>,
    /// The background, padding, shape and shadow.
    pub decoration: Decoration,
    /// Writes the name below each player of a group or a sheet.
    #[cfg_attr(feature = "serde", serde(default))]
    pub has_names: bool,
}

/// Defines the methods that change one parameter.
macro_rules! setters {
    ($($method:ident($field:ident: $type:ty),)*) => {
        impl PictureSpec {
            $(
                #[doc = concat!("Changes [`", stringify!($field), "`](field@Self::", stringify!($field), ").")]
                pub fn $method(mut self, $field: impl Into<$type>) -> Self {
                    self.$field = $field.into();
                    self
                }
            )*
        }
    };
}

setters! {
    with_camera(camera: Camera),
    with_pose(pose: Pose),
    with_light(light: Light),
    with_brightness(brightness: Option<[u8; 4]>),
    with_filter(filter: Filter),
    with_framing(framing: Framing),
    with_cape(has_cape: bool),
    with_elytra(has_elytra: bool),
    with_layers(layers: Layers),
    with_model(model: Option<Model>),
    with_upside_down(is_upside_down: Option<bool>),
    with_frame(frame: Option<[Size; 2]>),
    with_decoration(decoration: Decoration),
    with_names(has_names: bool),
}

impl PictureSpec {
    /// A standing player with the overlay, without a frame. Isometric views face right, have
    /// neither light nor cape, and are filtered with Lanczos3, as in the specification; figures,
    /// portraits and cubes have soft light, the cape, area coverage and [`Camera::DEFAULT`].
    pub const fn new(view: View, size: Size) -> PictureSpec {
        let is_free = view.is_free();
        let (camera, pose, light, filter) = if is_free {
            (Camera::DEFAULT, Pose::STAND, Light::Soft, Filter::Area)
        } else {
            let camera = Camera::Isometric(Facing::Right);
            (camera, Pose::STRAIGHT, Light::None, Filter::Lanczos3)
        };
        PictureSpec {
            view,
            size,
            camera,
            pose,
            light,
            brightness: None,
            filter,
            framing: Framing::Pose,
            has_cape: is_free,
            has_elytra: false,
            layers: Layers::WithOverlay,
            model: None,
            is_upside_down: None,
            frame: None,
            decoration: Decoration::NONE,
            has_names: false,
        }
    }

    /// Changes the camera to the isometric one, with the player facing this way.
    pub const fn with_facing(self, facing: Facing) -> PictureSpec {
        let camera = Camera::Isometric(facing);
        PictureSpec { camera, ..self }
    }

    /// Width in pixels. It may be more than a PNG can hold.
    #[must_use]
    pub fn width(&self) -> u64 {
        self.outer()[0]
    }

    /// Height in pixels. It may be more than a PNG can hold.
    #[must_use]
    pub fn height(&self) -> u64 {
        self.outer()[1]
    }

    /// An upper estimate of the memory in bytes that encoding a picture as PNG takes: of one player
    /// for 1 column, of a group of as many players, or of a sheet of as many columns. Skins, the
    /// finished file and the poses that all renderers keep add to it.
    #[must_use]
    pub fn drawing_bytes(&self, columns: u64) -> u64 {
        /// Compression, and the divided boxes of a pose.
        const ONCE: u64 = 3 << 20;
        /// The faces of a player on the picture.
        const PLAYER: u64 = 192 << 10;
        /// The borders of the columns that are filtered, and rows before and after their
        /// compression.
        const COLUMN: u64 = 160;
        /// The filtered columns under the kernel of a pixel, of which skins with many texels have
        /// more.
        const ROW: u64 = 4 << 10;
        let [width, height] = self.outer();
        let width = (width + self.sheet_gap()).saturating_mul(columns);
        let rows = strip_rows(usize::try_from(width).unwrap_or(usize::MAX)) as u64;
        // The rows of the picture, those of one player's, and those of its view.
        let strips = rows.min(height).saturating_mul(width).saturating_mul(3 * 4);
        ONCE.saturating_add(columns.saturating_mul(PLAYER))
            .saturating_add(width.saturating_mul(COLUMN))
            .saturating_add(rows.min(height) * ROW)
            .saturating_add(strips)
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

    /// The picture of a player, with room for all these poses.
    pub(crate) fn picture_with_room<'a>(
        &self,
        player: Player<'a>,
        poses: &[Pose],
    ) -> Result<Picture<'a>, RenderError> {
        let view = checked(self.inner())?;
        let size = checked(self.outer())?;
        let [width, height] = self.frame.map_or(view, |frame| frame.map(Size::get));
        let place = Place {
            x: (size[0] - width) / 2,
            y: (size[1] - height) / 2,
            width,
            height,
        };
        let view = self.view(player, poses, view, place, 0..size[1])?;
        Ok(Picture::composed(size, self.decoration, vec![view]))
    }

    fn is_upside_down(&self, player: Player<'_>) -> bool {
        self.view.is_free() && self.is_upside_down.unwrap_or(player.is_upside_down)
    }

    /// The view of a player in the middle of its place: of this width and height, and with room for
    /// these poses. A portrait without a frame goes on to the end of these rows instead of ending
    /// in the air, and to their start if it is upside down.
    pub(crate) fn view<'a>(
        &self,
        player: Player<'a>,
        poses: &[Pose],
        [width, height]: [u32; 2],
        place: Place,
        rows: Range<u32>,
    ) -> Result<Placed<'a>, RenderError> {
        if width > place.width || height > place.height {
            return Err(RenderError::FrameTooSmall {
                width,
                height,
                frame: [place.width, place.height],
            });
        }
        let left = place.x + (place.width - width) / 2;
        let top = place.y + (place.height - height) / 2;
        let is_cut = self.view == View::Portrait && self.frame.is_none();
        let shown = match (is_cut, self.is_upside_down(player)) {
            (true, false) => top..rows.end,
            (true, true) => rows.start..top + height,
            _ => top..top + height,
        };
        let size = [width, shown.end - shown.start];
        let drawing = self.drawing(player, poses, size);
        Ok(([left, shown.start], Picture { size, drawing }))
    }

    /// Returns the drawing of a player, of this width and height and with room for these poses.
    fn drawing<'a>(&self, player: Player<'a>, poses: &[Pose], size: [u32; 2]) -> Drawing<'a> {
        let model = self.model.unwrap_or(player.skin.model());
        let flat = |grid: [usize; 2], panes: &[Pane]| {
            Drawing::Flat(compose(grid, panes, player.skin, model, self.layers))
        };
        let body = match self.view {
            View::Face => return flat([8, 8], &[FACE]),
            View::Bust => return flat([16, 16], &[FIGURE]),
            View::Body => return flat([16, 32], &[FIGURE]),
            View::BodyBack => return flat([16, 32], &[BACK]),
            View::BodyLeft => return flat([16, 32], &[LEFT_SIDE]),
            View::BodyRight => return flat([16, 32], &[RIGHT_SIDE]),
            View::Combo => return flat([49, 32], &COMBO),
            View::Layout => return Drawing::Flat(layout(player.skin, self.layers)),
            View::IsometricHead | View::Cube => figure::HEAD,
            View::IsometricBody | View::Figure | View::Portrait => figure::WHOLE,
        };
        let shows_cape = self.has_cape && self.view.shows_cape();
        let viewer = self.camera.projection();
        let is_upside_down = self.is_upside_down(player);
        // Cosine and sine of the angle by which the model is turned to the right of the picture.
        let right = viewer.right.normalize();
        let upwards = if is_upside_down { -1.0 } else { 1.0 };
        let look = |pose: &Pose| self.posed(*pose).looking_at([right.x, right.z * upwards]);
        let poses = poses.iter().flat_map(|pose| match self.framing {
            Framing::Pose => vec![look(pose)],
            // The same from every yaw.
            _ => self.posed(*pose).looking_around().to_vec(),
        });
        let back = match player.cape.filter(|_| shows_cape) {
            Some(cape) if self.has_elytra && cape.has_elytra() => figure::ELYTRA,
            Some(_) => figure::CAPE,
            None => &[],
        };
        let figure = Figure {
            body,
            back,
            has_ears: self.view.is_free() && player.has_ears,
            model,
            layers: player.skin.visible_layers(self.layers, body),
            pose: look(&self.pose),
            is_upside_down,
        };
        // What has room on the back, whether it is there or not.
        let back = match self.has_elytra && self.framing == Framing::All {
            _ if body == figure::HEAD => &[],
            false if back != figure::ELYTRA => figure::CAPE,
            _ => figure::ELYTRA,
        };
        let framed = Figure { back, ..figure };
        let has_shadow = self.decoration.has_shadow && self.sees_ground(&figure);
        Drawing::Scene(Box::new(Scene {
            player,
            figure,
            projection: self.projection(&framed, &poses.collect::<Vec<_>>(), has_shadow, size),
            room: self.light.room(self.brightness, &viewer),
            filter: self.filter,
            camera: self.camera,
            has_shadow,
            size,
        }))
    }

    /// Width and height of the picture.
    pub(crate) fn outer(&self) -> [u64; 2] {
        let framed = self.framed();
        let padding = 2 * u64::from(self.decoration.padding);
        match self.decoration.shape {
            Shape::Circle => [framed[0].max(framed[1]); 2],
            _ => framed,
        }
        .map(|side| side + padding)
    }

    /// Width and height of the view with its frame.
    pub(crate) fn framed(&self) -> [u64; 2] {
        let frame = self.frame.map(|frame| frame.map(|side| side.get().into()));
        frame.unwrap_or(self.view_size())
    }

    /// Width and height of the view inside the frame, which may be smaller to fit into the shape.
    fn inner(&self) -> [u64; 2] {
        let fills = matches!(self.view, View::Face | View::Bust) && self.decoration.padding == 0;
        if fills || self.frame.is_some() {
            self.view_size()
        } else {
            self.decoration.shape.fitted(self.view_size(), self.outer())
        }
    }

    /// Width and height of the view where nothing makes it smaller.
    pub(crate) fn view_size(&self) -> [u64; 2] {
        let size = u64::from(self.size.get());
        match self.view {
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
