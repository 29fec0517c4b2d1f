//! The arguments of `effigy render`.

mod backdrop;
mod file_name;
mod folder;
mod format;
mod input;
mod misplaced;
mod options;
mod output;
mod planned_file;
mod views;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use effigy_parameters::{PictureSettings, find};
use effigy_render::{Motion, PictureSpec, Size, View};

use self::backdrop::BackdropArgs;
use self::file_name::FileNameTemplate;
use self::options::{ParameterArgs, fixed};
use self::views::{find_path_defaults, find_row};
use crate::{LogArgs, UpstreamArgs};

pub use self::file_name::FileNames;
pub use self::folder::is_png;
pub use self::input::{Input, Source};
pub(crate) use self::options::is_common;
pub use self::output::{Existing, OutputFile, Place};
pub use self::planned_file::PlannedFile;
pub(crate) use self::views::find_picture;

/// The settings of `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    // The word as it was typed. clap doesn't replace an alias such as `avatar` by the first word.
    /// The view.
    #[arg(value_name = "VIEW", value_parser = views::all_words())]
    picture: String,
    /// Skin files, folders of them, or players; `-` is standard input.
    ///
    /// In a folder, `cape.png` and `*.cape.png` are capes, and drawn by `cape` alone. Without such a
    /// file, `cape` takes all PNG files.
    ///
    /// A player is a Java name or UUID, a Bedrock XUID, a Bedrock gamertag after a dot, or the hash
    /// of a texture.
    #[arg(required = true, value_name = "SKIN")]
    pub inputs: Vec<String>,
    /// Draw the skin files in subfolders, too.
    ///
    /// Their pictures go to subfolders with the same names. Hidden folders and links to folders are
    /// left out.
    #[arg(long)]
    pub recursive: bool,
    /// The file, or the folder for several pictures; `-` is standard output.
    ///
    /// The extension of a file determines its format. A missing extension is added, and a missing
    /// folder is created. By default, a picture is written to `<skin>_<view>.png` in the current
    /// folder, a group to `group.png` and a sheet to `sheet.png`. A moving picture ends in `.apng`.
    #[arg(long, short, alias = "out")]
    pub output: Option<PathBuf>,
    /// The name of each file in a folder (default: {stem}_{view}.{ext}).
    ///
    /// {stem} is the name of the skin file without .png, or the name of the player; {view} is the
    /// word for the picture, and {ext} is the extension of its format.
    #[arg(long, value_name = "TEMPLATE")]
    file_name: Option<FileNameTemplate>,
    /// Write SVG instead of PNG; an output file that ends in .svg implies it.
    #[arg(long, conflicts_with_all = ["turn", "animate"])]
    svg: bool,
    /// Write GIF, in which the player moves; an output file that ends in .gif implies it.
    #[arg(long, conflicts_with = "svg")]
    gif: bool,
    #[command(flatten)]
    backdrop: BackdropArgs,
    /// Draw Steve instead of a Bedrock player who is unknown, has no skin, or cannot be looked up.
    ///
    /// Without this, all three are errors.
    #[arg(long)]
    pub allow_fallback: bool,
    #[command(flatten)]
    parameters: ParameterArgs,
    /// Draw a sheet of all poses with their words, to choose a --pose from.
    ///
    /// The players take turns.
    #[arg(long, conflicts_with = "pose")]
    poses: bool,
    /// The number of frames of a moving picture (default: its duration times its rate).
    ///
    /// --frames or --rate alone does not change the duration; both together determine it.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000))]
    frames: Option<u32>,
    /// The frames per second of a moving picture, from 1 to 50 (default: 20; for a turn 12, or 10
    /// if the limbs move).
    #[arg(long, visible_alias = "fps", value_name = "NUMBER")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=50))]
    rate: Option<u32>,
    /// The providers of skins and the upstream services.
    #[command(flatten)]
    pub upstream: UpstreamArgs,
    /// The log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// A kind of picture, with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drawing {
    /// The unchanged file of a skin.
    SkinFile,
    /// The outer side of a cape in this width.
    Cape(Size),
    /// A player.
    Player(PictureSpec),
    /// A player who moves.
    MovingPlayer(PictureSpec, Motion),
    /// All players side by side.
    Group(PictureSpec),
    /// All players in rows.
    Sheet(PictureSpec),
    /// All poses in rows.
    SheetOfPoses(PictureSpec),
}

