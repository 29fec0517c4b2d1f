//! The flows: each is a function from a request to its file.

mod draw;
mod group;
mod log;
mod profile;
mod signed;
mod substitute;

pub(crate) use self::{log::log_failure, signed::SignedProfiles};

use std::{
    hash::Hash,
    sync::Arc,
    time::{Duration, Instant},
};

use effigy_player::{Edition, Model, PlayerId};
use effigy_render::ImageFormat;
use effigy_upstream::{TextureHash, TextureUrl};

use crate::{
    FileRequest, FileSpec, Image, Origin, PictureParams, ServiceError, ShelfLife,
    doors::Askers,
    error::Result,
    outfit::Outfit,
    players::{Player, Resolved},
    request::key::{Key, PictureKey},
    service::State,
    single_flight::SingleFlight,
};

/// The media type of pictures and textures.
const PNG: &str = ImageFormat::Png.content_type();

/// The media type of profiles and places.
const JSON: &str = "application/json";

/// The longest file that is kept.
const MAX_KEPT_BYTES: usize = 8 << 20;

/// The flow of one request.
#[derive(Clone)]
pub(crate) struct Flow {
    pub(crate) state: Arc<State>,
    /// The clients that wait for the file.
    pub(crate) askers: Askers,
    /// The time at which look-ups must be over, if it is not that of the source.
    pub(crate) end: Option<Instant>,
}

impl Flow {
    /// Returns a file if its player needs no check and it is in memory. It neither waits nor calls.
    pub(crate) fn cached(&self, request: &FileRequest) -> Option<Image> {
        match &*request.spec {
            FileSpec::Picture(params, input) if params.is_specified() => {
                let id = PlayerId::detect(input).ok()?;
                if self.state.source.local(&id).is_some() {
                    return None;
                }
                let key = Key::specified(*params, input, self.state.ignores_case);
                self.state.in_memory(&key)
            }
            FileSpec::Picture(params, input) => {
                if let Some(hash) = TextureHash::parse(input) {
                    return self.remembered_texture(params, &hash, None);
                }
                let player = self.state.named(input).ok()?;
                let current = self.remembered(&player.id, request.version)?;
                let outfit = self.known_outfit(&current, params)?;
                self.remembered_picture(params, &outfit)
            }
            FileSpec::Texture(params, hash, model) => self.remembered_texture(params, hash, *model),
            FileSpec::Profile(input) => {
                let player = self.state.named(input).ok()?;
                let current = self.remembered(&player.id, request.version)?;
                self.remembered_profile(&player, &current)
            }
            FileSpec::TextureAt(..) | FileSpec::Group(_) | FileSpec::Cape(..) => None,
            FileSpec::SignedProfile(_) => None,
        }
    }

    /// Returns the picture of a texture's hash if it is in memory.
    fn remembered_texture(
        &self,
        params: &PictureParams,
        hash: &TextureHash,
        model: Option<Model>,
    ) -> Option<Image> {
        let id = self.state.textures.id_of_hash(hash)?;
        let outfit = Outfit::of_hash(hash, id, model);
        self.remembered_picture(params, &outfit)
    }

    /// Returns the picture of an outfit if it is in memory.
    fn remembered_picture(&self, params: &PictureParams, outfit: &Outfit) -> Option<Image> {
        let image = match params.spec {
            Some(_) => self.state.in_memory(&picture_key(params, outfit)?)?,
            None => {
                let file = self.state.textures.file(&outfit.skin.id)?;
                Image::made(file, PNG, self.state.now()).with_origin(Origin::Cache)
            }
        };
        Some(shown(image, outfit))
    }

    /// Returns a file, wherever it is from.
    pub(crate) async fn file(&self, request: &FileRequest) -> Result<Image> {
        match &*request.spec {
            FileSpec::Picture(params, input) if params.is_specified() => {
                self.specified(*params, input).await
            }
            FileSpec::Picture(params, input) => match TextureHash::parse(input) {
                Some(hash) => self.texture(params, &hash, None).await,
                None => self.picture_of_player(params, input, request.version).await,
            },
            FileSpec::Texture(params, hash, model) => self.texture(params, hash, *model).await,
            FileSpec::TextureAt(params, url, model) => {
                let shown = self.texture_at(params, url, *model).await;
                shown.map_err(|error| error.of_texture_at())
            }
            FileSpec::Group(group) => self.group(group, request.version).await,
            FileSpec::Profile(input) => {
                let found = self.resolved(input, request.version).await?;
                self.profile_document(&found.player, &found.current).await
            }
            FileSpec::SignedProfile(input) => self.signed_profile(input, request.version).await,
            FileSpec::Cape(input, size) => {
                let found = self.resolved(input, request.version).await?;
                self.cape_picture(&found.player, &found.current, *size)
                    .await
            }
        }
    }

