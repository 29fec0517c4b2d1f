//! The arguments of what is around and behind a picture.

use clap::Args;
use effigy_render::{Decoration, Shape};

use super::values::{self, words};

#[derive(Debug, Args)]
pub(crate) struct DecorationArgs {
    /// The color behind the picture: rrggbb, or rrggbbaa with an opacity (default: none).
    #[arg(long, value_name = "COLOR", value_parser = values::color)]
    background: Option<[u8; 4]>,
    /// The distance of the view from the edges in pixels, which adds to the size.
    #[arg(long, value_name = "PIXELS", default_value_t = 0)]
    padding: u16,
    /// The shape to which the picture is cut (default: square).
    #[arg(long, value_parser = words(&Shape::ALL.map(Shape::as_str), str::parse::<Shape>))]
    shape: Option<Shape>,
    /// Draw a soft shadow on the ground, for a figure or an isometric body.
    #[arg(long)]
    pub(crate) shadow: bool,
}

impl DecorationArgs {
    pub(crate) fn decoration(&self) -> Decoration {
        Decoration {
            background: self.background,
            padding: self.padding,
            shape: self.shape.unwrap_or_default(),
            has_shadow: self.shadow,
        }
    }
}
