//! What a request asks for, as a type: the picture, its cache key, and how it is drawn.

use std::{fmt::Write, io};

use effigy_render::{
    Body, Facing, Head, IsometricBody, IsometricHead, Layers, RenderError, Size, Skin, View,
};

use crate::{
    Drawing, Endpoint, Form, SizeParameter, drawing::facing_word, pool::bounded_file::BoundedFile,
};

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
            Self::Drawing(drawing) => drawing.sight.word(),
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
            | Self::Iosbody { facing, size } => write!(key, "{}_{size}", facing_word(*facing)),
            Self::Skin | Self::Download => write!(key, "default_default"),
            Self::Drawing(drawing) => write!(key, "{drawing}"),
        };
        debug_assert!(written.is_ok(), "writing to a string does not fail");
        key
    }

    /// The kind of file that it is.
    #[must_use]
    pub const fn form(&self) -> Form {
        match self {
            Self::Drawing(drawing) => drawing.form,
            _ => Form::Png,
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
        let Some(view) = self.view() else {
            return Ok(false);
        };
        let render = view.render(skin)?;
        match self.form() {
            Form::Png => render.write_png(to)?,
            Form::Svg => render.write_svg(to)?,
        }
        Ok(true)
    }

    /// Whether drawing takes so long that it is done while the picture is sent.
    #[must_use]
    pub fn is_long(&self) -> bool {
        let longest = match self {
            Self::Head { .. } | Self::Player { .. } => LONG_FLAT,
            // Whatever its size, it tells of the same few texels.
            _ if self.form() == Form::Svg => return false,
            _ => LONG,
        };
        let pixels = |view: Box<dyn View>| u64::from(view.width()).saturating_mul(view.height());
        self.view().is_some_and(|view| pixels(view) > longest)
    }

    /// Whether a picture of this size can exist, whatever the skin is: as a PNG at all, and as one
    /// that is short enough to be made.
    #[must_use]
    pub fn can_exist(&self) -> bool {
        if matches!(self, Self::Skin | Self::Download) {
            return true;
        }
        self.view().is_some_and(|view| {
            let (width, height) = (u64::from(view.width()), view.height());
            let longest = u64::from(Size::MAX);
            width <= longest && height <= longest && BoundedFile::may_hold(width * height)
        })
    }

    /// The renderer's view, where there is one to draw.
    fn view(&self) -> Option<Box<dyn View>> {
        Some(match *self {
            Self::Head { layers, size } => Box::new(Head {
                size: side(size, DEFAULT_SIZE)?,
                layers,
            }),
            Self::Player { layers, size } => Box::new(Body {
                size: side(size, DEFAULT_SIZE)?,
                layers,
            }),
            Self::Avatar { facing, size } => Box::new(IsometricBody {
                size: side(size, DEFAULT_SIZE)?,
                facing,
                layers: Layers::WithOverlay,
            }),
            Self::Ioshead { facing, size } => Box::new(IsometricHead {
                size: side(size, DEFAULT_IOS_SIZE)?,
                facing,
                layers: Layers::WithOverlay,
            }),
            Self::Iosbody { facing, size } => Box::new(IsometricBody {
                size: side(size, DEFAULT_IOS_SIZE)?,
                facing,
                layers: Layers::WithOverlay,
            }),
            Self::Skin | Self::Download => return None,
            Self::Drawing(drawing) => drawing.view(),
        })
    }
}

fn side(size: SizeParameter, default: u32) -> Option<Size> {
    size.or(default).and_then(Size::new)
}

fn option_word(layers: Layers) -> &'static str {
    match layers {
        Layers::Base => "default",
        Layers::WithOverlay => "hat",
    }
}
