//! The arguments of `effigy render`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use effigy_render::{Facing, Size};

use super::{LogArgs, UpstreamArgs};

#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    /// The view to draw.
    pub(crate) view: ViewArg,
    /// One or more skin files or players. A player is a Java name or UUID, a Bedrock XUID, or a
    /// Bedrock gamertag after a dot.
    #[arg(required = true, value_name = "SKIN")]
    pub(crate) skins: Vec<String>,
    /// The width of the picture in pixels, or the height of a combo (default: 128, or 64 for ioshead
    /// and iosbody).
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(Size::MAX)))]
    pub(crate) size: Option<u32>,
    /// The direction in which the player of an isometric view looks.
    #[arg(long, value_enum, default_value = "right")]
    pub(crate) facing: FacingArg,
    /// Draw the overlay of a flat view. Isometric views have it by default.
    #[arg(long, visible_alias = "overlay", conflicts_with = "no_overlay")]
    pub(crate) hat: bool,
    /// Leave out the overlay of an isometric view. Flat views have none by default.
    #[arg(long)]
    pub(crate) no_overlay: bool,
    /// Write SVG instead of PNG, for flat views only. An output file that ends in .svg implies it.
    #[arg(long)]
    pub(crate) svg: bool,
    /// Draw a skin file on the slim model, whose arms are three texels wide. The model
    /// of a player is looked up.
    #[arg(long)]
    pub(crate) slim: bool,
    /// The file to write, or `-` for standard output (default: `<skin>_<view>.png`). For several
    /// pictures, the folder, which is created if it is missing (default: the current one).
    #[arg(long, short)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) upstream: UpstreamArgs,
    #[command(flatten)]
    pub(crate) log: LogArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewArg {
    /// The face.
    Head,
    /// The flat body.
    Player,
    /// The flat head and chest.
    Bust,
    /// The face next to the flat body.
    Combo,
    /// The isometric body.
    Avatar,
    /// The isometric head.
    Ioshead,
    /// The isometric body at half the default size.
    Iosbody,
    /// The unchanged texture.
    Skin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FacingArg {
    /// Toward the viewer, to the left of the picture.
    Left,
    /// Toward the viewer, to the right of the picture.
    Right,
    /// Away from the viewer, to the left of the picture.
    BackLeft,
    /// Away from the viewer, to the right of the picture.
    BackRight,
}

impl From<FacingArg> for Facing {
    fn from(facing: FacingArg) -> Self {
        match facing {
            FacingArg::Left => Self::Left,
            FacingArg::Right => Self::Right,
            FacingArg::BackLeft => Self::BackLeft,
            FacingArg::BackRight => Self::BackRight,
        }
    }
}