    /// Returns the picture of the player that an input names.
    async fn picture_of_player(
        &self,
        params: &PictureParams,
        input: &str,
        version: Option<u64>,
    ) -> Result<Image> {
        self.check_size(params)?;
        let cost = params.drawing_cost();
        let Resolved {
            player,
            current,
            charged,
        } = self.resolved_for_drawing(input, version, cost).await?;
        let outfit = self.outfit(&player, &current, params).await?;
        let edition = Some(player.id.edition());
        self.picture(params, outfit, edition, charged).await
    }

    /// Returns the picture of a specified route: the answer of the last hour, or the picture of a
    /// fresh look-up. Spec, "Common rules" 6.
    async fn specified(&self, params: PictureParams, input: &str) -> Result<Image> {
        let player = Player::specified(input)?;
        if self.state.source.local(&player.id).is_some() {
            // A file in a folder may change at any time.
            let current = self.current(&player, None).await?;
            let outfit = self
                .outfit(&player, &current, &params)
                .await?
                .without_name();
            let edition = Some(player.id.edition());
            return self.picture(&params, outfit, edition, false).await;
        }
        let key = Key::specified(params, input, self.state.ignores_case);
        self.kept_or_made(&key, move |flow| async move {
            flow.check_size(&params)?;
            flow.charge_drawing(params.drawing_cost())?;
            let outfit = flow
                .specified_outfit(&player, &params, Instant::now())
                .await?
                .without_name();
            flow.state.files.count_render(player.id.edition());
            let mut image = flow.picture_of_route(&params, outfit).await?;
            if image.shelf_life != ShelfLife::Revalidate {
                image.shelf_life = ShelfLife::RestOfHour;
            }
            // The hour begins now, however old a stored picture of the same content is.
            let mut file = (*image.file).clone();
            file.created_at = flow.state.now();
            image.file = Arc::new(file);
            Ok(image.with_origin(Origin::Render))
        })
        .await
    }

    /// Returns the picture of a texture's hash.
    async fn texture(
        &self,
        params: &PictureParams,
        hash: &TextureHash,
        model: Option<Model>,
    ) -> Result<Image> {
        self.check_size(params)?;
        let (id, _) = self.file_of_hash(hash).await?;
        let outfit = Outfit::of_hash(hash, id, model);
        // Without a player the render has no edition to count for. Spec, "Stats".
        let shown = self.picture(params, outfit, None, false).await;
        if shown.as_ref().is_err_and(|error| error.has_bad_texture()) {
            // The server may have sent something else by mistake.
            self.state.textures.forget_hash(hash);
        }
        shown
    }

    /// Returns the picture of the texture at a URL that a client names.
    async fn texture_at(
        &self,
        params: &PictureParams,
        url: &str,
        model: Option<Model>,
    ) -> Result<Image> {
        self.check_size(params)?;
        let url = TextureUrl::new(url);
        let fetched = self.fetch(&url).await?;
        let outfit = Outfit::of_url(url, fetched.id, model);
        self.picture(params, outfit, None, false).await
    }

    /// Returns the outfit of a texture's hash, if it can be drawn.
    async fn drawable_outfit_of_hash(
        &self,
        hash: &TextureHash,
        model: Option<Model>,
    ) -> Result<Outfit> {
        let (id, _) = self.file_of_hash(hash).await?;
        let outfit = Outfit::of_hash(hash, id, model);
        if let Err(error) = self.skin_in(&outfit).await {
            if error.has_bad_texture() {
                self.state.textures.forget_hash(hash);
            }
            return Err(error);
        }
        Ok(outfit)
    }

    /// Returns the picture of an outfit: kept, or drawn once for all who ask. It counts as a render
    /// of this edition if it is drawn.
    pub(crate) async fn picture(
        &self,
        params: &PictureParams,
        outfit: Outfit,
        edition: Option<Edition>,
        charged: bool,
    ) -> Result<Image> {
        let Some(key) = picture_key(params, &outfit) else {
            return self.own_texture(&outfit).await;
        };
        let own_params = *params;
        let worn = outfit.clone();
        let draw = move |flow: Self| async move {
            if !charged {
                flow.charge_drawing(own_params.drawing_cost())?;
            }
            if let Some(edition) = edition {
                flow.state.files.count_render(edition);
            }
            flow.drawn(own_params, &worn).await
        };
        let image = if outfit.complete {
            self.kept_or_made(&key, draw).await?
        } else {
            draw(self.clone()).await?
        };
        Ok(shown(image, &outfit))
    }

    /// Returns the picture of an outfit for a specified route, which has charged and counted it. It
    /// is stored under the key of the route, so it is only remembered under its own.
    async fn picture_of_route(&self, params: &PictureParams, outfit: Outfit) -> Result<Image> {
        let Some(key) = picture_key(params, &outfit) else {
            return self.own_texture(&outfit).await;
        };
        let own_params = *params;
        let worn = outfit.clone();
        let draw = move |flow: Self| async move { flow.drawn(own_params, &worn).await };
        let image = if outfit.complete {
            self.clone().remembered_or_made(&key, draw).await?
        } else {
            draw(self.clone()).await?
        };
        Ok(shown(image, &outfit))
    }

