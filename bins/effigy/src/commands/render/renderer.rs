//! Draws the pictures of a command.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use effigy_cli::{Drawing, Input, RenderArgs};
use effigy_render::{
    Cape, ImageFormat, Motion, NamedPose, Picture, PictureSpec, Player, RenderError, Size,
};

use super::backdrop::Backdrop;
use super::load::{LoadedSkin, Loader, read_file};

/// The settings that all pictures of a command share.
pub(super) struct Renderer<'a> {
    args: &'a RenderArgs,
    loader: Loader<'a>,
    /// The owner of the figures that the renderers of all threads share.
    figures: effigy_render::Renderer,
    drawing: Drawing,
    format: ImageFormat,
    /// The cape that replaces the players' own capes.
    cape: Option<Cape>,
    /// The file onto which all pictures are drawn.
    backdrop: Option<Backdrop>,
}

impl<'a> Renderer<'a> {
    pub(super) fn new(args: &'a RenderArgs, format: ImageFormat) -> Result<Self> {
        let cape = match args.cape() {
            Some(path) => Some(read_cape(path)?),
            None => None,
        };
        let backdrop = match args.backdrop() {
            Some(path) => Some(Backdrop::read(path)?),
            None => None,
        };
        Ok(Self {
            args,
            loader: Loader::new(args)?,
            figures: effigy_render::Renderer::new(),
            drawing: args.drawing(),
            format,
            cape,
            backdrop,
        })
    }

    /// Draws the picture of one input or of all, and returns the file.
    pub(super) fn draw(&self, inputs: &[Input]) -> Result<Vec<u8>> {
        match self.drawing {
            Drawing::SkinFile => Ok(self.loader.load(&inputs[0])?.texture),
            Drawing::Cape(width) => self.draw_cape(&inputs[0], width),
            Drawing::Player(spec) => {
                self.draw_players(inputs, |players| self.encoded(&spec.picture(players[0])?))
            }
            Drawing::MovingPlayer(spec, motion) => self.draw_players(inputs, |players| {
                self.encoded_frames(spec, players[0], motion)
            }),
            Drawing::Group(spec) => self.draw_players(inputs, |players| {
                self.encoded(&spec.group(&places(players))?.picture)
            }),
            Drawing::Sheet(spec) => self.draw_players(inputs, |players| {
                let columns = self.args.columns(players.len());
                self.encoded(&spec.sheet(&places(players), columns)?.picture)
            }),
            Drawing::SheetOfPoses(spec) => self.draw_players(inputs, |players| {
                let columns = self.args.columns(NamedPose::ALL.len());
                self.encoded(&spec.sheet_of_poses(players, columns)?.picture)
            }),
        }
    }

    /// Draws the outer side of a cape.
    fn draw_cape(&self, input: &Input, width: Size) -> Result<Vec<u8>> {
        let file = self.loader.load_cape(input)?;
        let cape = Cape::decode(&file);
        let cape = cape.with_context(|| format!("{} is not a cape", input.in_messages()))?;
        let front = cape.front(width);
        let drawn = front.and_then(|picture| self.encoded(&picture));
        drawn.with_context(|| format!("the picture of {} cannot be drawn", input.text))
    }

    /// Loads the skins of players and draws the players.
    fn draw_players(
        &self,
        inputs: &[Input],
        file_of: impl Fn(&[Player<'_>]) -> Result<Vec<u8>, RenderError>,
    ) -> Result<Vec<u8>> {
        let skins = self.load_all(inputs)?;
        let players: Vec<Player<'_>> = skins.iter().map(|skin| self.player(skin)).collect();
        file_of(&players)
            .with_context(|| format!("the picture of {} cannot be drawn", Input::list(inputs)))
    }

    /// Loads the skins of all inputs. The error names every input that has none.
    fn load_all(&self, inputs: &[Input]) -> Result<Vec<LoadedSkin>> {
        let mut skins = Vec::new();
        let mut problems = Vec::new();
        for input in inputs {
            match self.loader.load(input) {
                Ok(skin) => skins.push(skin),
                Err(error) => problems.push(format!("{error:#}")),
            }
        }
        ensure!(problems.is_empty(), "{}", problems.join("; "));
        Ok(skins)
    }

    /// Returns the player who wears a skin, with a cape if there is one.
    fn player<'b>(&'b self, loaded: &'b LoadedSkin) -> Player<'b> {
        let mut player = Player::new(&loaded.skin);
        if loaded.is_java_player {
            player = player.named(&loaded.name);
        } else {
            player = player.with_label(&loaded.name);
        }
        if let Some(cape) = self.cape.as_ref().or(loaded.cape.as_ref()) {
            player = player.with_cape(cape);
        }
        player
    }

    /// Encodes a picture, on the backdrop if there is one.
    fn encoded(&self, picture: &Picture<'_>) -> Result<Vec<u8>, RenderError> {
        match &self.backdrop {
            Some(backdrop) => backdrop.with_picture(picture, self.args),
            None => self.figures.sharing_figures().encode(picture, self.format),
        }
    }

    fn encoded_frames(
        &self,
        spec: PictureSpec,
        player: Player<'_>,
        motion: Motion,
    ) -> Result<Vec<u8>, RenderError> {
        let (count, time) = self.args.frames(motion);
        let mut frames = Vec::new();
        for frame in 0..count {
            let share = f64::from(frame) / f64::from(count);
            frames.push((spec.moment(player, motion, share)?, time));
        }
        let mut file = Vec::new();
        let mut renderer = self.figures.sharing_figures();
        renderer.write_frames(frames, self.format, &mut file)?;
        Ok(file)
    }
}

/// Returns a place in a picture for each player.
fn places<'a>(players: &[Player<'a>]) -> Vec<Option<Player<'a>>> {
    players.iter().copied().map(Some).collect()
}

fn read_cape(path: &Path) -> Result<Cape> {
    let file = read_file(path)?;
    Cape::decode(&file).with_context(|| format!("{} is not a cape", path.display()))
}