impl RenderArgs {
    /// Returns the picture to draw.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        let Some(spec) = self.spec() else {
            return match &*self.picture {
                "cape" => Drawing::Cape(self.cape_size()),
                _ => Drawing::SkinFile,
            };
        };
        match (&*self.picture, self.motion()) {
            ("group", _) => Drawing::Group(spec),
            ("sheet", _) if self.poses => Drawing::SheetOfPoses(spec),
            ("sheet", _) => Drawing::Sheet(spec),
            (_, Some(motion)) => Drawing::MovingPlayer(spec, motion),
            (_, None) => Drawing::Player(spec),
        }
    }

    /// Returns `true` if all players are in one picture.
    #[must_use]
    pub fn combines_players(&self) -> bool {
        matches!(&*self.picture, "group" | "sheet")
    }

    /// Returns `true` if the picture shows the players' own capes.
    #[must_use]
    pub fn shows_own_capes(&self) -> bool {
        let is_replaced = self.cape().is_some();
        let spec = self.spec();
        !is_replaced && spec.is_some_and(|spec| spec.cape && spec.view.shows_cape())
    }

    /// Returns the file of the cape that replaces the players' own capes.
    #[must_use]
    pub fn cape(&self) -> Option<&Path> {
        self.parameters.cape()
    }

    /// Returns the number of columns of a sheet of this many pictures.
    #[must_use]
    pub fn columns(&self, pictures: usize) -> u32 {
        match self.picture_settings() {
            Some(settings) => settings.sheet_columns(pictures),
            None => 1,
        }
    }

    /// Returns the number of frames of a moving picture, and the time of each.
    #[must_use]
    pub fn frames(&self, motion: Motion) -> (u32, Duration) {
        let duration = motion.duration();
        match (self.frames, self.rate) {
            (None, None) => (motion.frames(), motion.frame_time()),
            (Some(number), Some(rate)) => (number, Duration::from_secs(1) / rate),
            (Some(number), None) => (number, duration / number),
            (None, Some(rate)) => {
                let number = whole_frames(duration, rate);
                (number, duration / number)
            }
        }
    }

    /// Returns the specification of each player's picture, or `None` for the file of a skin or a
    /// cape.
    fn spec(&self) -> Option<PictureSpec> {
        let mut spec = self.picture_settings()?.spec;
        if let Some(defaults) = find_path_defaults(self.view_word())
            && let Some(filter) = defaults.filter
        {
            spec.filter = filter;
        }
        Some(spec)
    }

    /// Returns the width of the picture of a cape.
    fn cape_size(&self) -> Size {
        // All views have the same default.
        let any_view = View::Body;
        let settings = PictureSettings::from_settings(any_view, self.parameters.settings());
        settings.spec.size
    }

    /// Returns the motion of the player, or `None` for a picture that doesn't move.
    fn motion(&self) -> Option<Motion> {
        let settings = self.picture_settings()?;
        let turns = settings.turn.unwrap_or_default();
        let moves = settings.animate.unwrap_or_default();
        let can_move = settings.spec.view.is_free() && !self.combines_players();
        let names_no_motion = !turns && !moves;
        if names_no_motion && can_move && self.asks_for_moving_file() {
            return settings.motion_by_default();
        }
        settings.motion(moves, turns)
    }

    /// Returns the settings of each player's picture, or `None` for the file of a skin or a cape.
    fn picture_settings(&self) -> Option<PictureSettings> {
        let mut settings = self.parameters.settings().to_vec();
        for (name, value) in self.implied() {
            if !self.parameters.has(name) {
                let parameter = find(name).expect("the table has these parameters");
                settings.push(fixed(parameter, value));
            }
        }
        let mut picture = PictureSettings::from_settings(self.view()?, &settings);
        if self.picture == "sheet" && !self.poses && !self.parameters.has("padding") {
            picture.set_sheet_gap();
        }
        Some(picture)
    }

    /// Returns the parameters that other arguments imply, with their values.
    fn implied(&self) -> Vec<(&'static str, &'static str)> {
        let mut implied = Vec::new();
        if let Some(defaults) = find_path_defaults(self.view_word()) {
            implied.extend_from_slice(defaults.parameters);
        }
        // The word of the picture itself, because players on a sheet don't have this size.
        if let Some(defaults) = find_path_defaults(&self.picture)
            && let Some(size) = defaults.size
        {
            implied.push(("size", size));
        }
        if self.parameters.has("animate") {
            implied.push(("pose", "walk"));
        }
        if self.poses {
            implied.push(("names", "true"));
        }
        implied
    }

    /// Returns the view of each player, or `None` for the file of a skin or a cape.
    fn view(&self) -> Option<View> {
        find_row(self.view_word())?.view
    }

    /// Returns the word for the view of each player.
    fn view_word(&self) -> &str {
        if let Some(word) = self.parameters.view() {
            return word;
        }
        if self.poses {
            return View::Figure.as_str();
        }
        &self.picture
    }
}

/// Returns the number of whole frames in a duration, at least one.
fn whole_frames(duration: Duration, frames_per_second: u32) -> u32 {
    let one_second = Duration::from_secs(1);
    let frames = duration.as_nanos() * u128::from(frames_per_second) / one_second.as_nanos();
    u32::try_from(frames).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests;
