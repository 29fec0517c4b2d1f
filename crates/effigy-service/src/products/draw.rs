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

use super::group_member::DressedMember;
use crate::{
    CapeSize, GroupRequest, PictureParams, ServedFile, ServiceError, Turn,
    error::Result,
    flow::Flow,
    outfit::appearance::Appearance,
    request::memory_of_picture,
    served_file::{JSON, PNG},
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
    pub(super) async fn draw(
        &self,
        params: PictureParams,
        shown: Appearance,
    ) -> Result<ServedFile> {
        // Never: nobody draws the unmodified texture, which has no specification.
        let spec = params.spec.ok_or(ServiceError::TooLarge)?;
        let times = self.state.metrics.renders.clone();
        let clock = self.state.clock.clone();
        let work = move |turn: &Turn| -> Result<ServedFile, ServiceError> {
            let started = Instant::now();
            let file = draw_player(spec, params, &shown, turn)?;
            let times = times.with_label_values(&[params.endpoint.as_str()]);
            times.observe(started.elapsed().as_secs_f64());
            Ok(ServedFile::made(
                file,
                params.format.content_type(),
                clock(),
            ))
        };
        self.on_drawing_thread(params.drawing_bytes(), work).await
    }

    /// Draws a cape when it is the client's turn. A file that is no cape has no picture.
    pub(super) async fn draw_cape(&self, file: Bytes, size: CapeSize) -> Result<Bytes> {
        let body = PictureSpec::new(View::Body, size.width());
        let memory = memory_of_picture(&body, 1);
        let work = move |turn: &Turn| -> Result<Bytes, ServiceError> {
            let cape = Cape::decode(&file).map_err(ServiceError::NotACape)?;
            let picture = match size {
                CapeSize::Width(width) => cape.front(width),
                CapeSize::Box(sides) => cape.front_in(sides),
            }?;
            Ok(encode(&picture, ImageFormat::Png, turn)?)
        };
        self.on_drawing_thread(memory, work).await
    }

    /// Makes the file of a group when it is the client's turn. Members without an appearance leave
    /// a gap.
    pub(super) async fn draw_group(
        &self,
        group: GroupRequest,
        members: Vec<DressedMember>,
    ) -> Result<ServedFile> {
        let memory = group.drawing_bytes();
        let clock = self.state.clock.clone();
        let work = move |turn: &Turn| -> Result<ServedFile, ServiceError> {
            let capes = decoded_capes(&members);
            let players = dressed_players(&members, &capes);
            let arrangement = match group.columns {
                None => group.spec.group(&players),
                Some(columns) => group.spec.sheet(&players, columns),
            }?;
            if group.positions_only {
                let document = document(&group, &arrangement, &members).to_string();
                return Ok(ServedFile::made(document, JSON, clock()));
            }
            let file = encode(&arrangement.picture, ImageFormat::Png, turn)?;
            Ok(ServedFile::made(file, PNG, clock()))
        };
        self.on_drawing_thread(memory, work).await
    }
}

/// Draws a picture of a player, which may move.
fn draw_player(
    spec: PictureSpec,
    params: PictureParams,
    shown: &Appearance,
    turn: &Turn,
) -> Result<Bytes, RenderError> {
    let cape = shown.decode_cape();
    let player = shown.player(cape.as_ref());
    let format = params.format;
    let Some(motion) = params.motion else {
        return encode(&spec.picture(player)?, format, turn);
    };
    let animation = spec.animation(player, motion)?;
    make_file(turn, |renderer, file| {
        renderer.write_frames(animation, format, file)
    })
}

fn decoded_capes(members: &[DressedMember]) -> Vec<Option<Cape>> {
    let mut capes = Vec::new();
    for member in members {
        capes.push(match &member.appearance {
            Some(appearance) => appearance.decode_cape(),
            None => None,
        });
    }
    capes
}

fn dressed_players<'a>(
    members: &'a [DressedMember],
    capes: &'a [Option<Cape>],
) -> Vec<Option<Player<'a>>> {
    let mut players = Vec::new();
    for (member, cape) in members.iter().zip(capes) {
        players.push(match &member.appearance {
            Some(appearance) => {
                let player = appearance.player(cape.as_ref());
                Some(player.with_label(&member.label))
            }
            None => None,
        });
    }
    players
}

/// Returns the JSON document of the players' positions.
fn document(
    group: &GroupRequest,
    arrangement: &Arrangement<'_>,
    members: &[DressedMember],
) -> Value {
    let mut players = Vec::new();
    let positions = arrangement.places.iter().zip(members);
    for (player, (position, member)) in group.players.iter().zip(positions) {
        players.push(json!({
            "player": player,
            "x": position.x,
            "y": position.y,
            "width": position.width,
            "height": position.height,
            "missing": !member.is_found,
            "substitute": member.is_substitute(),
        }));
    }
    json!({
        "width": arrangement.picture.width(),
        "height": arrangement.picture.height(),
        "players": players,
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
    let mut file = BoundedBuffer {
        bytes: Vec::new(),
        turn,
    };
    RENDERER.with_borrow_mut(|renderer| write(renderer, &mut file))?;
    // The file will be cached, so it takes no more memory than it needs.
    file.bytes.shrink_to_fit();
    Ok(file.bytes.into())
}

/// The buffer of a file. Writing fails beyond [`MAX_FILE_BYTES`], and when the turn is over.
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
            let mebibyte = vec![0; 1 << 20];
            let mut buffer = BoundedBuffer {
                bytes: Vec::new(),
                turn,
            };
            while buffer.write_all(&mebibyte).is_ok() {}
            buffer.bytes.len()
        };
        let filled = turns.run(&Askers::one(Client::SERVICE), 0, fill).await;
        assert_eq!(filled, Ok(32 << 20));
    }
}
