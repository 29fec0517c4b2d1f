//! Pictures: their parameters, and their pixels once they are encoded.

use std::io::Write;

use crate::flat::grid::Grid;
use crate::flat::layout::{self, Layout};
use crate::flat::svg;
use crate::frame::Frame;
use crate::rasterizer::strips::IsometricDrawing;
use crate::{Facing, ImageFormat, Layers, RenderError, Size, Skin, View, scene};

/// Every parameter of a picture except the skin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PictureSpec {
    /// The way of looking at the player.
    pub view: View,
    /// The width of the view; of [`View::Combo`], the height.
    pub size: Size,
    /// The direction in which the player of an isometric view looks. Flat views ignore it.
    pub facing: Facing,
    /// The layers of the skin.
    pub layers: Layers,
    /// Width and height of a transparent frame with the view in the middle. If the difference is odd,
    /// the extra pixel is on the right or at the bottom.
    pub frame: Option<[Size; 2]>,
}

impl PictureSpec {
    /// A picture with the overlay and without a frame, facing right if it is isometric.
    #[must_use]
    pub const fn new(view: View, size: Size) -> PictureSpec {
        PictureSpec {
            view,
            size,
            facing: Facing::Right,
            layers: Layers::WithOverlay,
            frame: None,
        }
    }

    /// The same picture facing another way.
    #[must_use]
    pub const fn with_facing(self, facing: Facing) -> PictureSpec {
        PictureSpec { facing, ..self }
    }

    /// The same picture with these layers.
    #[must_use]
    pub const fn with_layers(self, layers: Layers) -> PictureSpec {
        PictureSpec { layers, ..self }
    }

    /// The same picture in the middle of a transparent frame of this width and height.
    #[must_use]
    pub const fn with_frame(self, frame: [Size; 2]) -> PictureSpec {
        PictureSpec {
            frame: Some(frame),
            ..self
        }
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

    /// The picture of a skin. Nothing is drawn before it is encoded.
    ///
    /// # Errors
    ///
    /// [`RenderError::TooLarge`] if no PNG can hold the picture, and [`RenderError::FrameTooSmall`] if
    /// the view does not fit into the frame.
    pub fn picture<'skin>(&self, skin: &'skin Skin) -> Result<Picture<'skin>, RenderError> {
        let dimensions = self.dimensions()?;
        let outer = self.frame.map_or(dimensions, |frame| frame.map(Size::get));
        let frame = Frame::around(dimensions, outer)?;
        let flat = |layout: &Layout| Drawing::Flat(layout.compose(skin, self.layers));
        let isometric = |figure: &'static scene::figure::Figure| {
            Drawing::Isometric(figure.drawing(skin, dimensions, self.facing, self.layers))
        };
        let drawing = match self.view {
            View::Head => flat(&layout::HEAD),
            View::Bust => flat(&layout::BUST),
            View::Body => flat(&layout::BODY),
            View::Combo => flat(&layout::COMBO),
            View::IsometricHead => isometric(&scene::HEAD),
            View::IsometricBody => isometric(&scene::BODY),
        };
        Ok(Picture { frame, drawing })
    }

    /// Width and height of the picture.
    fn outer(&self) -> [u64; 2] {
        let frame = self.frame.map(|frame| frame.map(|side| side.get().into()));
        frame.unwrap_or(self.inner())
    }

    /// Width and height of the view inside the frame.
    fn inner(&self) -> [u64; 2] {
        let size = u64::from(self.size.get());
        match self.view {
            View::Head | View::Bust | View::IsometricHead => [size, size],
            View::Body => [size, size * 2],
            View::Combo => [size + size / 2, size],
            // Spec, "Render details": round(size * 2.04), in whole numbers.
            View::IsometricBody => [size, (size * 204 + 50) / 100],
        }
    }

    /// The same as pixels of a PNG.
    fn dimensions(&self) -> Result<[u32; 2], RenderError> {
        let [width, height] = self.inner();
        match (u32::try_from(width), u32::try_from(height)) {
            (Ok(width), Ok(height)) if width.max(height) <= Size::MAX => Ok([width, height]),
            _ => Err(RenderError::TooLarge { width, height }),
        }
    }
}

/// A fully specified picture that is drawn when it is encoded: straight 8-bit sRGB with alpha.
pub struct Picture<'skin> {
    pub(crate) frame: Frame,
    pub(crate) drawing: Drawing<'skin>,
}

/// The source of a picture's pixels.
pub(crate) enum Drawing<'skin> {
    /// A grid of texels, each enlarged to a block of pixels.
    Flat(Grid),
    /// Boxes on a canvas, seen from a corner.
    Isometric(IsometricDrawing<'skin>),
}

impl Picture<'_> {
    /// Width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.frame.outer[0]
    }

    /// Height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.frame.outer[1]
    }

    /// The picture as a file.
    ///
    /// # Errors
    ///
    /// Those of [`Picture::write`].
    pub fn encode(&self, format: ImageFormat) -> Result<Vec<u8>, RenderError> {
        let mut file = Vec::new();
        self.write(format, &mut file)?;
        Ok(file)
    }

    /// Writes the picture as a file. If the writer fails, drawing stops.
    ///
    /// # Errors
    ///
    /// Those of [`Picture::write_png`] or [`Picture::write_svg`].
    pub fn write(&self, format: ImageFormat, to: &mut dyn Write) -> Result<(), RenderError> {
        match format {
            ImageFormat::Png => self.write_png(to),
            ImageFormat::Svg => self.write_svg(to),
        }
    }

    /// The picture as an SVG file.
    ///
    /// # Errors
    ///
    /// [`RenderError::NotFlat`] if the view is isometric.
    pub fn encode_svg(&self) -> Result<Vec<u8>, RenderError> {
        self.encode(ImageFormat::Svg)
    }

    /// Writes a flat picture as an SVG file that looks like the PNG at the picture's size, and can be
    /// scaled. Its units are texels.
    ///
    /// # Errors
    ///
    /// [`RenderError::NotFlat`] if the view is isometric, and [`RenderError::Write`] with the writer's
    /// error.
    pub fn write_svg(&self, to: &mut dyn Write) -> Result<(), RenderError> {
        let Drawing::Flat(grid) = &self.drawing else {
            return Err(RenderError::NotFlat);
        };
        svg::write(grid, &self.frame, to).map_err(|source| RenderError::Write { source })
    }
}

impl std::fmt::Debug for Picture<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Picture")
            .field("width", &self.width())
            .field("height", &self.height())
            .finish_non_exhaustive()
    }
}
