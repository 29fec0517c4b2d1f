//! The arguments of `effigy render`.

use std::path::PathBuf;

use clap::{
    ArgMatches, Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
    parser::ValueSource,
};
use effigy_render::{
    Angle, Camera, Decoration, Facing, Framing, Layers, Light, Model, NamedPose, PictureSpec,
    Shape, Size, View,
};

use super::{
    LogArgs, ProviderArgs, UPSTREAM_HEADING, UpstreamArgs,
    values::{angle, color, size, words},
};

/// The settings of `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// The view to draw.
    #[arg(value_parser = view())]
    pub view: ViewArg,
    /// One or more skin files, folders of them, or players; `-` reads a skin from standard input. A
    /// player is a Java name or UUID, a Bedrock XUID, or a Bedrock gamertag after a dot.
    #[arg(required = true, value_name = "SKIN")]
    pub inputs: Vec<String>,
    /// The width of the picture in pixels, or the height of a combo (default: 128, or 64 for ioshead
    /// and iosbody).
    #[arg(long, value_name = "PIXELS", value_parser = size, allow_negative_numbers = true)]
    pub size: Option<Size>,
    /// The direction in which the player of an isometric view looks: left and right are toward the viewer,
    /// back-left and back-right away from the viewer (default: right).
    #[arg(long, value_parser = words(&Facing::ALL.map(Facing::as_str), str::parse::<Facing>))]
    pub facing: Option<Facing>,
    /// The direction in which a figure, portrait or cube looks, from -180 to 180 degrees: 0 toward the
    /// viewer, 90 to the right of the picture (default: 25).
    #[arg(long, value_name = "DEGREES", value_parser = angle(180.0), allow_negative_numbers = true)]
    pub yaw: Option<Angle>,
    /// The height of the viewer of a figure, portrait or cube, from -90 to 90 degrees: 0 level with the
    /// player, 90 above (default: 10).
    #[arg(long, value_name = "DEGREES", value_parser = angle(90.0), allow_negative_numbers = true)]
    pub pitch: Option<Angle>,
    /// The pose of a figure, portrait or cube (default: stand).
    #[arg(long, value_parser = words(NamedPose::WORDS, str::parse::<NamedPose>))]
    pub pose: Option<NamedPose>,
    /// What a figure, portrait or cube is sized for: this pose from this side, or a turn (default: pose).
    #[arg(long, value_parser = words(Framing::WORDS, str::parse::<Framing>))]
    pub fit: Option<Framing>,
    /// The light of a view that is not flat (default: none for isometric views, else soft).
    #[arg(long, value_parser = words(Light::WORDS, str::parse::<Light>))]
    pub light: Option<Light>,
    /// The file of a cape, for a figure, a portrait or an isometric body. A figure or portrait of a player
    /// shows the player's own cape by default.
    #[arg(long, value_name = "FILE", conflicts_with = "no_cape")]
    pub cape: Option<PathBuf>,
    /// Leave out the player's cape.
    #[arg(long)]
    pub no_cape: bool,
    /// The color behind the picture: rrggbb, or rrggbbaa with an opacity (default: none).
    #[arg(long, value_name = "COLOR", value_parser = color)]
    pub background: Option<[u8; 4]>,
    /// The distance of the view from the edges in pixels, which adds to the size (default: 0).
    #[arg(long, value_name = "PIXELS", allow_negative_numbers = true)]
    pub padding: Option<u16>,
    /// The shape to which the picture is cut (default: square).
    #[arg(long, value_parser = words(Shape::WORDS, str::parse::<Shape>))]
    pub shape: Option<Shape>,
    /// Draw a soft shadow on the ground, for a figure or an isometric body.
    #[arg(long)]
    pub shadow: bool,
    /// Draw the overlay of a flat view. Other views have it by default.
    #[arg(long, visible_alias = "hat", conflicts_with = "no_overlay")]
    pub overlay: bool,
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
    /// The providers of skins.
    #[command(flatten)]
    pub providers: ProviderArgs,
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
    #[must_use]
    pub fn model(&self) -> Option<Model> {
        let slim = self.slim.then_some(Model::Slim);
        slim.or(self.classic.then_some(Model::Classic))
    }

    /// Returns the picture to draw, or `None` for the unchanged texture.
    #[must_use]
    pub fn spec(&self) -> Option<PictureSpec> {
        let view = self.view.view?;
        let layers = match (view.is_flat(), self.overlay, self.no_overlay) {
            (true, false, _) | (false, _, true) => Layers::Base,
            _ => Layers::WithOverlay,
        };
        let default = PictureSpec::new(view, self.size.unwrap_or(self.view.size));
        let camera = match default.camera {
            Camera::Orthographic { yaw, pitch } => Camera::Orthographic {
                yaw: self.yaw.unwrap_or(yaw),
                pitch: self.pitch.unwrap_or(pitch),
            },
            _ => Camera::Isometric(self.facing.unwrap_or_default()),
        };
        let has_cape = default.has_cape || self.cape.is_some();
        let spec = default
            .with_camera(camera)
            .with_pose(self.pose.unwrap_or_default())
            .with_framing(self.fit.unwrap_or_default())
            .with_light(self.light.unwrap_or(default.light))
            .with_cape(has_cape && !self.no_cape)
            .with_layers(layers)
            .with_decoration(Decoration {
                background: self.background,
                padding: self.padding.unwrap_or_default(),
                shape: self.shape.unwrap_or_default(),
                has_shadow: self.shadow,
            });
        Some(spec)
    }

    /// Finds an argument that would change nothing about the view or the unchanged texture, and says so.
    pub(crate) fn misplaced(&self, matches: &ArgMatches) -> Option<String> {
        let is_given = |id: &&&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let unknown = |has: fn(View) -> bool| !self.view.view.is_some_and(has);
        let mut rules = RULES.iter().filter(|(_, has, _)| unknown(*has));
        rules.find_map(|(ids, _, views)| {
            let flag = ids.iter().find(is_given)?.replace('_', "-");
            Some(format!("--{flag} is only for {views}"))
        })
    }
}

