//! The arguments of `effigy render`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Id};
use effigy_parameters::{Limits, PictureParameters, find_meant_view};
use effigy_render::{Facing, Filter, Framing, Light, Motion, NamedPose, PictureSpec, Shape, View};

use super::LogArgs;
use super::UpstreamArgs;
use super::values::parameter;

/// The settings of `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// The picture to draw.
    #[arg(value_name = "VIEW", value_parser = words_of(&VIEWS))]
    pub picture: String,
    /// Skin files, folders of them, or players; `-` is standard input.
    ///
    /// A player is a Java name or UUID, a Bedrock XUID, or a Bedrock gamertag after a dot.
    #[arg(required = true, value_name = "SKIN")]
    pub inputs: Vec<String>,
    /// The file, or for several pictures the folder; `-` is standard output.
    ///
    /// The format of a file is that of its extension. A missing folder is created. Without this, a picture goes to
    /// `<skin>_<view>.png` in the current folder, a group to `group.png` and a sheet to `sheet.png`.
    #[arg(long, short, alias = "out")]
    pub output: Option<PathBuf>,
    /// The width in pixels, or the height of a combo (default: 128).
    #[arg(long, short, value_name = "PIXELS", value_parser = parameter("size"))]
    #[arg(default_value_ifs([("picture", "ioshead", "64"), ("picture", "iosbody", "64")]))]
    pub size: Option<String>,
    /// Write SVG instead of PNG.
    ///
    /// An output file that ends in .svg implies it.
    #[arg(long)]
    pub svg: bool,
    /// Draw the Java player Steve in place of a Bedrock player who is unknown, has no skin, or cannot be looked up.
    ///
    /// Without this, all three are errors.
    #[arg(long)]
    pub allow_fallback: bool,
    /// The view of each player on a sheet (default: face).
    #[arg(long, value_parser = words_of(&VIEWS[..SINGLE]))]
    pub view: Option<String>,
    /// The number of columns of a sheet (default: as many as rows).
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub columns: Option<u32>,
    /// Write the name of each player on a group or a sheet; that of a skin file is the file's.
    #[arg(long)]
    pub names: bool,
    /// The direction in which an isometric player looks (default: right).
    ///
    /// Left and right are toward the viewer, back-left and back-right away from the viewer.
    #[arg(long, value_parser = PossibleValuesParser::new(Facing::WORDS))]
    pub facing: Option<String>,
    /// The direction in which a figure, portrait or cube looks (default: 25).
    ///
    /// From -360 to 360 degrees: 0 toward the viewer, 90 to the right of the picture.
    #[arg(long, value_name = "DEGREES", value_parser = parameter("yaw"))]
    pub yaw: Option<String>,
    /// The height of the viewer of a figure, portrait or cube (default: 16).
    ///
    /// From -90 to 90 degrees: 0 level with the player, 90 above.
    #[arg(long, value_name = "DEGREES", value_parser = parameter("pitch"))]
    pub pitch: Option<String>,
    /// The field of view of a figure, portrait or cube: 0 is none, 30 a quiet lens (default: 30).
    ///
    /// From 0 to 90 degrees: 0 is a view without perspective.
    #[arg(long, value_name = "DEGREES", value_parser = parameter("fov"))]
    pub fov: Option<String>,
    /// The pose of a figure, portrait or cube (default: stand).
    #[arg(long, value_parser = PossibleValuesParser::new(NamedPose::WORDS))]
    #[arg(default_value_if("animate", "true", "walk"))]
    pub pose: Option<String>,
    /// The moment of the pose's movement, from 0 to 1 (default: 0).
    #[arg(long, value_name = "PHASE", value_parser = parameter("phase"), requires = "pose")]
    pub phase: Option<String>,
    /// The rotation of the head over the pose: degrees about three axes.
    ///
    /// From -180 to 180 each: x moves the lower end of a limb to the back, y turns the front to the player's right, and z
    /// moves the lower end to the player's right. A part whose rotation is given does not move.
    #[arg(long, value_name = "X,Y,Z", value_parser = parameter("head"), allow_hyphen_values = true)]
    pub head: Option<String>,
    /// The rotation of the torso.
    #[arg(long, value_name = "X,Y,Z", value_parser = parameter("torso"), allow_hyphen_values = true)]
    pub torso: Option<String>,
    /// The rotation of the player's right arm.
    #[arg(long, value_name = "X,Y,Z", value_parser = parameter("right-arm"), allow_hyphen_values = true)]
    pub right_arm: Option<String>,
    /// The rotation of the player's left arm.
    #[arg(long, value_name = "X,Y,Z", value_parser = parameter("left-arm"), allow_hyphen_values = true)]
    pub left_arm: Option<String>,
    /// The rotation of the player's right leg.
    #[arg(long, value_name = "X,Y,Z", value_parser = parameter("right-leg"), allow_hyphen_values = true)]
    pub right_leg: Option<String>,
    /// The rotation of the player's left leg.
    #[arg(long, value_name = "X,Y,Z", value_parser = parameter("left-leg"), allow_hyphen_values = true)]
    pub left_leg: Option<String>,
    /// The rotation of the whole figure.
    #[arg(long, value_name = "X,Y,Z", value_parser = parameter("body"), allow_hyphen_values = true)]
    pub body: Option<String>,
    /// What a figure, portrait or cube is sized for: this pose from this side, a turn, or all poses (default: pose).
    #[arg(long, value_parser = PossibleValuesParser::new(Framing::WORDS))]
    pub fit: Option<String>,
    /// Write a moving picture (APNG or GIF) of a figure, portrait or cube that turns around.
    #[arg(long, conflicts_with = "svg")]
    pub turn: bool,
    /// Write a moving picture (APNG or GIF) of a figure, portrait or cube that moves as its pose does.
    ///
    /// In the poses walk, run, wave and cheer it acts; in the others it breathes. Without a pose, it walks.
    #[arg(long, conflicts_with = "svg")]
    pub animate: bool,
    /// The number of frames of a moving picture (default: as many as its rate needs).
    ///
    /// Alone, --frames and --rate keep the tempo; together they set it.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub frames: Option<u32>,
    /// The frames of a moving picture in a second, from 1 to 50 (default: 20, or fewer if it turns).
    #[arg(long, visible_alias = "fps", value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=50))]
    pub rate: Option<u32>,
    /// Draw the overlay. Only the words head and player, which are those of paths without /v1/, have none by default.
    #[arg(long, visible_alias = "hat", conflicts_with = "no_overlay")]
    pub overlay: bool,
    /// Leave out the overlay.
    #[arg(long, visible_alias = "no-hat")]
    pub no_overlay: bool,
    /// The file of a cape, for a figure, a portrait or an isometric body.
    ///
    /// A figure or portrait of a player shows the player's own cape by default.
    #[arg(long, value_name = "FILE", conflicts_with = "no_cape")]
    pub cape: Option<PathBuf>,
    /// Leave out the player's cape.
    #[arg(long)]
    pub no_cape: bool,
    /// Draw the elytra of the cape's file in place of the cape, if it has them.
    #[arg(long, conflicts_with = "no_cape")]
    pub elytra: bool,
    /// Draw on the slim model, whose arms are three texels wide.
    ///
    /// By default, a player has the player's model, and a skin file the slim one if it leaves the fourth column of
    /// the arms empty.
    #[arg(long, conflicts_with = "classic")]
    pub slim: bool,
    /// Draw on the classic model, whose arms are four texels wide.
    #[arg(long)]
    pub classic: bool,
    /// The light of a view that is not flat (default: soft, but none for avatar, ioshead and iosbody).
    #[arg(long, value_parser = PossibleValuesParser::new(Light::WORDS))]
    pub light: Option<String>,
    /// The color behind the picture: rrggbb, rgb, rrggbbaa, or a basic name such as white (default: transparent).
    #[arg(long, value_name = "COLOR", value_parser = parameter("background"))]
    pub background: Option<String>,
    /// The distance from the edges in pixels, which adds to the size (default: 0).
    #[arg(long, value_name = "PIXELS", value_parser = parameter("padding"))]
    pub padding: Option<String>,
    /// The shape to which the picture is cut (default: square).
    #[arg(long, value_parser = PossibleValuesParser::new(Shape::WORDS))]
    pub shape: Option<String>,
    /// Draw a soft shadow on the ground, for a figure or an isometric body.
    #[arg(long)]
    pub shadow: bool,
    /// The providers of skins and the upstream services.
    #[command(flatten)]
    pub upstream: UpstreamArgs,
    /// The log.
    #[command(flatten)]
    pub log: LogArgs,
}

