//! What a request asks for, as a type: the picture, its cache key, and how it is drawn.

use std::{fmt::Write, io};

use effigy_render::{Facing, ImageFormat, Layers, PictureSpec, RenderError, Size, Skin, View};

use crate::{Drawing, Endpoint, SizeParameter, pool::bounded_file::BoundedFile};

/// More pixels than these make a long picture: a body of 2,900 pixels' width, a head of 4,100. A
/// processor draws that many in some tenths of a second.
const LONG: u64 = 1 << 24;

/// The same for flat pictures, whose rows repeat: a face of 65,536 pixels.
const LONG_FLAT: u64 = 1 << 32;

/// The last two parts of a key are never longer, with what joins the parts.
const LONGEST_REST: usize = 32;

/// The side of /head, /player and /avatar when none is given. Spec, "Limits".
const DEFAULT_SIZE: u32 = 128;

/// The side of /ioshead and /iosbody when none is given. Spec, "Limits".
const DEFAULT_IOS_SIZE: u32 = 64;

/// One picture of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// The flat face.
    Head {
        /// Whether the hat is worn.
        layers: Layers,
        /// The side.
        size: SizeParameter,
    },
    /// The flat body.
    Player {
        /// Whether the overlay is worn.
        layers: Layers,
        /// The width.
        size: SizeParameter,
    },
    /// The isometric body.
    Avatar {
        /// The side that is seen.
        facing: Facing,
        /// The width.
        size: SizeParameter,
    },
    /// The isometric head.
    Ioshead {
        /// The side that is seen.
        facing: Facing,
        /// The width.
        size: SizeParameter,
    },
    /// The isometric body with the other default size.
    Iosbody {
        /// The side that is seen.
        facing: Facing,
        /// The width.
        size: SizeParameter,
    },
    /// The unmodified texture.
    Skin,
    /// The unmodified texture, to be saved as a file.
    Download,
    /// What the specification does not have.
    Drawing(Drawing),
}

impl Picture {
    /// The endpoint that gives this picture.
    #[must_use]
    pub fn endpoint(&self) -> Endpoint {
        match self {
            Self::Head { .. } => Endpoint::Head,
            Self::Player { .. } => Endpoint::Player,
            Self::Avatar { .. } => Endpoint::Avatar,
            Self::Ioshead { .. } => Endpoint::Ioshead,
            Self::Iosbody { .. } => Endpoint::Iosbody,
            Self::Skin => Endpoint::Skin,
            Self::Download => Endpoint::Download,
            Self::Drawing(drawing) => drawing.endpoint(),
        }
    }

    /// Whether somebody else's skin may be shown where the player's own cannot be had. Spec, "Profile
    /// resolution" 3.
    pub(crate) const fn may_show_another(&self) -> bool {
        !matches!(self, Self::Drawing(_))
    }

    /// The cache key of this picture of the player that `input` names. Spec, "Common rules" 5.
    ///
    /// Two requests have one key only when they ask for the same picture: the last two parts
    /// hold no underscore, so nothing in the input can pass for them.
    #[must_use]
    pub fn cache_key(&self, input: &str) -> String {
        let word = match self {
            Self::Drawing(drawing) => drawing.word(),
            _ => self.endpoint().word(),
        };
        // Every request makes a key, so its text is written in one piece.
        let mut key = String::with_capacity(word.len() + input.len() + LONGEST_REST);
        key.extend([word, "_", input, "_"]);
        let written = match self {
            Self::Head { layers, size } | Self::Player { layers, size } => {
                write!(key, "{size}_{}", option_word(*layers))
            }
            Self::Avatar { facing, size }
            | Self::Ioshead { facing, size }
            | Self::Iosbody { facing, size } => write!(key, "{facing}_{size}"),
            Self::Skin | Self::Download => write!(key, "default_default"),
            Self::Drawing(drawing) => write!(key, "{drawing}"),
        };
        debug_assert!(written.is_ok(), "writing to a string does not fail");
        key
    }

    /// The format of its file.
    #[must_use]
    pub const fn format(&self) -> ImageFormat {
        match self {
            Self::Drawing(drawing) => drawing.format,
            _ => ImageFormat::Png,
        }
    }

    /// Draws the picture of `skin`; nothing for the pictures that are the texture itself.
    ///
    /// # Errors
    /// When the picture cannot exist, does not fit the memory or takes too long.
    pub fn draw(&self, skin: &Skin) -> Result<Option<Vec<u8>>, RenderError> {
        let mut file = BoundedFile::begin();
        let drawn = self.draw_to(skin, &mut file)?;
        Ok(drawn.then(|| file.into_bytes()))
    }

    /// The same to a writer, row by row; says whether there was anything to draw.
    pub(crate) fn draw_to(&self, skin: &Skin, to: &mut dyn io::Write) -> Result<bool, RenderError> {
        let Some(spec) = self.spec() else {
            return Ok(false);
        };
        spec.picture(skin)?.write(self.format(), to)?;
        Ok(true)
    }

    /// Whether drawing takes so long that it is done while the picture is sent.
    #[must_use]
    pub fn is_long(&self) -> bool {
        let longest = match self {
            Self::Head { .. } | Self::Player { .. } => LONG_FLAT,
            // Whatever its size, it tells of the same few texels.
            _ if self.format() == ImageFormat::Svg => return false,
            _ => LONG,
        };
        let pixels = |spec: PictureSpec| spec.width().saturating_mul(spec.height());
        self.spec().is_some_and(|spec| pixels(spec) > longest)
    }

    /// Whether a picture of this size can exist, whatever the skin is: as a PNG at all, and as one
    /// that is short enough to be made.
    #[must_use]
    pub fn can_exist(&self) -> bool {
        if matches!(self, Self::Skin | Self::Download) {
            return true;
        }
        self.spec().is_some_and(|spec| {
            let (width, height) = (spec.width(), spec.height());
            let longest = u64::from(Size::MAX);
            width <= longest && height <= longest && BoundedFile::may_hold(width * height)
        })
    }

    /// What the renderer is to draw; nothing for the texture itself.
    fn spec(&self) -> Option<PictureSpec> {
        let spec = |view, size: SizeParameter, default| {
            let size = size.or(default).and_then(Size::new)?;
            Some(PictureSpec::new(view, size))
        };
        match *self {
            Self::Head { layers, size } => {
                spec(View::Head, size, DEFAULT_SIZE).map(|spec| spec.with_layers(layers))
            }
            Self::Player { layers, size } => {
                spec(View::Body, size, DEFAULT_SIZE).map(|spec| spec.with_layers(layers))
            }
            Self::Avatar { facing, size } => {
                spec(View::IsometricBody, size, DEFAULT_SIZE).map(|spec| spec.with_facing(facing))
            }
            Self::Ioshead { facing, size } => spec(View::IsometricHead, size, DEFAULT_IOS_SIZE)
                .map(|spec| spec.with_facing(facing)),
            Self::Iosbody { facing, size } => spec(View::IsometricBody, size, DEFAULT_IOS_SIZE)
                .map(|spec| spec.with_facing(facing)),
            Self::Skin | Self::Download => None,
            Self::Drawing(drawing) => Some(drawing.spec),
        }
    }
}

fn option_word(layers: Layers) -> &'static str {
    match layers {
        Layers::Base => "default",
        Layers::WithOverlay => "hat",
    }
}
