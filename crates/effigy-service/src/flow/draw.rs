//! Drawing, on the drawing threads.

use std::{
    cell::RefCell,
    time::{Duration, Instant},
};

use bytes::Bytes;
use effigy_render::{Arrangement, Cape, ImageFormat, Picture, Player, RenderError, Renderer};
use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};

use super::step::Flow;
use crate::{
    BoundedBuffer, Fault, GroupRequest, Image, Origin, PictureParams, ServiceError, Turn,
    error::Shared,
    players::{Appearance, Appearances},
};

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
        let (spec, format) = (params.spec, params.format);
        let make = move |turn: &Turn| {
            let appearance = appearance()?;
            let file = match spec {
                None => appearance.skin.texture.clone(),
                Some(spec) => {
                    let cape = appearance.decode_cape();
                    let player = appearance.player(cape.as_ref());
                    match params.motion {
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
        let (image, duration) = self.make(params.drawing_bytes(), make).await?;
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
        let memory = request.drawing_bytes();
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
        memory: usize,
        make: impl FnOnce(&Turn) -> Result<Made, ServiceError> + Send + 'static,
    ) -> Result<(Image, Duration), ServiceError> {
        let clock = self.state.clock.clone();
        let work = move |turn: &Turn| {
            let started = Instant::now();
            let (file, content_type, origin) = make(turn)?;
            let image = Image::made(file, content_type, clock(), origin);
            Ok((image, started.elapsed()))
        };
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
