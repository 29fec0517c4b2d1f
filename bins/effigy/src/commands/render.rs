//! `effigy render`: pictures to files, without a server or a database.

mod files;
mod inputs;
mod load;

use std::{fs, path::Path, slice, sync::Arc, thread};

use anyhow::{Context, Error, Result, bail, ensure};
use effigy_cli::RenderArgs;
use effigy_http::Metrics;
use effigy_render::{Cape, ImageFormat, Motion, NamedPose, PictureSpec, Player, Size};
use effigy_upstream::ProviderChain;
use indicatif::{ProgressBar, ProgressStyle};

use self::files::{InputFiles, Output, Place};
use self::inputs::Input;
use self::load::{Worn, read, shown};
use super::{print, print_error, sources};
use crate::log;

/// The number of pictures that are made at once. Most of the time goes into waiting for answers.
const THREADS: usize = 4;

/// Draws one picture, or several into a folder.
pub(crate) fn run(args: &RenderArgs) -> Result<()> {
    log::start(&args.log, None);
    let inputs = inputs::expand(args)?;
    if let Some(notice) = inputs.notice() {
        print_error(&notice);
    }
    match args.inputs.as_slice() {
        [input] if !Path::new(input).is_dir() => one(args, &inputs.all),
        _ if args.is_of_all() => one(args, &inputs.all),
        _ => each(args, &inputs.all),
    }
}

fn one(args: &RenderArgs, inputs: &[Input]) -> Result<()> {
    let output = Output::of_one(args)?;
    let renderer = Renderer::new(args, output.format)?;
    let path = match output.place {
        Place::Standard => None,
        Place::File(path) => Some(path),
        Place::Folder(folder) => {
            let path = folder.join(output.names.of(&inputs[0].text));
            InputFiles::of(inputs).check_not_replaced(&path)?;
            Some(path)
        }
    };
    let bytes = renderer.draw(inputs)?;
    let Some(path) = path else {
        return print(bytes);
    };
    files::write(&path, &bytes)?;
    print_error(&format!("Wrote {}", path.display()));
    Ok(())
}

/// Draws the pictures of all inputs on a few threads, and shows the progress on a terminal. A
/// picture that fails is reported and does not stop the others.
fn each(args: &RenderArgs, inputs: &[Input]) -> Result<()> {
    let (folder, names) = files::folder_of_each(args)?;
    let renderer = Renderer::new(args, names.format)?;
    let files = files::planned(folder, &names, inputs);
    files::create_folders(folder, &files)?;
    let skins = InputFiles::of(inputs);
    let style = ProgressStyle::with_template("{bar:24} {pos}/{len}")?;
    let written = ProgressBar::new(inputs.len() as u64).with_style(style);
    let report = |error: &Error| {
        written.suspend(|| print_error(&format!("error: {error:#}")));
    };
    let work = |first: usize| {
        for (path, inputs) in files.iter().skip(first).step_by(THREADS) {
            let drawn = skins.check_not_replaced(path);
            match drawn.and_then(|()| draw_to(&renderer, path, inputs)) {
                Ok(()) => written.inc(1),
                Err(error) => report(&error),
            }
        }
    };
    thread::scope(|scope| {
        for first in 0..THREADS {
            scope.spawn(move || work(first));
        }
    });
    let count = written.position();
    let all = inputs.len() as u64;
    written.finish_and_clear();
    let pictures = if count == 1 { "picture" } else { "pictures" };
    print_error(&format!("Wrote {count} {pictures} to {}", folder.display()));
    let failed = all - count;
    ensure!(failed == 0, "{failed} of {all} pictures could not be made");
    Ok(())
}

/// Draws the picture of the input that has a file of its own.
fn draw_to(renderer: &Renderer<'_>, path: &Path, inputs: &[&Input]) -> Result<()> {
    let [input] = inputs else {
        let names: Vec<&str> = inputs.iter().map(|input| &*input.text).collect();
        bail!(
            "{} would all be written to {}: name another folder or --file-name",
            names.join(", "),
            path.display()
        );
    };
    let bytes = renderer.draw(slice::from_ref(*input))?;
    files::write(path, &bytes)
}

