//! `effigy render`: pictures to files, without a server or a database.

mod inputs;

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::{fs, path::Path, slice, sync::Arc, thread};

use anyhow::{Context, Error, Result, bail, ensure};
use effigy_cli::RenderArgs;
use effigy_http::Metrics;
use effigy_player::{Edition, PlayerId};
use effigy_render::{Cape, ImageFormat, Motion, NamedPose, PictureSpec, Player, Skin};
use effigy_upstream::{
    Account, ConfigError, Fetched, LookUp, Profiles as _, ProviderChain, TextureHash, TextureUrl,
    Textures as _, UpstreamError,
};
use indicatif::{ProgressBar, ProgressStyle};

use self::inputs::{Input, STANDARD_INPUT, extension, is_path, label, stem};
use super::{print, print_error, sources};
use crate::log;

/// The Java player whose skin is the fallback, as the service has it.
const FALLBACK_PLAYER: &str = "Steve";

/// The number of pictures that are made at once. Most of the time goes into waiting for answers.
const THREADS: usize = 4;

const NO_FOLDER: &str = "is not a folder, which several pictures need; `effigy render group` \
                         draws several players in one picture";

/// The output that means standard output.
const STANDARD_OUTPUT: &str = "-";

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
    // Without a name, the file is in the current folder.
    let output = args.output.as_deref().unwrap_or(Path::new(""));
    let name = output.to_string_lossy();
    let is_folder = output.is_dir() || name.is_empty() || name.ends_with('/');
    let renderer = Renderer::new(args, format(args, (!is_folder).then_some(output))?)?;
    let bytes = renderer.draw(inputs)?;
    if name == STANDARD_OUTPUT {
        return print(bytes);
    }
    let path = if is_folder {
        output.join(renderer.file_name(&inputs[0].text))
    } else {
        output.to_owned()
    };
    write(&path, &bytes)?;
    print_error(&format!("Wrote {}", path.display()));
    Ok(())
}