impl RenderArgs {
    /// Returns the picture to draw, or `None` for the unchanged texture.
    #[must_use]
    pub fn spec(&self) -> Option<PictureSpec> {
        let mut spec = self.parameters()?.spec;
        if self.is_old_isometric() {
            spec.filter = Filter::Lanczos3;
        }
        spec.has_names = self.names;
        Some(spec)
    }

    /// Returns the movement of the player, or `None` for a picture that stands still.
    #[must_use]
    pub fn motion(&self) -> Option<Motion> {
        let parameters = self.parameters()?;
        let extension = self.output.as_deref().and_then(Path::extension);
        let is = |word| extension.is_some_and(|known| known.eq_ignore_ascii_case(word));
        let is_moving = (is("apng") || is("gif"))
            && parameters.spec.view.is_free()
            && !(self.turn || self.animate || self.is_of_all());
        let moves = self.animate || is_moving && parameters.pose.is_moving();
        let turns = self.turn || is_moving && !moves;
        (turns || moves).then_some(parameters.motion(moves, turns))
    }

    /// Returns what URLs have as parameters, or `None` for the unchanged texture.
    fn parameters(&self) -> Option<PictureParameters> {
        let value = |name: &str| self.parameter(name);
        let parameters = PictureParameters::read(self.view()?, Limits::NONE, value);
        Some(parameters.expect("each value has been read"))
    }

