//! Drawing, on the drawing threads.

use std::{
    cell::RefCell,
    io::{self, Write},
    sync::LazyLock,
    time::Instant,
};

use bytes::Bytes;
use effigy_render::{
    Arrangement, Cape, ImageFormat, Picture, PictureSpec, Player, RenderError, Renderer, View,
};
use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};

use super::{Flow, JSON, PNG, group::DressedPlace};
use crate::{
    CapeSize, GroupRequest, Image, PictureParams, ServiceError, Turn, error::Result,
    outfit::Appearance,
};

/// The longest file. A body 20,000 pixels wide takes a fiftieth of it.
const MAX_FILE_BYTES: usize = 32 << 20;

/// The renderer whose divided figures all drawing threads share.
static SHARED_RENDERER: LazyLock<Renderer> = LazyLock::new(Renderer::new);

thread_local! {
    /// The renderer of this thread.
    static RENDERER: RefCell<Renderer> = RefCell::new(SHARED_RENDERER.sharing_figures());
}

impl Flow {
    /// Draws a picture when it is the client's turn.
    pub(crate) async fn draw(&self, params: PictureParams, shown: Appearance) -> Result<Image> {
        let spec = params.spec.ok_or(ServiceError::TooLarge)?;
        let times = self.state.metrics.renders.clone();
        let format = params.format;
        let now = self.state.clock.clone();
        let work = move |turn: &Turn| -> Result<Image, ServiceError> {
            let started = Instant::now();
            let cape = shown.decode_cape();
            let player = shown.player(cape.as_ref());
            let file = match params.motion {
                None => encode(&spec.picture(player)?, format, turn)?,
                Some(motion) => {
                    let animation = spec.animation(player, motion)?;
                    make_file(turn, |renderer, file| {
                        renderer.write_frames(animation, format, file)
                    })?
                }
            };
            let times = times.with_label_values(&[params.endpoint.as_str()]);
            times.observe(started.elapsed().as_secs_f64());
            Ok(Image::made(file, format.content_type(), now()))
        };
        let drawn = self
            .state
            .draw(&self.askers, params.drawing_bytes(), work)
            .await?;
        Ok(drawn?)
    }

    /// Draws a cape when it is the client's turn. A file that is no cape has no picture.
    pub(super) async fn draw_cape(&self, file: Bytes, size: CapeSize) -> Result<Bytes> {
        let memory = PictureSpec::new(View::Body, size.width()).drawing_bytes(1);
        let work = move |turn: &Turn| -> Result<Bytes, ServiceError> {
            let cape = Cape::decode(&file).map_err(ServiceError::NotACape)?;
            let picture = match size {
                CapeSize::Width(width) => cape.front(width),
                CapeSize::Box(sides) => cape.front_in(sides),
            }?;
            Ok(encode(&picture, ImageFormat::Png, turn)?)
        };
        let drawn = self.state.draw(&self.askers, memory, work).await?;
        Ok(drawn?)
    }

    /// Makes the file of a group when it is the client's turn. Players without an appearance leave
    /// an empty place.
    pub(super) async fn draw_group(
        &self,
        group: GroupRequest,
        places: Vec<DressedPlace>,
        missing: Vec<bool>,
    ) -> Result<Image> {
        let memory = group.drawing_bytes();
        let now = self.state.clock.clone();
        let work = move |turn: &Turn| -> Result<Image, ServiceError> {
            let capes = decoded_capes(&places);
            let players = dressed_players(&places, &capes);
            let arrangement = match group.columns {
                None => group.spec.group(&players),
                Some(columns) => group.spec.sheet(&players, columns),
            }?;
            if group.is_places {
                let document = document(&group, &arrangement, &missing).to_string();
                return Ok(Image::made(document, JSON, now()));
            }
            let file = encode(&arrangement.picture, ImageFormat::Png, turn)?;
            Ok(Image::made(file, PNG, now()))
        };
        let drawn = self.state.draw(&self.askers, memory, work).await?;
        Ok(drawn?)
    }
}

fn decoded_capes(places: &[DressedPlace]) -> Vec<Option<Cape>> {
    let appearances = places.iter().map(|place| place.appearance.as_ref());
    appearances
        .map(|appearance| appearance?.decode_cape())
        .collect()
}

fn dressed_players<'a>(
    places: &'a [DressedPlace],
    capes: &'a [Option<Cape>],
) -> Vec<Option<Player<'a>>> {
    let players = places.iter().zip(capes).map(|(place, cape)| {
        let player = place.appearance.as_ref()?.player(cape.as_ref());
        Some(player.with_label(&place.label))
    });
    players.collect()
}

/// Returns the JSON document of the players' places.
fn document(group: &GroupRequest, arrangement: &Arrangement<'_>, missing: &[bool]) -> Value {
    let places = arrangement.places.iter().zip(missing);
    let players = group.players.iter().zip(places);
    let players = players.map(|(player, (at, is_missing))| {
        json!({
            "player": player,
            "x": at.x,
            "y": at.y,
            "width": at.width,
            "height": at.height,
            "missing": is_missing,
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
            let finished = gzip.finish();
            finished.map_err(|source| RenderError::Write { source })?;
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
    let bytes = Vec::new();
    let mut file = BoundedBuffer { bytes, turn };
    RENDERER.with_borrow_mut(|renderer| write(renderer, &mut file))?;
    // It will be cached, so it takes no more memory than it needs.
    file.bytes.shrink_to_fit();
    Ok(file.bytes.into())
}

/// A buffer that fails to grow beyond its length, and with its turn.
struct BoundedBuffer<'a> {
    bytes: Vec<u8>,
    turn: &'a Turn,
}

impl Write for BoundedBuffer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.turn.checkpoint()?;
        if bytes.len() > MAX_FILE_BYTES - self.bytes.len() {
            return Err(io::Error::other("the file is too long"));
        }
        self.bytes.try_reserve(bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// The renderer flushes between strips of rows.
    fn flush(&mut self) -> io::Result<()> {
        self.turn.checkpoint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Client,
        doors::{Askers, Turns},
    };

    #[tokio::test]
    async fn a_file_has_a_greatest_length() {
        let turns = Turns::start().unwrap();
        let fill = move |turn: &Turn| {
            let (part, bytes) = (vec![0; 1 << 20], Vec::new());
            let mut buffer = BoundedBuffer { bytes, turn };
            let full = (0..).find(|_| buffer.write_all(&part).is_err());
            (full, buffer.bytes.len())
        };
        let filled = turns.run(&Askers::one(Client::SERVICE), 0, fill).await;
        assert_eq!(filled, Ok(Some((Some(32), 32 << 20))));
    }
}
