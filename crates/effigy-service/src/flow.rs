//! The flows: each is a function from a request to its file, in the specification's steps.

mod draw;
mod group;
mod profile;

use std::{sync::Arc, time::Duration};

use effigy_render::ImageFormat;
use effigy_upstream::error_chain;

use crate::{
    Endpoint, Fault, FileRequest, FileSpec, Image, Miss, Origin, PictureParams, ServiceError,
    Substitute,
    doors::Askers,
    error::{Failure, Result},
    players::Appearance,
    request::key::Key,
    service::State,
};

/// The media type of pictures and textures.
const PNG: &str = ImageFormat::Png.content_type();

/// The media type of profiles and places.
const JSON: &str = "application/json";

/// The longest file that is kept.
const MAX_KEPT_BYTES: usize = 8 << 20;

/// The longest part of an input that is logged. No name is longer.
const MAX_LOGGED_CHARS: usize = 64;

/// The flow of one request.
#[derive(Clone)]
pub(crate) struct Flow {
    pub(crate) state: Arc<State>,
    /// Those who wait for the file.
    pub(crate) askers: Askers,
}

impl Flow {
    /// Returns a file that is not in memory: from the store, or made once for all who ask meanwhile.
    pub(crate) async fn file(&self, miss: &Miss) -> Result<Image> {
        let known = || self.state.in_memory(&miss.key);
        // Its askers may become more.
        let flow = Self {
            state: Arc::clone(&self.state),
            askers: Askers::one(self.askers.first()),
        };
        let askers = flow.askers.clone();
        let own_miss = miss.clone();
        let make = async move { flow.find_or_make(&own_miss).await };
        let flights = &self.state.in_flight;
        flights.run(&askers, miss.key.clone(), known, make).await
    }

    async fn find_or_make(&self, Miss { key, request }: &Miss) -> Result<Image> {
        let stale = match self.find(key).await {
            Some(image) if image.is_fresh(self.state.now()) => return Ok(image),
            stale => stale,
        };
        let error = match self.make(request, stale.is_some()).await {
            Ok(image) => return Ok(self.keep(key, image)),
            Err(error) => error,
        };
        let spec = &request.spec;
        self.log_failure(spec.endpoint(), &spec.input(), &error);
        match stale {
            // It is better than nothing if an outage is the cause.
            Some(image) if error.is_outage() => Ok(image.with_origin(Origin::Stale)),
            _ => Err(error),
        }
    }

    /// Returns the newest file in memory or in the store, which may be stale.
    async fn find(&self, key: &Key) -> Option<Image> {
        let state = &self.state;
        let now = state.now();
        let times = &state.metrics.database_reads;
        let stored = state.files.read(&key.text(), now, times).await;
        let stored = stored.map(|file| Image {
            may_change: key.may_change(),
            ..Image::new(file, Origin::Cache)
        });
        let newest = stored.into_iter().chain(state.memory.get(key, now));
        let newest = newest.max_by_key(|image| image.file.created_at);
        if let Some(image) = &newest {
            state
                .memory
                .insert(key.clone(), image.file.created_at, image.clone());
        }
        newest
    }

    /// Makes a file. If it fails in an outage, a stale one may be available.
    async fn make(&self, request: &FileRequest, has_stale: bool) -> Result<Image> {
        let player = |input| self.player(input, request.reuses_players);
        match &*request.spec {
            // Spec, "Common rules" 6.
            FileSpec::Picture(params, input) => {
                let player = player(input)?;
                self.expect_to_draw(*params)?;
                let shown = self.appearance(&player, *params, has_stale).await?;
                self.state.files.count_render(player.id.edition());
                self.draw_or_copy(*params, shown).await
            }
            FileSpec::Texture(params, hash, model) => {
                self.expect_to_draw(*params)?;
                let skin = self.skin_of_hash(hash.clone(), *model).await?;
                // Without a player the render has no edition to count for. Spec, "Stats".
                self.draw_or_copy(*params, Appearance::new(skin, None))
                    .await
            }
            FileSpec::Group(group) => self.group(group.clone(), has_stale).await,
            FileSpec::Profile(input) => self.profile_document(&player(input)?).await,
            FileSpec::Cape(input, size) => self.cape_of(&player(input)?, *size, has_stale).await,
        }
    }

    /// Charges the client for drawing, before anything is done for it.
    pub(crate) fn charge_drawing(&self, cost: Duration) -> Result<()> {
        let client = self.askers.first();
        Ok(self.state.rates.charge_drawing(client, cost)?)
    }

