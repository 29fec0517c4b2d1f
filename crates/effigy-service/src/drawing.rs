//! Pictures beyond those of the specification: any view, with any layers, from any side.

use std::fmt;

use effigy_render::{
    Body, Bust, Combo, Facing, Framed, Head, IsometricBody, IsometricHead, Layers, Size, View,
};

use crate::{Endpoint, image::PNG};

/// A picture beyond those of the specification. Nobody stands in for anybody on it: where only a stand-in
/// could be had, that is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Drawing {
    /// What is seen.
    pub sight: Sight,
    /// Whether the overlay is worn.
    pub layers: Layers,
    /// The width; of [`Sight::Combo`], the height.
    pub size: Size,
    /// The width and height of a transparent frame around it.
    pub frame: Option<[Size; 2]>,
    /// What kind of file it is.
    pub form: Form,
}

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Form {
    /// Pixels.
    #[default]
    Png,
    /// Rectangles, which can be shown at any size. Only flat pictures are made of them.
    Svg,
}

impl Form {
    /// The media type.
    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Png => PNG,
            Self::Svg => "image/svg+xml",
        }
    }
}

/// What is seen of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sight {
    /// The flat face.
    Head,
    /// The flat head and chest.
    Bust,
    /// The flat body.
    Body,
    /// The face beside the flat body.
    Combo,
    /// The isometric head.
    IsometricHead(Facing),
    /// The isometric body.
    IsometricBody(Facing),
}

impl Sight {
    /// Whether it is flat, so that it is made of squares.
    #[must_use]
    pub const fn is_flat(self) -> bool {
        !matches!(self, Self::IsometricHead(_) | Self::IsometricBody(_))
    }
}

impl Drawing {
    /// A PNG without a frame.
    #[must_use]
    pub const fn new(sight: Sight, layers: Layers, size: Size) -> Self {
        Self {
            sight,
            layers,
            size,
            frame: None,
            form: Form::Png,
        }
    }

    /// The endpoint whose picture it is most like.
    pub(crate) const fn endpoint(self) -> Endpoint {
        match self.sight {
            Sight::Head => Endpoint::Head,
            Sight::Bust | Sight::Body | Sight::Combo => Endpoint::Player,
            Sight::IsometricHead(_) => Endpoint::Ioshead,
            Sight::IsometricBody(_) => Endpoint::Avatar,
        }
    }

    /// The renderer's view.
    pub(crate) fn view(self) -> Box<dyn View> {
        let Self {
            sight,
            layers,
            size,
            frame,
            form: _,
        } = self;
        match sight {
            Sight::Head => within(frame, Head { size, layers }),
            Sight::Bust => within(frame, Bust { size, layers }),
            Sight::Body => within(frame, Body { size, layers }),
            Sight::Combo => within(frame, Combo { size, layers }),
            Sight::IsometricHead(facing) => {
                let view = IsometricHead {
                    size,
                    facing,
                    layers,
                };
                within(frame, view)
            }
            Sight::IsometricBody(facing) => {
                let view = IsometricBody {
                    size,
                    facing,
                    layers,
                };
                within(frame, view)
            }
        }
    }
}

fn within(frame: Option<[Size; 2]>, view: impl View + 'static) -> Box<dyn View> {
    match frame {
        None => Box::new(view),
        Some([width, height]) => Box::new(Framed {
            view,
            width,
            height,
        }),
    }
}

impl Sight {
    /// The word that the keys of its pictures begin with. No specified path begins with such a word.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Head => "x-head",
            Self::Bust => "x-bust",
            Self::Body => "x-body",
            Self::Combo => "x-combo",
            Self::IsometricHead(_) => "x-isometric-head",
            Self::IsometricBody(_) => "x-isometric-body",
        }
    }
}

impl fmt::Display for Drawing {
    /// The last two parts of a cache key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_", self.size.get())?;
        if let Sight::IsometricHead(facing) | Sight::IsometricBody(facing) = self.sight {
            write!(f, "{}-", facing_word(facing))?;
        }
        f.write_str(match self.layers {
            Layers::Base => "base",
            Layers::WithOverlay => "overlay",
        })?;
        if let Some([width, height]) = self.frame {
            write!(f, "-in-{}x{}", width.get(), height.get())?;
        }
        match self.form {
            Form::Png => Ok(()),
            Form::Svg => f.write_str("-svg"),
        }
    }
}

/// The word for a side.
pub(crate) const fn facing_word(facing: Facing) -> &'static str {
    match facing {
        Facing::Left => "left",
        Facing::Right => "right",
        Facing::BackLeft => "back-left",
        Facing::BackRight => "back-right",
    }
}
