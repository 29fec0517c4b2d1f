//! The arguments of the decoration of a picture.

use clap::Args;
use effigy_render::{Decoration, Shape};

use crate::values::{self, words};

/// The surroundings of a picture.
#[derive(Debug, Args)]
pub struct DecorationArgs {
    /// The color behind the picture: rrggbb, or rrggbbaa with an opacity (default: none).
    #[arg(long, value_name = "COLOR", value_parser = values::color)]
    background: Option<[u8; 4]>,
    /// The distance of the view from the edges in pixels, which adds to the size.
    #[arg(
        long,
        value_name = "PIXELS",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    padding: u16,
    /// The shape to which the picture is cut (default: square).
    #[arg(long, value_parser = words(&Shape::ALL.map(Shape::as_str), str::parse::<Shape>))]
    shape: Option<Shape>,
    /// Draw a soft shadow on the ground, for a figure or an isometric body.
    #[arg(long)]
    pub shadow: bool,
}

impl DecorationArgs {
    /// Returns the flag of a decoration other than the shadow, if one was given.
    pub fn first_given(&self) -> Option<&'static str> {
        let rows = [
            ("--background", self.background.is_some()),
            ("--padding", self.padding > 0),
            ("--shape", self.shape.is_some()),
        ];
        rows.into_iter()
            .find_map(|(flag, is_given)| is_given.then_some(flag))
    }

    /// Returns the decoration for the renderer.
    pub fn decoration(&self) -> Decoration {
        Decoration {
            background: self.background,
            padding: self.padding,
            shape: self.shape.unwrap_or_default(),
            has_shadow: self.shadow,
        }
    }
}