    /// Checks that a picture can be drawn, before anything is done for it.
    fn expect_to_draw(&self, params: PictureParams) -> Result<()> {
        if !params.can_exist() {
            return Err(ServiceError::TooLarge.into());
        }
        self.charge_drawing(params.drawing_cost())
    }

    /// Draws what is shown. An unmodified texture takes no drawing.
    async fn draw_or_copy(&self, params: PictureParams, shown: Appearance) -> Result<Image> {
        match params.spec {
            Some(spec) => self.draw(params, spec, || Ok(shown)).await,
            None => {
                let texture = shown.skin.texture.clone();
                Ok(Image::made(texture, PNG, self.state.now(), shown.origin))
            }
        }
    }

    /// Returns the picture of the substitute after this failure of the player's own, or that of the built-in player.
    pub(crate) async fn substitute(
        &self,
        params: PictureParams,
        substitute: &Substitute,
        error: Failure,
    ) -> Result<Image> {
        let params = params.of_substitute();
        let picture_of = async |player: &str| {
            let request = params.of_player(player).reusing_players();
            let request = request.from_client(self.askers.first());
            let key = self.state.key(&request.spec);
            let found = self.file(&Miss { key, request }).await;
            let instead = |failure: &Failure| Appearance::instead_of(player, failure);
            match found.as_ref().err().and_then(instead) {
                Some(built_in) => self.draw_or_copy(params, built_in).await,
                None => found,
            }
        };
        let is_missing = |failure: &Failure| failure.fault() == Fault::NotFound;
        let shown = match (picture_of(&substitute.player).await, substitute.otherwise) {
            (Err(failure), Some(other)) if is_missing(&failure) => picture_of(other).await?,
            // Who was asked for is missing, too.
            (Err(failure), None) if is_missing(&failure) => return Err(error),
            (shown, _) => shown?,
        };
        if error.is_outage() {
            // Clients must not show another player after the outage.
            return Ok(shown.with_origin(Origin::OutageFallback));
        }
        Ok(shown.lacking_player(true, self.state.now()))
    }

    /// Keeps a new file for later requests, unless it is too long, or shows the wrong player or an
    /// outdated skin.
    fn keep(&self, key: &Key, mut image: Image) -> Image {
        image.may_change = key.may_change();
        let is_right = image.origin == Origin::Render && key.is_current(&*self.state.source);
        let (bytes, files) = (image.file.data.len(), &self.state.files);
        if is_right && bytes <= MAX_KEPT_BYTES {
            files.store_later(key.text(), &image.file);
            let kept = image.clone().with_origin(Origin::Cache);
            let memory = &self.state.memory;
            memory.insert(key.clone(), image.file.created_at, kept);
        }
        files.write_soon();
        image
    }

    /// Logs the reason of a failure, with every cause. Callers can cause as many failures as they like, so only those of
    /// others are warnings.
    pub(crate) fn log_failure(&self, endpoint: Endpoint, input: &str, error: &ServiceError) {
        let endpoint = endpoint.as_str();
        let input: String = input.chars().take(MAX_LOGGED_CHARS).collect();
        let reason = error_chain(error);
        match error.fault() {
            Fault::Request | Fault::NotFound | Fault::Limited => {
                tracing::debug!(endpoint, input, "{reason}");
            }
            fault => warn_of_failure(fault, endpoint, &input, &reason),
        }
    }
}

/// Logs a failure that no caller causes. Warnings are throttled by their place in the code, so each
/// party at fault has one of its own.
fn warn_of_failure(fault: Fault, endpoint: &str, input: &str, reason: &str) {
    match fault {
        Fault::Upstream => tracing::warn!(endpoint, input, "an upstream failed: {reason}"),
        _ => tracing::warn!(endpoint, input, "a request failed: {reason}"),
    }
}

impl Substitute {
    /// Returns `true` if the substitute is shown after this failure.
    pub(crate) fn replaces(&self, error: &ServiceError) -> bool {
        match error.fault() {
            // The specified pictures of a missing Bedrock player need Steve.
            _ if matches!(error, ServiceError::NoFallback(_)) => true,
            // The player has no skin that could be shown, whatever becomes of the outage.
            _ if error.has_bad_texture() => true,
            Fault::Request | Fault::NotFound => true,
            Fault::Upstream | Fault::Overloaded => self.in_outage,
            Fault::Limited | Fault::Internal => false,
        }
    }
}
