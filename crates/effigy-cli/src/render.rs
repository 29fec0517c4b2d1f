//! The arguments of `effigy render`.

mod file_name;
mod misplaced;
mod options;
mod views;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use effigy_parameters::{Output, PictureSettings, find};
use effigy_render::{Filter, Motion, PictureSpec, Size, View};

use self::options::{ParameterArgs, fixed};
use self::views::{find_row, output_of};
use super::LogArgs;
use super::UpstreamArgs;

pub use self::file_name::FileNameTemplate;
pub(crate) use self::options::is_common;
pub(crate) use self::views::find_picture;

/// The settings of `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// The picture to draw.
    #[arg(value_name = "VIEW", value_parser = views::all_words())]
    pub picture: String,
    /// Skin files, folders of them, or players; `-` is standard input.
    ///
    /// A player is a Java name or UUID, a Bedrock XUID, a Bedrock gamertag after a dot, or the hash
    /// of a texture.
    #[arg(required = true, value_name = "SKIN")]
    pub inputs: Vec<String>,
    /// Take the skin files of subfolders too.
    ///
    /// Their pictures go to subfolders of the same names. Hidden folders are left out, and links
    /// to folders.
    #[arg(long)]
    pub recursive: bool,
    /// The file, or for several pictures the folder; `-` is standard output.
    ///
    /// The format of a file is that of its extension, which is added if it is missing. A missing
    /// folder is created. Without this, a picture goes to `<skin>_<view>.png` in the current
    /// folder, a group to `group.png` and a sheet to `sheet.png`.
    #[arg(long, short, alias = "out")]
    pub output: Option<PathBuf>,
    /// The name of each file in a folder (default: {stem}_{view}.{ext}).
    ///
    /// {stem} is the name of the skin file without .png, or the player's; {view} is the picture's
    /// word, and {ext} the extension of its format.
    #[arg(long, value_name = "TEMPLATE")]
    pub file_name: Option<FileNameTemplate>,
    /// Write SVG instead of PNG.
    ///
    /// An output file that ends in .svg implies it.
    #[arg(long, conflicts_with_all = ["turn", "animate"])]
    pub svg: bool,
    /// Draw the Java player Steve in place of a Bedrock player who is unknown, has no skin, or
    /// cannot be looked up.
    ///
    /// Without this, all three are errors.
    #[arg(long)]
    pub allow_fallback: bool,
    #[command(flatten)]
    parameters: ParameterArgs,
    /// Draw a sheet of all poses with their words, worn by the players in turn.
    ///
    /// It is the way to choose a --pose.
    #[arg(long, conflicts_with = "pose")]
    pub poses: bool,
    /// The number of frames of a moving picture (default: as many as its rate needs).
    ///
    /// Alone, --frames and --rate keep the tempo; together they set it.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub frames: Option<u32>,
    /// The frames of a moving picture in a second, from 1 to 50 (default: 20; for a turn 12, or 10
    /// if the limbs move).
    #[arg(long, visible_alias = "fps", value_name = "NUMBER")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=50))]
    pub rate: Option<u32>,
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
        let mut spec = self.picture_parameters()?.spec;
        if self.is_old_isometric() {
            spec.filter = Filter::Lanczos3;
        }
        Some(spec)
    }

    /// Returns the file of the cape that replaces the players' own.
    #[must_use]
    pub fn cape(&self) -> Option<&Path> {
        self.parameters.cape()
    }

    /// Returns the width of the picture of a cape, or `None` for another picture.
    #[must_use]
    pub fn cape_size(&self) -> Option<Size> {
        if output_of(&self.picture) != Output::Cape {
            return None;
        }
        // The size has one default for all views.
        let settings = self.parameters.settings();
        Some(
            PictureSettings::from_settings(View::Body, settings)
                .spec
                .size,
        )
    }

    /// Returns the template of the names of files without a name of their own.
    #[must_use]
    pub fn file_names(&self) -> FileNameTemplate {
        match &self.file_name {
            Some(template) => template.clone(),
            None if self.is_of_all() => FileNameTemplate::of_all(),
            None => FileNameTemplate::of_each(),
        }
    }

    /// Returns the movement of the player, or `None` for a picture that stands still.
    #[must_use]
    pub fn motion(&self) -> Option<Motion> {
        let picture = self.picture_parameters()?;
        let is_turned = picture.turn.unwrap_or_default();
        let is_animated = picture.animate.unwrap_or_default();
        // The extension of a moving picture is enough to make one.
        let is_implied = self.has_moving_extension()
            && picture.spec.view.is_free()
            && !is_turned
            && !is_animated
            && !self.is_of_all();
        let moves = is_animated || is_implied && picture.pose.is_moving();
        let turns = is_turned || is_implied && !moves;
        picture.motion(moves, turns)
    }

    /// Returns `true` if the output has the extension of a moving picture.
    fn has_moving_extension(&self) -> bool {
        let Some(extension) = self.output.as_deref().and_then(Path::extension) else {
            return false;
        };
        extension.eq_ignore_ascii_case("apng") || extension.eq_ignore_ascii_case("gif")
    }

    /// Returns the parameters of the picture, or `None` for the unchanged texture.
    fn picture_parameters(&self) -> Option<PictureSettings> {
        let mut settings = self.parameters.settings().to_vec();
        for (name, value) in self.implied() {
            if !self.parameters.has(name) {
                let parameter = find(name).expect("the table has these parameters");
                settings.push(fixed(parameter, value));
            }
        }
        Some(PictureSettings::from_settings(self.view()?, &settings))
    }

    /// Returns the values that other arguments imply.
    fn implied(&self) -> Vec<(&'static str, &'static str)> {
        let mut implied = Vec::new();
        if matches!(self.each(), "head" | "player") {
            implied.push(("overlay", "false"));
        }
        if self.is_old_isometric() {
            implied.push(("light", "none"));
        }
        if matches!(&*self.picture, "ioshead" | "iosbody") {
            implied.push(("size", "64"));
        }
        if self.parameters.has("animate") {
            implied.push(("pose", "walk"));
        }
        if self.poses {
            implied.push(("names", "true"));
        }
        implied
    }

    /// Returns the number of frames of a movement, and the time of each. The tempo of the movement
    /// stays unless both are given.
    #[must_use]
    pub fn frames(&self, motion: Motion) -> (u32, Duration) {
        let length = motion.duration();
        let at_rate = |rate| u32::try_from((length * rate).as_secs()).unwrap_or(u32::MAX);
        let number = self.frames.or(self.rate.map(at_rate));
        let number = number.unwrap_or(motion.frames()).max(1);
        let time = match (self.frames, self.rate) {
            (None, None) => motion.frame_time(),
            (Some(_), Some(rate)) => Duration::from_secs(1) / rate,
            _ => length / number,
        };
        (number, time)
    }

    /// Returns `true` if all players are in one picture.
    #[must_use]
    pub fn is_of_all(&self) -> bool {
        matches!(&*self.picture, "group" | "sheet")
    }

    /// Returns the number of columns of a sheet of this many pictures.
    #[must_use]
    pub fn columns(&self, pictures: usize) -> u32 {
        let Some(picture) = self.picture_parameters() else {
            return 1;
        };
        picture.sheet_columns(pictures)
    }

    /// Returns the word for the picture of each player.
    fn each(&self) -> &str {
        let usual = if self.poses {
            View::Figure.as_str()
        } else {
            &self.picture
        };
        self.parameters.view().unwrap_or(usual)
    }

    /// Returns `true` for isometric views as paths without `/v1/` draw them: with another filter
    /// and light.
    fn is_old_isometric(&self) -> bool {
        matches!(self.each(), "avatar" | "ioshead" | "iosbody")
    }

    /// Returns the view of each player, or `None` for the unchanged texture.
    fn view(&self) -> Option<View> {
        find_row(self.each())?.view
    }
}

#[cfg(test)]
mod tests;