/// The parameters that all pictures of a command share.
struct Renderer<'a> {
    args: &'a RenderArgs,
    source: Arc<ProviderChain>,
    format: ImageFormat,
    /// The cape that replaces the players' own.
    cape: Option<Cape>,
}

impl<'a> Renderer<'a> {
    fn new(args: &'a RenderArgs, format: ImageFormat) -> Result<Self> {
        Ok(Self {
            args,
            source: sources::connect(&args.upstream, args.upstream.config(), Metrics::new())?,
            format,
            cape: args.cape().map(load_cape).transpose()?,
        })
    }

    /// Draws the picture of a skin file or a player, or the one of several.
    fn draw(&self, inputs: &[Input]) -> Result<Vec<u8>> {
        if let Some(width) = self.args.cape_size() {
            return self.draw_cape(&inputs[0].text, width);
        }
        let Some(spec) = self.args.spec() else {
            return Ok(self.load(&inputs[0].text)?.texture);
        };
        let worn = inputs.iter().map(|input| self.load(&input.text));
        let worn = worn.collect::<Result<Vec<Worn>>>()?;
        let names: Vec<&str> = inputs.iter().map(|input| &*input.text).collect();
        let players: Vec<Player<'_>> = worn.iter().map(|worn| self.player(worn)).collect();
        self.draw_players(spec, &players)
            .with_context(|| format!("the picture of {} cannot be drawn", names.join(", ")))
    }

    /// Returns the player who wears a skin, with a cape if there is one.
    fn player<'b>(&'b self, worn: &'b Worn) -> Player<'b> {
        let mut player = Player::new(&worn.skin);
        if worn.is_java {
            player = player.named(&worn.name);
        } else {
            player = player.with_label(&worn.name);
        }
        if let Some(cape) = self.cape.as_ref().or(worn.cape.as_ref()) {
            player = player.with_cape(cape);
        }
        player
    }

    fn draw_players(&self, spec: PictureSpec, players: &[Player<'_>]) -> Result<Vec<u8>> {
        let all: Vec<Option<Player<'_>>> = players.iter().copied().map(Some).collect();
        let picture = match (&*self.args.picture, self.args.motion()) {
            ("group", _) => spec.group(&all)?.picture,
            ("sheet", _) if self.args.poses => {
                let columns = self.args.columns(NamedPose::ALL.len());
                spec.sheet_of_poses(players, columns)?.picture
            }
            ("sheet", _) => spec.sheet(&all, self.args.columns(all.len()))?.picture,
            (_, None) => spec.picture(players[0])?,
            (_, Some(motion)) => return self.draw_frames(spec, players[0], motion),
        };
        Ok(picture.encode(self.format)?)
    }

    fn draw_frames(
        &self,
        spec: PictureSpec,
        player: Player<'_>,
        motion: Motion,
    ) -> Result<Vec<u8>> {
        let (number, time) = self.args.frames(motion);
        let mut frames = Vec::new();
        for frame in 0..number {
            let share = f64::from(frame) / f64::from(number);
            frames.push((spec.moment(player, motion, share)?, time));
        }
        let mut file = Vec::new();
        let mut renderer = effigy_render::Renderer::new();
        renderer.write_frames(frames, self.format, &mut file)?;
        Ok(file)
    }

    /// Draws the outer side of a cape, which is that of a file or of a player.
    fn draw_cape(&self, input: &str, width: Size) -> Result<Vec<u8>> {
        let file = match read(input) {
            Some(file) => file?,
            None => self.find_cape(input)?,
        };
        let cape = Cape::decode(&file);
        let cape = cape.with_context(|| format!("{} is not a cape", shown(input)))?;
        let picture = cape.front(width).and_then(|cape| cape.encode_png());
        picture.with_context(|| format!("the picture of {input} cannot be drawn"))
    }
}

fn load_cape(path: &Path) -> Result<Cape> {
    let name = path.display();
    let file = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    Cape::decode(&file).with_context(|| format!("{name} is not a cape"))
}
