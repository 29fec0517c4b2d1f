//! The flow of pictures of several players.

use std::sync::Arc;

use effigy_player::PlayerId;
use effigy_render::{Arrangement, Cape, ImageFormat, Player, RenderError};
use serde::Serialize;

use super::{java_names::Accounts, run_in_order};
use crate::{
    ArrangementRequest, Fault, Image, Origin, Service, ServiceError,
    error::Shared,
    flow::{appearance::Appearance, cached::Admission, picture::ValidRequest, skin::SkinId},
    pool::bounded_buffer::BoundedBuffer,
    request::arrangement::{ArrangementFile, Layout},
    service::Inner,
};

/// The players of a picture, or why one is missing.
type Appearances = Vec<Shared<Appearance>>;

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
    /// A player who is not available leaves an empty place. If that may be because of an outage, the
    /// file is not stored.
    ///
    /// # Errors
    /// If no player is available.
    pub async fn arrangement(&self, request: ArrangementRequest) -> Shared<Image> {
        let (service, entry) = (self.clone(), self.inner.current(&request.entry));
        let make = |_, has_stale| async move { service.arrange(request, has_stale).await };
        self.inner.cached_or(entry, Admission::Counted, make).await
    }

    async fn arrange(self, request: ArrangementRequest, has_stale: bool) -> Shared<Image> {
        let looks = self.appearances(&request).await;
        let first_error = looks.iter().find_map(|look| look.as_ref().err().cloned());
        if let Some(error) = first_error
            && looks.iter().all(Result::is_err)
        {
            return Err(error);
        }
        if has_stale && let Some(outage) = outage(&looks) {
            return Err(outage);
        }
        let inner = &self.inner;
        if request.file == ArrangementFile::Picture {
            let found = request.players().iter().zip(&looks);
            for (player, _) in found.filter(|(_, look)| look.is_ok()) {
                inner.count_input(player);
            }
        }
        let clock = inner.clock.clone();
        let work = move || {
            let origin = origin(&looks);
            let (file, content_type) = draw(&request, &looks)?;
            Ok(Image::made(file, content_type, clock.now(), origin))
        };
        let drawn: Result<Image, RenderError> = inner.drawing.run(work).await?;
        drawn.map_err(|error| Arc::new(error.into()))
    }

    /// Looks all players up, a few at once.
    async fn appearances(&self, request: &ArrangementRequest) -> Appearances {
        let params = request.params();
        let requests = request.players().iter().map(|player| {
            let request = params.of_player(player).reusing_player();
            self.validate(request)
        });
        let requests: Vec<Shared<ValidRequest>> = requests.collect();
        let new = requests
            .iter()
            .flatten()
            .filter_map(|request| self.inner.new_player(request));
        let accounts = Arc::new(self.inner.look_up_names(new).await);
        let look_up = |request: Shared<ValidRequest>| {
            let (inner, accounts) = (Arc::clone(&self.inner), Arc::clone(&accounts));
            async move {
                let request = request?;
                let entry = request.entry.clone();
                let look = inner.appearance_by(request, &accounts).await;
                look.inspect_err(|error| inner.log_failure(&entry, error))
            }
        };
        run_in_order(requests.into_iter().map(look_up)).await
    }
}

impl Inner {
    /// Returns the player of a request who has to be looked up.
    fn new_player<'a>(&self, request: &'a ValidRequest) -> Option<&'a PlayerId> {
        match &request.skin {
            // One with a revision is at hand.
            SkinId::Player(player, None)
                if self.players.get(&request.skin, self.clock.now()).is_none() =>
            {
                Some(player)
            }
            _ => None,
        }
    }

    /// Looks a player up whose account may be known.
    async fn appearance_by(
        self: &Arc<Self>,
        request: ValidRequest,
        accounts: &Accounts,
    ) -> Shared<Appearance> {
        let SkinId::Player(player, revision) = request.skin.clone() else {
            return self.appearance_for(&request, false).await;
        };
        let account = SkinId::Player(accounts.find(player)?, revision);
        let known = ValidRequest {
            skin: account,
            ..request
        };
        let look = self.appearance_for(&known, false).await?;
        if known.skin != request.skin && self.is_current(&known.entry) {
            // Other pictures are requested by the name.
            self.players
                .insert(&request.skin, self.clock.now(), &look.skin);
        }
        Ok(look)
    }

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
            let document = document(request, &arrangement, &players);
            let json = serde_json::to_vec(&document);
            let json = json.expect("strings and numbers are valid JSON");
            Ok((json, "application/json"))
        }
    }
}

fn document<'a>(
    request: &'a ArrangementRequest,
    arrangement: &Arrangement<'_>,
    players: &[Option<Player<'_>>],
) -> Document<'a> {
    let rows = request
        .players()
        .iter()
        .zip(&arrangement.places)
        .zip(players);
    Document {
        width: arrangement.picture.width(),
        height: arrangement.picture.height(),
        players: rows
            .map(|((player, place), found)| DocumentedPlace {
                player,
                x: place.x,
                y: place.y,
                width: place.width,
                height: place.height,
                missing: found.is_none(),
            })
            .collect(),
    }
}
