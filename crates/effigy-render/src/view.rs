//! What every view has in common.

use crate::model::Layer;
use crate::{Render, RenderError, Skin};

/// Which layers of a skin are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Layers {
    /// The body alone.
    #[default]
    Base,
    /// The body with the hat, jacket, sleeves and trousers over it.
    WithOverlay,
}

impl Layers {
    /// The layers, the lower one first.
    pub(crate) fn drawn(self) -> &'static [Layer] {
        match self {
            Layers::Base => &[Layer::Base],
            Layers::WithOverlay => &[Layer::Base, Layer::Overlay],
        }
    }
}

/// Which way the player of an isometric view looks: to the left or right on the picture, and towards
/// the viewer or away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Facing {
    /// Towards the viewer, to the left: the exact mirror image of [`Facing::Right`].
    Left,
    /// Towards the viewer, to the right: the viewer sees the player's front, right side and top.
    #[default]
    Right,
    /// Away from the viewer, to the left: the viewer sees the player's back, left side and top. It is
    /// [`Facing::Right`] after half a turn of the player.
    BackLeft,
    /// Away from the viewer, to the right: the exact mirror image of [`Facing::BackLeft`].
    BackRight,
}

impl Facing {
    /// Whether the picture is the mirror image of what is drawn.
    pub(crate) fn is_mirrored(self) -> bool {
        matches!(self, Facing::Left | Facing::BackRight)
    }

    /// The side of the player that is drawn.
    pub(crate) fn aspect(self) -> Aspect {
        match self {
            Facing::Left | Facing::Right => Aspect::Front,
            Facing::BackLeft | Facing::BackRight => Aspect::Back,
        }
    }
}

/// How a player stands before the viewer of an isometric view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aspect {
    /// Front, right side and top are seen.
    Front,
    /// After half a turn: back, left side and top.
    Back,
}

/// A way of looking at a player.
pub trait View: std::fmt::Debug {
    /// Width of the picture in pixels.
    fn width(&self) -> u32;

    /// Height of the picture in pixels. It may be more than a PNG can hold.
    fn height(&self) -> u64;

    /// The picture of a skin, ready to be written.
    ///
    /// # Errors
    ///
    /// [`RenderError::TooLarge`] when no PNG can hold the picture, before any work.
    fn render<'skin>(&self, skin: &'skin Skin) -> Result<Render<'skin>, RenderError>;
}

impl<V: View + ?Sized> View for Box<V> {
    fn width(&self) -> u32 {
        (**self).width()
    }

    fn height(&self) -> u64 {
        (**self).height()
    }

    fn render<'skin>(&self, skin: &'skin Skin) -> Result<Render<'skin>, RenderError> {
        (**self).render(skin)
    }
}