    /// Returns the value of the argument that URLs have as the parameter of that name.
    fn parameter(&self, name: &str) -> Option<&str> {
        let switch = |is_on: bool| is_on.then_some("true");
        let is_bare = matches!(self.each(), "head" | "player") && !self.overlay;
        let value = match name {
            "light" if self.light.is_none() && self.is_old_isometric() => return Some("none"),
            "overlay" => return (is_bare || self.no_overlay).then_some("false"),
            "model" if self.slim => return Some("slim"),
            "model" => return self.classic.then_some("classic"),
            "cape" if self.no_cape => return Some("false"),
            "cape" => return switch(self.cape.is_some()),
            "elytra" => return switch(self.elytra),
            "shadow" => return switch(self.shadow),
            "size" => &self.size,
            "facing" => &self.facing,
            "yaw" => &self.yaw,
            "pitch" => &self.pitch,
            "fov" => &self.fov,
            "pose" => &self.pose,
            "phase" => &self.phase,
            "head" => &self.head,
            "torso" => &self.torso,
            "right-arm" => &self.right_arm,
            "left-arm" => &self.left_arm,
            "right-leg" => &self.right_leg,
            "left-leg" => &self.left_leg,
            "body" => &self.body,
            "fit" => &self.fit,
            "light" => &self.light,
            "background" => &self.background,
            "padding" => &self.padding,
            "shape" => &self.shape,
            _ => return None,
        };
        value.as_deref()
    }

    /// Returns the number of frames of a movement, and the time of each. Its tempo stays, unless both are given.
    #[must_use]
    pub fn frames(&self, motion: Motion) -> (u32, Duration) {
        let length = motion.frame_time() * motion.frames();
        let at_rate = |rate| u32::try_from((length * rate).as_secs()).unwrap_or(u32::MAX);
        let number = self.frames.or(self.rate.map(at_rate));
        let number = number.unwrap_or(motion.frames()).max(1);
        let time = self.rate.filter(|_| self.frames.is_some());
        let time = time.map(|rate| Duration::from_secs(1) / rate);
        (number, time.unwrap_or(length / number))
    }

    /// Returns `true` if all players are in one picture.
    #[must_use]
    pub fn is_of_all(&self) -> bool {
        matches!(&*self.picture, "group" | "sheet")
    }

    /// Returns the number of columns of a sheet of this many players.
    #[must_use]
    pub fn columns(&self, players: usize) -> u32 {
        let square = u32::try_from(players.saturating_sub(1).isqrt() + 1);
        self.columns.or(square.ok()).unwrap_or(u32::MAX)
    }

    /// Returns the word for the picture of each player.
    fn each(&self) -> &str {
        self.view.as_ref().unwrap_or(&self.picture)
    }

    /// Returns `true` for isometric views as they are on paths without `/v1/`: filtered and lit in another way.
    fn is_old_isometric(&self) -> bool {
        matches!(self.each(), "avatar" | "ioshead" | "iosbody")
    }

    /// Returns the view of each player, or `None` for the unchanged texture.
    fn view(&self) -> Option<View> {
        find_row(self.each())?.view
    }

