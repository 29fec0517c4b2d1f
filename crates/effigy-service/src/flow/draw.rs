//! Drawing, on the drawing threads.

use std::{
    cell::RefCell,
    time::{Duration, Instant},
};

use bytes::Bytes;
use effigy_render::{
    Animation, Arrangement, Cape, ImageFormat, Picture, PictureSpec, Player, RenderError, Renderer,
};
use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};

use super::step::Flow;
use crate::{
    BoundedBuffer, Fault, GroupRequest, Image, Origin, PictureParams, ServiceError, Turn,
    error::Shared,
    players::{Appearance, Appearances},
};

/// The memory of any picture beside that of drawing it: the file, and the skin.
const BASE_BYTES: u64 = 1 << 20;

/// The memory of an SVG's file, most of which are shorter. It makes each of them a long job, because one of a skin
/// with many texels takes seconds.
const SVG_BYTES: u64 = 8 << 20;

/// The memory of the faces of a player in one frame.
const UNDRAWN_FRAME_BYTES: u64 = 192 << 10;

thread_local! {
    /// The renderer of this thread.
    static RENDERER: RefCell<Renderer> = RefCell::default();
}

/// A file, its media type and its origin.
type Made = (Bytes, &'static str, Origin);

impl Flow<'_> {
    /// Draws a picture when it is the client's turn. A player's unmodified texture takes no drawing.
    pub(super) async fn draw(
        &self,
        params: PictureParams,
        appearance: impl FnOnce() -> Result<Appearance, ServiceError> + Send + 'static,
    ) -> Result<Image, ServiceError> {
        let PictureParams {
            spec,
            format,
            motion,
            ..
        } = params;
        let memory = spec.map_or(0, |spec| {
            let frames = motion.map_or(0, |_| frame_bytes(&spec));
            drawing_bytes(&spec, 1, format).saturating_add(frames)
        });
        let make = move |turn: &Turn| {
            let appearance = appearance()?;
            let file = match spec {
                None => appearance.skin.texture.clone(),
                Some(spec) => {
                    let cape = appearance.decode_cape();
                    let player = appearance.player(cape.as_ref());
                    match motion {
                        None => encode(&spec.picture(player)?, format, turn)?,
                        Some(motion) => {
                            let animation = spec.animation(player, motion)?;
                            make_file(turn, |renderer, file| {
                                renderer.write_animation(&animation, file)
                            })?
                        }
                    }
                }
            };
            Ok((file, format.content_type(), appearance.origin))
        };
        let (image, duration) = self.make(memory, make).await?;
        if spec.is_some() {
            let renders = &self.state.metrics.renders;
            let renders = renders.with_label_values(&[params.endpoint.as_str()]);
            renders.observe(duration.as_secs_f64());
        }
        Ok(image)
    }

    /// Makes the file of a group when it is the client's turn.
    pub(super) async fn draw_group(
        &self,
        request: GroupRequest,
        shown: Appearances,
        missing: Vec<bool>,
    ) -> Result<Image, ServiceError> {
        let columns = (request.columns).map_or(request.players.len() as u64, u64::from);
        let memory = drawing_bytes(&request.spec, columns, ImageFormat::Png);
        let make = move |turn: &Turn| {
            let capes: Vec<Option<Cape>> = shown
                .iter()
                .map(|shown| shown.as_ref().ok()?.decode_cape())
                .collect();
            let players = shown.iter().zip(&capes);
            let players =
                players.map(|(shown, cape)| Some(shown.as_ref().ok()?.player(cape.as_ref())));
            let players: Vec<Option<Player<'_>>> = players.collect();
            let arrangement = match request.columns {
                None => request.spec.group(&players),
                Some(columns) => request.spec.sheet(&players, columns),
            }?;
            let origin = origin_of(&shown);
            if request.is_places {
                let document = places(&request, &arrangement, &missing).to_string();
                return Ok((document.into(), "application/json", origin));
            }
            let format = ImageFormat::Png;
            let file = encode(&arrangement.picture, format, turn)?;
            Ok((file, format.content_type(), origin))
        };
        Ok(self.make(memory, make).await?.0)
    }

    /// Makes a file when it is the client's turn, and measures how long it takes.
    async fn make(
        &self,
        memory: u64,
        make: impl FnOnce(&Turn) -> Result<Made, ServiceError> + Send + 'static,
    ) -> Result<(Image, Duration), ServiceError> {
        let clock = self.state.clock.clone();
        let work = move |turn: &Turn| {
            let started = Instant::now();
            let (file, content_type, origin) = make(turn)?;
            let image = Image::made(file, content_type, clock(), origin);
            Ok((image, started.elapsed()))
        };
        let memory = usize::try_from(memory).unwrap_or(usize::MAX);
        self.client.work(memory, work).await?
    }
}

/// Returns the origin of a picture of these players.
fn origin_of(shown: &Appearances) -> Origin {
    let is_complete = |shown: &Shared<Appearance>| match shown {
        Ok(appearance) => appearance.origin == Origin::Render,
        // The service itself may be at fault too.
        Err(error) => matches!(error.fault(), Fault::NotFound | Fault::Request),
    };
    match shown.iter().all(is_complete) {
        true => Origin::Render,
        false => Origin::OutageFallback,
    }
}

/// Returns the JSON document of the players' places.
fn places(request: &GroupRequest, arrangement: &Arrangement<'_>, missing: &[bool]) -> Value {
    let places = arrangement.places.iter().zip(missing);
    let players = request.players.iter().zip(places);
    let players = players.map(|(player, (place, missing))| {
        json!({
            "player": player,
            "x": place.x,
            "y": place.y,
            "width": place.width,
            "height": place.height,
            "missing": missing,
        })
    });
    json!({
        "width": arrangement.picture.width(),
        "height": arrangement.picture.height(),
        "players": players.collect::<Value>(),
    })
}

/// Draws a picture and encodes it, which is one pass. An SVG is compressed.
fn encode(picture: &Picture<'_>, format: ImageFormat, turn: &Turn) -> Result<Bytes, RenderError> {
    make_file(turn, |renderer, file| match format {
        ImageFormat::Svg => {
            let mut gzip = GzEncoder::new(file, Compression::default());
            renderer.write(picture, format, &mut gzip)?;
            gzip.finish()?;
            Ok(())
        }
        _ => renderer.write(picture, format, file),
    })
}

/// Makes a file with the renderer of this thread.
fn make_file(
    turn: &Turn,
    write: impl FnOnce(&mut Renderer, &mut BoundedBuffer<'_>) -> Result<(), RenderError>,
) -> Result<Bytes, RenderError> {
    let mut file = BoundedBuffer::new(turn);
    RENDERER.with_borrow_mut(|renderer| write(renderer, &mut file))?;
    Ok(file.into_bytes().into())
}

/// Returns the memory that a moving picture takes in addition: all frames before they are drawn, and two that are,
/// with what is compressed.
fn frame_bytes(spec: &PictureSpec) -> u64 {
    let pixels = spec.width().saturating_mul(spec.height());
    let bytes = u64::from(Animation::FRAMES) * UNDRAWN_FRAME_BYTES;
    bytes.saturating_add(pixels.saturating_mul(4 * 4))
}

/// Returns the memory that a picture takes while it is drawn: of one player, or of several in so many columns.
fn drawing_bytes(spec: &PictureSpec, columns: u64, format: ImageFormat) -> u64 {
    let file = match format {
        ImageFormat::Svg => SVG_BYTES,
        _ => 0,
    };
    spec.drawing_bytes(columns)
        .saturating_add(BASE_BYTES + file)
}
