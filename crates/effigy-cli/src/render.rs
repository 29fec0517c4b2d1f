//! The arguments of `effigy render`.

use std::path::PathBuf;

use clap::{
    Args, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use effigy_render::{Facing, Model, Size, View};

use super::{
    DecorationArgs, LogArgs, SceneArgs, SkinsArgs, UPSTREAM_HEADING, UpstreamArgs, values,
};

/// The settings of `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// The view to draw.
    pub view: ViewArg,
    /// One or more skin files, folders of them, or players; `-` reads a skin from standard input. A
    /// player is a Java name or UUID, a Bedrock XUID, or a Bedrock gamertag after a dot.
    #[arg(required = true, value_name = "SKIN")]
    pub skins: Vec<String>,
    /// The width of the picture in pixels, or the height of a combo (default: 128, or 64 for ioshead
    /// and iosbody).
    #[arg(long, value_name = "PIXELS", value_parser = values::size, allow_negative_numbers = true)]
    pub size: Option<Size>,
    /// The direction in which the player of an isometric view looks (default: right).
    #[arg(long, value_parser = facing())]
    pub facing: Option<Facing>,
    /// The camera, pose, light and cape.
    #[command(flatten)]
    pub scene: SceneArgs,
    /// The surroundings.
    #[command(flatten)]
    pub decoration: DecorationArgs,
    /// Draw the overlay of a flat view. Other views have it by default.
    #[arg(long, visible_alias = "overlay", conflicts_with = "no_overlay")]
    pub hat: bool,
    /// Leave out the overlay. Flat views have none by default.
    #[arg(long)]
    pub no_overlay: bool,
    /// Write SVG instead of PNG. An output file that ends in .svg implies it.
    #[arg(long)]
    pub svg: bool,
    /// Draw on the slim model, whose arms are three texels wide (default: the player's model; for a
    /// skin file, slim if the file leaves the fourth column of the arms empty).
    #[arg(long, conflicts_with = "classic")]
    pub slim: bool,
    /// Draw on the classic model, whose arms are four texels wide.
    #[arg(long)]
    pub classic: bool,
    /// Draw a fallback skin if the Bedrock player does not exist, or an upstream service fails. Without
    /// this flag, both are errors.
    #[arg(long)]
    pub allow_fallback: bool,
    /// The operator's own skins.
    #[command(flatten)]
    pub skin_folder: SkinsArgs,
    /// The file to write, in the format of its extension, or `-` for standard output (default:
    /// `<skin>_<view>.png`). For several pictures, the folder, which is created if it is missing
    /// (default: the current one).
    #[arg(long, short)]
    pub output: Option<PathBuf>,
    /// The log.
    #[command(flatten)]
    pub log: LogArgs,
    /// The upstream services.
    #[command(flatten, next_help_heading = UPSTREAM_HEADING)]
    pub upstream: UpstreamArgs,
}

impl RenderArgs {
    /// Returns the model to draw on, or `None` for the skin's own.
    pub fn model(&self) -> Option<Model> {
        match (self.slim, self.classic) {
            (true, _) => Some(Model::Slim),
            (_, true) => Some(Model::Classic),
            _ => None,
        }
    }
}

/// A view, or the texture itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ViewArg {
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
    /// The whole player, from any side and in any pose.
    Figure,
    /// The head and chest, from any side and in any pose.
    Portrait,
    /// The head, from any side.
    Cube,
    /// The unchanged texture.
    Skin,
}

impl ViewArg {
    /// Returns the view to draw, or `None` for the texture.
    pub fn view(self) -> Option<View> {
        Some(match self {
            Self::Head => View::Head,
            Self::Player => View::Body,
            Self::Bust => View::Bust,
            Self::Combo => View::Combo,
            Self::Avatar | Self::Iosbody => View::IsometricBody,
            Self::Ioshead => View::IsometricHead,
            Self::Figure => View::Figure,
            Self::Portrait => View::Portrait,
            Self::Cube => View::HeadCube,
            Self::Skin => return None,
        })
    }

    /// Returns the word by which the view is given.
    #[must_use]
    pub fn word(self) -> String {
        let value = self.to_possible_value().expect("no view is hidden");
        value.get_name().to_owned()
    }

    /// Returns the default size.
    pub fn default_size(self) -> Size {
        match self {
            Self::Ioshead | Self::Iosbody => const { Size::new(64).expect("not zero") },
            _ => const { Size::new(128).expect("not zero") },
        }
    }
}

/// Parses a direction by the renderer's own words.
fn facing() -> impl TypedValueParser<Value = Facing> {
    let value = |facing: Facing| {
        PossibleValue::new(facing.as_str()).help(match facing {
            Facing::Left => "Toward the viewer, to the left of the picture",
            Facing::Right => "Toward the viewer, to the right of the picture",
            Facing::BackLeft => "Away from the viewer, to the left of the picture",
            Facing::BackRight => "Away from the viewer, to the right of the picture",
        })
    };
    PossibleValuesParser::new(Facing::ALL.map(value)).try_map(|word| word.parse::<Facing>())
}
