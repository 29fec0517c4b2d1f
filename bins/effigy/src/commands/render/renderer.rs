//! From the text on the command line to the bytes of a picture.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use effigy_cli::RenderArgs;
use effigy_http::Metrics;
use effigy_player::{Edition, PlayerId};
use effigy_render::{Cape, ImageFormat, PictureSpec, Player, Skin};
use effigy_upstream::{Account, ProviderChain, SkinSource, TextureUrl};

use super::inputs::{STANDARD_INPUT, is_path, stem};
use crate::commands::sources;

/// The Java player whose skin is the fallback, as the service has it.
const FALLBACK_PLAYER: &str = "Steve";

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
pub(super) struct Renderer<'a> {
    args: &'a RenderArgs,
    source: Arc<ProviderChain>,
    format: ImageFormat,
    /// The cape that replaces the players' own.
    cape: Option<Cape>,
}

impl<'a> Renderer<'a> {
    pub(super) fn new(args: &'a RenderArgs, format: ImageFormat) -> Result<Self> {
        Ok(Self {
            args,
            source: sources::connect(&args.upstream, args.upstream.config(), Metrics::new())?,
            format,
            cape: args.cape.as_deref().map(load_cape).transpose()?,
        })
    }

    /// Draws the picture of a skin file or a player, or the one of several.
    pub(super) fn draw(&self, inputs: &[String]) -> Result<Vec<u8>> {
        let Some(spec) = self.args.spec() else {
            return Ok(self.load(&inputs[0])?.texture);
        };
        let worn = inputs.iter().map(|input| self.load(input));
        let worn = worn.collect::<Result<Vec<Worn>>>()?;
        let players = worn.iter().map(|worn| {
            let player = Player::new(&worn.skin);
            let player = match worn.is_java {
                true => player.named(&worn.name),
                false => player.with_label(&worn.name),
            };
            let cape = self.cape.iter().chain(&worn.cape).next();
            cape.into_iter().fold(player, Player::with_cape)
        });
        let players: Vec<Player<'_>> = players.collect();
        self.draw_players(spec, &players)
            .with_context(|| format!("the picture of {} cannot be drawn", inputs.join(", ")))
    }

    fn draw_players(&self, spec: PictureSpec, players: &[Player<'_>]) -> Result<Vec<u8>> {
        let all: Vec<Option<Player<'_>>> = players.iter().copied().map(Some).collect();
        let picture = match (&*self.args.picture, self.args.motion()) {
            ("group", _) => spec.group(&all)?.picture,
            ("sheet", _) => spec.sheet(&all, self.args.columns(all.len()))?.picture,
            (_, None) => spec.picture(players[0])?,
            (_, Some(motion)) => {
                let ((number, time), mut file) = (self.args.frames(motion), Vec::new());
                let share = |frame| f64::from(frame) / f64::from(number);
                let moment = |frame| Ok((spec.moment(players[0], motion, share(frame))?, time));
                let frames: Result<Vec<_>> = (0..number).map(moment).collect();
                let mut renderer = effigy_render::Renderer::new();
                renderer.write_frames(frames?, self.format, &mut file)?;
                return Ok(file);
            }
        };
        Ok(picture.encode(self.format)?)
    }

    /// Returns `<skin>_<view>` with the extension of the format, or `<view>` for a picture of several.
    pub(super) fn file_name(&self, input: &str) -> String {
        let extension = match (self.args.motion(), self.format) {
            (Some(_), ImageFormat::Png) => "apng",
            (_, format) => format.as_str(),
        };
        let word = &self.args.picture;
        match self.args.is_of_all() {
            true => format!("{word}.{extension}"),
            false => format!("{}_{word}.{extension}", stem(input)),
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
            name: stem(input),
            is_java: false,
            cape: None,
        })
    }

    fn resolve(&self, name: &str) -> Result<Worn> {
        let player = PlayerId::detect(name)
            .with_context(|| format!("{name:?} is not a player's name or id"))?;
        match self.look_up(&player, name) {
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

    /// Looks a player up for the picture of an input.
    fn look_up(&self, player: &PlayerId, input: &str) -> Result<Worn> {
        let profile = self.source.profile(player, self.source.deadline().into())?;
        if !profile.is_certain {
            tracing::warn!("this may be another player of the name: an earlier provider failed");
        }
        let skin = profile.skin.context("the player has no skin")?;
        let texture = self.fetch(&skin.texture)?;
        let is_caped = self.cape.is_none() && self.args.spec().is_some_and(|spec| spec.has_cape);
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
        Ok(self.source.texture(url, self.source.deadline().into())?)
    }
}

fn load_cape(path: &Path) -> Result<Cape> {
    let name = path.display();
    let file = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    Cape::decode(&file).with_context(|| format!("{name} is not a cape"))
}