/// Arguments that only some views have, and the names of these views.
type Rule = (&'static [&'static str], fn(View) -> bool, &'static str);

#[rustfmt::skip]
const RULES: [Rule; 7] = [
    (&["size", "overlay", "no_overlay", "background", "padding", "shape"], |_| true, "views that are drawn; skin is the unchanged file"),
    (&["slim", "classic"], View::shows_arms, "views with arms"),
    (&["yaw", "pitch", "pose", "fit"], View::is_free, "figure, portrait and cube"),
    (&["cape", "no_cape"], View::shows_cape, "figure, portrait, avatar and iosbody"),
    (&["facing"], View::is_isometric, "isometric views"),
    (&["light"], |view| !view.is_flat(), "views that are not flat"),
    (&["shadow"], View::shows_ground, "figure, avatar and iosbody"),
];

/// A view, or the texture itself.
#[derive(Debug, Clone, Copy)]
pub struct ViewArg {
    /// The word by which it is given.
    pub word: &'static str,
    /// The view to draw, or `None` for the unchanged texture.
    pub view: Option<View>,
    /// The default size.
    pub size: Size,
}

const SMALL: Size = Size::new(64).expect("not zero");
const LARGE: Size = Size::new(128).expect("not zero");

/// The words for views, with their default sizes and their help.
#[rustfmt::skip]
const VIEWS: [(&str, Option<View>, Size, &str); 11] = [
    ("head", Some(View::Head), LARGE, "The face"),
    ("player", Some(View::Body), LARGE, "The flat body"),
    ("bust", Some(View::Bust), LARGE, "The flat head and chest"),
    ("combo", Some(View::Combo), LARGE, "The face next to the flat body"),
    ("avatar", Some(View::IsometricBody), LARGE, "The isometric body"),
    ("ioshead", Some(View::IsometricHead), SMALL, "The isometric head"),
    ("iosbody", Some(View::IsometricBody), SMALL, "The isometric body at half the default size"),
    ("figure", Some(View::Figure), LARGE, "The whole player, from any side and in any pose"),
    ("portrait", Some(View::Portrait), LARGE, "The head and chest, from any side and in any pose"),
    ("cube", Some(View::HeadCube), LARGE, "The head, from any side"),
    ("skin", None, LARGE, "The unchanged texture"),
];

fn view() -> impl TypedValueParser<Value = ViewArg> {
    let values = VIEWS.map(|(word, _, _, help)| PossibleValue::new(word).help(help));
    PossibleValuesParser::new(values).map(|given| {
        let found = VIEWS.into_iter().find(|(word, ..)| *word == given);
        let (word, view, size, _) = found.expect("no other word is possible");
        ViewArg { word, view, size }
    })
}