/// Draws the pictures of all inputs on a few threads, and shows the progress on a terminal. A
/// picture that fails is reported and does not stop the others.
fn each(args: &RenderArgs, inputs: &[Input]) -> Result<()> {
    let folder = args.output.as_deref().unwrap_or(Path::new("."));
    let name = folder.display();
    let is_file = folder.is_file() || matches!(&*extension(folder), "png" | "svg" | "apng" | "gif");
    let is_folder = folder.is_dir() || !is_file && folder != STANDARD_OUTPUT;
    ensure!(is_folder, unusable(folder, NO_FOLDER));
    let renderer = Renderer::new(args, format(args, None)?)?;
    let mut files = BTreeMap::new();
    for input in inputs {
        let file = folder.join(&input.subfolder);
        let file = file.join(renderer.file_name(&input.text));
        let error = unusable(&file, "would be the file of two of the pictures");
        ensure!(files.insert(file, input).is_none(), error);
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot write {name}"))?;
    let style = ProgressStyle::with_template("{bar:24} {pos}/{len}")?;
    let written = ProgressBar::new(files.len() as u64).with_style(style);
    let work = |first: usize| {
        for (file, input) in files.iter().skip(first).step_by(THREADS) {
            let bytes = renderer.draw(slice::from_ref(input));
            match bytes.and_then(|bytes| write(file, &bytes)) {
                Ok(()) => written.inc(1),
                Err(error) => written.suspend(|| print_error(&format!("error: {error:#}"))),
            }
        }
    };
    thread::scope(|scope| {
        for first in 0..THREADS {
            scope.spawn(move || work(first));
        }
    });
    let count = written.position();
    let all = files.len() as u64;
    written.finish_and_clear();
    let pictures = if count == 1 { "picture" } else { "pictures" };
    print_error(&format!("Wrote {count} {pictures} to {name}"));
    let failed = all - count;
    ensure!(failed == 0, "{failed} of {all} pictures could not be made");
    Ok(())
}

/// Returns the format by the extension of the output file, if it has one, or by the flag.
fn format(args: &RenderArgs, file: Option<&Path>) -> Result<ImageFormat, ConfigError> {
    let file = file.unwrap_or(Path::new(""));
    let is_moving = args.motion().is_some();
    let problem = match (&*extension(file), args.svg) {
        ("" | "png", false) => return Ok(ImageFormat::Png),
        ("apng", false) if is_moving => return Ok(ImageFormat::Png),
        ("gif", false) if is_moving => return Ok(ImageFormat::Gif),
        ("apng" | "gif", _) => "moves: only a figure, portrait or cube does, and no SVG",
        ("svg", _) if is_moving => "ends in .svg: a moving picture is .apng or .gif",
        ("svg", _) if args.spec().is_none() => "ends in .svg: a skin file cannot be svg",
        ("" | "svg", _) => return Ok(ImageFormat::Svg),
        ("png", true) => "ends in .png: end it in .svg, or leave out --svg",
        _ => "ends in neither .png nor .svg: pictures are PNG or SVG, and moving ones APNG or GIF",
    };
    Err(unusable(file, problem))
}

fn unusable(output: &Path, problem: &'static str) -> ConfigError {
    ConfigError::new("--output", &output.to_string_lossy(), problem)
}

/// Writes a file, in a folder that is created if it is missing.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let created = fs::create_dir_all(folder);
    created.with_context(|| format!("cannot create the folder {}", folder.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// A skin, and what is known of the player who wears it.
struct Worn {
    texture: Vec<u8>,
    skin: Skin,
    /// The name of a player or of the file.
    name: String,
    /// `true` for the name of a Java player, which may change the look.
    is_java: bool,
    /// The player's own cape, if the picture has it.
    cape: Option<Cape>,
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

    /// Returns `<skin>_<view>` with the extension of the format, or `<view>` for a picture of
    /// several.
    fn file_name(&self, input: &str) -> String {
        let extension = match (self.args.motion(), self.format) {
            (Some(_), ImageFormat::Png) => "apng",
            (_, format) => format.as_str(),
        };
        let word = &self.args.picture;
        if self.args.is_of_all() {
            format!("{word}.{extension}")
        } else {
            format!("{}_{word}.{extension}", stem(input))
        }
    }

    fn load(&self, input: &str) -> Result<Worn> {
        let (texture, name) = match input {
            STANDARD_INPUT => (io::stdin().lock().bytes().collect(), "standard input"),
            path if is_path(path) => (fs::read(path), path),
            name => return self.resolve(name),
        };
        let texture: Vec<u8> = texture.with_context(|| format!("cannot read {name}"))?;
        let skin = Skin::decode(&texture, None);
        Ok(Worn {
            skin: skin.with_context(|| format!("{name} is not a skin"))?,
            texture,
            name: label(input),
            is_java: false,
            cape: None,
        })
    }

    fn resolve(&self, name: &str) -> Result<Worn> {
        if let Some(hash) = TextureHash::parse(name) {
            let worn = self.texture(&hash);
            return worn.with_context(|| format!("cannot get the texture {name}"));
        }
        let named = self.args.upstream.bedrock_prefixes().named_player(name);
        let named = named.with_context(|| format!("{name:?} is not a player's name or id"))?;
        let player = named.id;
        let found = match (self.look_up(&player, name), &named.otherwise) {
            // No Bedrock player has the gamertag.
            (Err(error), Some(java)) if is_missing(&error) => self.look_up(java, name),
            (found, _) => found,
        };
        match found {
            Err(error) if player.edition() == Edition::Bedrock => {
                ensure!(
                    self.args.allow_fallback,
                    "cannot get the skin of {name}: {error:#}; --allow-fallback draws a fallback skin"
                );
                tracing::warn!("{name} is drawn with a fallback skin: {error:#}");
                let steve = PlayerId::JavaName(FALLBACK_PLAYER.to_owned());
                let steve = self.look_up(&steve, name);
                steve.with_context(|| format!("cannot get the fallback skin for {name}"))
            }
            found => found.with_context(|| format!("cannot get the skin of {name}")),
        }
    }

    /// Fetches a texture by its hash.
    fn texture(&self, hash: &TextureHash) -> Result<Worn> {
        let look_up = LookUp::until(self.source.deadline());
        let texture = self.source.texture_by_hash(hash, &look_up)?;
        Ok(Worn {
            skin: Skin::decode(&texture, None)?,
            texture,
            name: String::new(),
            is_java: false,
            cape: None,
        })
    }

    /// Looks a player up for the picture of an input.
    fn look_up(&self, player: &PlayerId, input: &str) -> Result<Worn> {
        let profile = self
            .source
            .profile(player, &LookUp::until(self.source.deadline()))?;
        if !profile.is_certain {
            tracing::warn!("this may be another player of the name: an earlier provider failed");
        }
        let skin = profile.skin.context("the player has no skin")?;
        let texture = self.fetch(&skin.texture)?;
        let shows_cape = |spec: PictureSpec| spec.has_cape && spec.view.shows_cape();
        let is_caped = self.cape.is_none() && self.args.spec().is_some_and(shows_cape);
        let cape = profile.cape.filter(|_| is_caped);
        Ok(Worn {
            skin: Skin::decode(&texture, skin.model)?,
            texture,
            name: profile.name.unwrap_or_default(),
            is_java: matches!(profile.account, Account::Java(_)),
            cape: cape.and_then(|url| self.fetch_cape(input, &url)),
        })
    }

    /// Fetches a player's cape. A picture without it is better than none.
    fn fetch_cape(&self, input: &str, url: &TextureUrl) -> Option<Cape> {
        let fetched = self.fetch(url);
        let cape = fetched.and_then(|file| Ok(Cape::decode(&file)?));
        cape.inspect_err(|error| tracing::warn!("{input} is drawn without the cape: {error:#}"))
            .ok()
    }

    fn fetch(&self, url: &TextureUrl) -> Result<Vec<u8>> {
        let look_up = LookUp::until(self.source.deadline());
        match self.source.texture(url, None, &look_up)? {
            Fetched::File { file, .. } => Ok(file),
            Fetched::Unchanged => bail!("the texture has no content"),
        }
    }
}

/// Returns `true` for the answer that there is no such player.
fn is_missing(error: &Error) -> bool {
    let upstream = error.downcast_ref::<UpstreamError>();
    matches!(upstream, Some(UpstreamError::PlayerNotFound { .. }))
}

fn load_cape(path: &Path) -> Result<Cape> {
    let name = path.display();
    let file = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    Cape::decode(&file).with_context(|| format!("{name} is not a cape"))
}