    /// Finds an argument that would change nothing about the picture, and says so.
    pub(crate) fn misplaced(&self, matches: &ArgMatches) -> Option<String> {
        let is_given = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let mut given = matches.ids().map(Id::as_str).filter(is_given);
        let has = |property: fn(View) -> bool| self.view().is_some_and(property);
        let may_move = has(View::is_free) && !self.is_of_all();
        given.find_map(|id| {
            #[rustfmt::skip]
            let (is_included, pictures) = match id {
                "names" => (self.is_of_all(), "group and sheet"),
                "view" | "columns" => (self.picture == "sheet", "sheet"),
                "svg" => (has(|_| true), "views that are drawn; a skin file cannot be svg"),
                "size" | "overlay" | "no_overlay" | "background" | "padding" | "shape" => (has(|_| true), "views that are drawn; skin is the unchanged file"),
                "slim" | "classic" => (has(View::shows_arms), "views with arms"),
                "yaw" | "pitch" | "fov" | "pose" | "phase" | "fit" | "head" | "torso" | "right_arm" | "left_arm" | "right_leg" | "left_leg" | "body" => (has(View::is_free), "figure, portrait, cube and group"),
                "frames" | "rate" if may_move => (self.motion().is_some(), "moving pictures: add --animate or --turn"),
                "turn" | "animate" | "frames" | "rate" => (may_move, "figure, portrait and cube"),
                "cape" | "no_cape" | "elytra" => (has(View::shows_cape), "figure, portrait, isobody and group"),
                "facing" => (has(View::is_isometric), "isometric views"),
                "light" => (has(|view| !view.is_flat()), "views that are not flat"),
                "shadow" => (has(View::shows_ground), "figure, isobody and group"),
                _ => return None,
            };
            let flag = id.replace('_', "-");
            (!is_included).then(|| format!("--{flag} is only for {pictures}"))
        })
    }
}

/// Finds the first word of a picture that has this word, or of the view that people mean by it.
pub(crate) fn find_picture(word: &str) -> Option<&'static str> {
    let meant = find_meant_view(word).map(View::as_str);
    find_row(word).map(|row| row.words[0]).or(meant)
}

/// A picture on the command line.
struct ViewWords {
    /// The words for it, of which only the first one is in the help.
    words: &'static [&'static str],
    /// The view of each player, or `None` for the unchanged texture.
    view: Option<View>,
    help: &'static str,
}

/// The number of views of one player, which come first.
const SINGLE: usize = 9;

#[rustfmt::skip]
const VIEWS: [ViewWords; 12] = [
    ViewWords { words: &["face", "head"], view: Some(View::Face), help: "The face" },
    ViewWords { words: &["body", "player"], view: Some(View::Body), help: "The flat body" },
    ViewWords { words: &["bust"], view: Some(View::Bust), help: "The flat head and chest" },
    ViewWords { words: &["combo"], view: Some(View::Combo), help: "The face next to the flat body" },
    ViewWords { words: &["isohead", "ioshead"], view: Some(View::IsometricHead), help: "The isometric head" },
    ViewWords { words: &["isobody", "avatar", "iosbody"], view: Some(View::IsometricBody), help: "The isometric body" },
    ViewWords { words: &["figure"], view: Some(View::Figure), help: "The whole player, from any side and in any pose" },
    ViewWords { words: &["portrait"], view: Some(View::Portrait), help: "The head and chest, from any side and in any pose" },
    ViewWords { words: &["cube"], view: Some(View::Cube), help: "The head, from any side" },
    ViewWords { words: &["group"], view: Some(View::Figure), help: "The figures of all players side by side, in one picture" },
    ViewWords { words: &["sheet"], view: Some(View::Face), help: "The faces of all players in rows, in one picture" },
    ViewWords { words: &["skin"], view: None, help: "The unchanged texture" },
];

/// Finds the picture of a word.
fn find_row(word: &str) -> Option<&'static ViewWords> {
    VIEWS.iter().find(|row| row.words.contains(&word))
}

fn words_of(rows: &'static [ViewWords]) -> PossibleValuesParser {
    PossibleValuesParser::new(rows.iter().map(|row| {
        let value = PossibleValue::new(row.words[0]).help(row.help);
        value.aliases(&row.words[1..])
    }))
}

#[cfg(test)]
mod tests;