    /// Draws an outfit.
    async fn drawn(&self, params: PictureParams, outfit: &Outfit) -> Result<Image> {
        let appearance = self.appearance(outfit).await?;
        let is_whole = appearance.is_whole;
        let image = self.draw(params, appearance).await?;
        Ok(image.kept_if(is_whole))
    }

    /// Returns the file of an outfit's skin.
    ///
    /// # Errors
    /// If it is not available, or is not a skin. So it is decoded, although the file itself is shown.
    async fn own_texture(&self, outfit: &Outfit) -> Result<Image> {
        let (_, skin) = self.skin_in(outfit).await?;
        let image = Image::made(skin.texture.clone(), PNG, self.state.now());
        Ok(shown(image, outfit))
    }

    /// Returns the file under a key: in memory, stored, or made once for all who ask meanwhile.
    pub(crate) async fn kept_or_made<F>(
        &self,
        key: &Key,
        make: impl FnOnce(Self) -> F + Send + 'static,
    ) -> Result<Image>
    where
        F: Future<Output = Result<Image>> + Send,
    {
        let own_key = key.clone();
        let find_or_make = move |flow: Self| async move {
            let text = own_key.text();
            if let Some(stored) = flow.stored(&own_key, &text).await {
                return Ok(stored);
            }
            let image = make(flow.clone()).await?;
            flow.store(text, &image);
            Ok(image)
        };
        self.alone().remembered_or_made(key, find_or_make).await
    }

    /// Returns the file under a key: in memory, or made once for all who ask meanwhile. They become
    /// askers of this flow.
    async fn remembered_or_made<F>(
        self,
        key: &Key,
        make: impl FnOnce(Self) -> F + Send + 'static,
    ) -> Result<Image>
    where
        F: Future<Output = Result<Image>> + Send,
    {
        let state = Arc::clone(&self.state);
        let known = || state.in_memory(key);
        let own_key = key.clone();
        let make_and_remember = move |flow: Self| async move {
            let image = make(flow.clone()).await?;
            if may_be_kept(&image) {
                flow.state.remember(&own_key, &image);
            }
            Ok(image)
        };
        self.share(&state.in_flight, key.clone(), known, make_and_remember)
            .await
    }

    /// Runs a computation once for all who ask for its key at the same time. They become askers of
    /// this flow, so it is usually the flow [`alone`](Self::alone).
    pub(crate) async fn share<K, V, F>(
        self,
        flights: &SingleFlight<K, V>,
        key: K,
        known: impl Fn() -> Option<V>,
        computation: impl FnOnce(Self) -> F,
    ) -> Result<V>
    where
        K: Clone + Eq + Hash + Send + 'static,
        V: Clone + Send + Sync + 'static,
        F: Future<Output = Result<V>> + Send + 'static,
    {
        let askers = self.askers.clone();
        flights.run(&askers, key, known, computation(self)).await
    }

    /// Returns the file under a key in the store, where the key is this text, if it may still be
    /// served.
    async fn stored(&self, key: &Key, text: &str) -> Option<Image> {
        let state = &self.state;
        let now = state.now();
        let times = &state.metrics.database_reads;
        let lifetime = state.lifetime_of(key);
        let file = state.files.read(text, now, lifetime, times).await?;
        Some(Image::new(file, Origin::Cache))
    }

    /// Stores a new file for later requests, unless it is too long or must not be shown again.
    fn store(&self, text: String, image: &Image) {
        let files = &self.state.files;
        if may_be_kept(image) {
            files.put_picture(text, &image.file);
        }
        files.write_soon();
    }

    /// Charges the client for drawing.
    pub(crate) fn charge_drawing(&self, cost: Duration) -> Result<()> {
        let client = self.askers.first();
        Ok(self.state.rates.charge_drawing(client, cost)?)
    }

    /// Checks that a picture can be drawn, before anything is done for it.
    fn check_size(&self, params: &PictureParams) -> Result<()> {
        if params.can_exist() {
            Ok(())
        } else {
            Err(ServiceError::TooLarge.into())
        }
    }
}

/// Returns the key of the picture of an outfit, or none for the unmodified texture.
fn picture_key(params: &PictureParams, outfit: &Outfit) -> Option<Key> {
    let spec = params.spec?;
    Some(Key::Picture(PictureKey {
        spec,
        format: params.format,
        motion: params.motion,
        outfit: outfit.key(),
    }))
}

/// Returns `true` unless a file is too long to be kept, or must not be shown again.
fn may_be_kept(image: &Image) -> bool {
    let may_be_shown_again = image.shelf_life != ShelfLife::Revalidate;
    may_be_shown_again && image.file.data.len() <= MAX_KEPT_BYTES
}

/// Returns a picture as it shows an outfit: as current as that, and as stale.
fn shown(image: Image, outfit: &Outfit) -> Image {
    // A picture that lacks something is not what its key says.
    let shelf_life = if image.shelf_life == ShelfLife::Revalidate {
        ShelfLife::Revalidate
    } else {
        outfit.shelf_life
    };
    let image = image.with_shelf_life(shelf_life);
    image.marked_stale(outfit.stale)
}
