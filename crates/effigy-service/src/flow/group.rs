//! The flow of pictures of several players.

use std::sync::Arc;

use effigy_render::{Arrangement, Cape, ImageFormat, Player, RenderError};
use serde::Serialize;

use super::appearances::Appearances;
use crate::{
    ArrangementRequest, Fault, Image, Origin, Service, ServiceError,
    error::Shared,
    flow::{appearance::Appearance, cached::Admission, skin::SkinId},
    pool::bounded_buffer::BoundedBuffer,
    request::arrangement::{ArrangementFile, Layout},
    service::Inner,
};

/// The JSON document of the places.
#[derive(Debug, Serialize)]
struct Document<'a> {
    width: u32,
    height: u32,
    players: Vec<DocumentedPlace<'a>>,
}

#[derive(Debug, Serialize)]
struct DocumentedPlace<'a> {
    player: &'a str,
    x: u32,
    y: u32,
    width: u32,
    height: u32,
    missing: bool,
}

impl Service {
    /// Returns a picture of several players, or their places. It is cached like a picture.
    ///
    /// A player who is not available leaves an empty place, or is shown as the substitute, or as the
    /// built-in player if an outage leaves no substitute. If that may be because of an outage, the file is
    /// not stored.
    ///
    /// # Errors
    /// If nobody can be shown.
    pub async fn arrangement(&self, request: ArrangementRequest) -> Shared<Image> {
        let (service, entry) = (self.clone(), self.inner.current(&request.entry));
        let make = |_, has_stale| async move { service.arrange(request, has_stale).await };
        self.inner.cached_or(entry, Admission::Counted, make).await
    }

    async fn arrange(self, request: ArrangementRequest, has_stale: bool) -> Shared<Image> {
        let looks = self.appearances(request.params(), request.players()).await;
        if has_stale && let Some(outage) = outage(&looks) {
            return Err(outage);
        }
        let missing: Vec<bool> = looks.iter().map(Result::is_err).collect();
        let looks = self.with_substitute(&request, looks).await;
        let first_error = looks.iter().find_map(|look| look.as_ref().err().cloned());
        if let Some(error) = first_error
            && looks.iter().all(Result::is_err)
        {
            return Err(error);
        }
        let inner = &self.inner;
        if request.file == ArrangementFile::Picture {
            let found = request.players().iter().zip(&missing);
            for (player, _) in found.filter(|(_, is_missing)| !**is_missing) {
                inner.count_input(player);
            }
        }
        let clock = inner.clock.clone();
        let work = move || {
            let origin = origin(&looks);
            let (file, content_type) = draw(&request, &looks, &missing)?;
            Ok(Image::made(file, content_type, clock.now(), origin))
        };
        let drawn: Result<Image, RenderError> = inner.drawing.run(work).await?;
        drawn.map_err(|error| Arc::new(error.into()))
    }
}

impl Inner {
    fn count_input(&self, input: &str) {
        if let Ok(player) = effigy_player::PlayerId::detect(input) {
            self.count_render(&SkinId::Player(player, None));
        }
    }
}

/// Returns why a player may be missing, or lack the cape, only for now.
fn outage(looks: &Appearances) -> Option<Arc<ServiceError>> {
    looks.iter().find_map(|look| match look {
        Err(error) if error.is_outage() => Some(Arc::clone(error)),
        _ => None,
    })
}

/// Returns the origin of a picture of these players.
fn origin(looks: &Appearances) -> Origin {
    let is_complete = |look: &Shared<Appearance>| match look {
        Ok(look) => look.origin == Origin::Render,
        // The service itself may be at fault too.
        Err(error) => matches!(error.fault(), Fault::NotFound | Fault::Request),
    };
    match looks.iter().all(is_complete) {
        true => Origin::Render,
        false => Origin::OutageFallback,
    }
}

/// Makes the file, with its media type.
fn draw(
    request: &ArrangementRequest,
    looks: &Appearances,
    missing: &[bool],
) -> Result<(Vec<u8>, &'static str), RenderError> {
    let look = |look: &Shared<Appearance>| look.as_ref().ok()?.cape();
    let capes: Vec<Option<Cape>> = looks.iter().map(look).collect();
    let found = looks.iter().zip(&capes).map(|(look, cape)| {
        let look = look.as_ref().ok()?;
        Some(look.player(cape.as_ref()))
    });
    let players: Vec<Option<Player<'_>>> = found.collect();
    let arrangement = match request.layout {
        Layout::Group => request.spec.group(&players),
        Layout::Sheet { columns } => request.spec.sheet(&players, columns),
    }?;
    match request.file {
        ArrangementFile::Picture => {
            let (mut file, format) = (BoundedBuffer::new(), ImageFormat::Png);
            arrangement.picture.write(format, &mut file)?;
            Ok((file.into_bytes(), format.content_type()))
        }
        ArrangementFile::Places => {
            let document = document(request, &arrangement, missing);
            let json = serde_json::to_vec(&document);
            let json = json.expect("strings and numbers are valid JSON");
            Ok((json, "application/json"))
        }
    }
}

fn document<'a>(
    request: &'a ArrangementRequest,
    arrangement: &Arrangement<'_>,
    missing: &[bool],
) -> Document<'a> {
    let rows = request
        .players()
        .iter()
        .zip(&arrangement.places)
        .zip(missing);
    Document {
        width: arrangement.picture.width(),
        height: arrangement.picture.height(),
        players: rows
            .map(|((player, place), missing)| DocumentedPlace {
                player,
                x: place.x,
                y: place.y,
                width: place.width,
                height: place.height,
                missing: *missing,
            })
            .collect(),
    }
}
