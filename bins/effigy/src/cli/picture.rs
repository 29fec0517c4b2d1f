//! The arguments of `effigy render`: which picture, of whom, and where to.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use effigy_render::{Facing, Size};

use super::{LogArgs, UpstreamArgs};

#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    /// What to draw.
    pub(crate) view: ViewArg,
    /// A skin file, or a player: a Java name or UUID, a Bedrock XUID, or a gamertag after a dot. Or
    /// several of them.
    #[arg(required = true, value_name = "SKIN")]
    pub(crate) skins: Vec<String>,
    /// The width in pixels, of combo the height (default: 128, or 64 for ioshead and iosbody).
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(Size::MAX)))]
    pub(crate) size: Option<u32>,
    /// To which side the player of an isometric view looks, towards the viewer or away.
    #[arg(long, value_enum, default_value = "right")]
    pub(crate) facing: FacingArg,
    /// Draw the overlay on a flat view; isometric ones have it anyway.
    #[arg(long, visible_alias = "overlay", conflicts_with = "no_overlay")]
    pub(crate) hat: bool,
    /// Draw an isometric view without the overlay; flat ones have none anyway.
    #[arg(long)]
    pub(crate) no_overlay: bool,
    /// Write SVG, which flat views can be; so does an output file that ends in .svg.
    #[arg(long)]
    pub(crate) svg: bool,
    /// The skin file has arms of three texels. A player's model is the player's own.
    #[arg(long)]
    pub(crate) slim: bool,
    /// Where to write the picture, `-` for standard output (default: `<skin>_<view>.png`); for several
    /// pictures a folder, which is made when missing (default: the current one).
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
    /// The face beside the flat body.
    Combo,
    /// The isometric body.
    Avatar,
    /// The isometric head.
    Ioshead,
    /// The isometric body, half as large.
    Iosbody,
    /// The texture as it is.
    Skin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FacingArg {
    /// Towards the viewer: the player's left side.
    Left,
    /// Towards the viewer: the player's right side.
    Right,
    /// Away from the viewer.
    BackLeft,
    /// Away from the viewer.
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
