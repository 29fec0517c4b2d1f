//! The flows: each is a function from a request to its file, in the specification's steps.

mod draw;
mod group;
mod picture;
mod profile;

use std::{
    sync::Arc,
    time::{Instant, SystemTime},
};

use bytes::Bytes;
use effigy_player::Model;
use effigy_render::ImageFormat;
use effigy_upstream::{LimitReason, SkinSource, Terms, TextureUrl, UpstreamError, error_chain};
use futures_util::{FutureExt as _, future::BoxFuture};

use crate::{
    Client, Endpoint, Fault, FileRequest, Image, Origin, PictureParams, Service, ServiceError,
    SharedResource,
    error::Result,
    metrics::observe,
    players::{Appearance, DecodedSkin},
    request::{FileSpec, key::Key},
    service::State,
};

/// The media type of pictures and textures.
const PNG: &str = ImageFormat::Png.content_type();

/// The longest part of an input that is logged. No name is longer.
const MAX_LOGGED_CHARS: usize = 64;

/// The flow of one request, with the client who pays for it.
#[derive(Clone)]
pub(crate) struct Flow {
    pub(crate) state: Arc<State>,
    pub(crate) client: Client,
}

/// A request for a file that is not in memory, with its key.
#[derive(Debug)]
pub struct Miss {
    key: Key,
    request: FileRequest,
}

impl Service {
    /// Returns the file if it is fresh in memory, without a task or an await; otherwise what [`file`](Self::file) takes.
    ///
    /// # Errors
    /// The request, if its file is not in memory.
    pub fn cached(&self, request: &FileRequest) -> Result<Image, Miss> {
        // A file in memory also says that the request is valid.
        self.state.in_memory(&request.spec).map_err(|key| Miss {
            key,
            request: request.clone(),
        })
    }

    /// Returns the file, wherever it is from.
    ///
    /// # Errors
    /// Those of [`file`](Self::file).
    pub async fn get(&self, client: &Client, request: &FileRequest) -> Result<Image> {
        match self.cached(request) {
            Ok(image) => Ok(image),
            Err(miss) => self.file(client, miss).await,
        }
    }

    /// Returns the file from the store, or newly made. A picture that fails is that of the substitute, if the request
    /// has one.
    ///
    /// # Errors
    /// If a player cannot be resolved or the picture cannot be drawn, or if the client is refused, but not
    /// if the database fails. Callers that wait for the same work share its error.
    pub async fn file(&self, client: &Client, miss: Miss) -> Result<Image> {
        let flow = self.flow(client);
        let FileRequest {
            spec,
            reuses_players,
            substitute,
        } = miss.request;
        let own = flow.file(miss.key, &spec, reuses_players).await;
        match (own, &substitute, &*spec) {
            (Err(error), Some(substitute), FileSpec::Picture(params, _))
                if substitute.replaces(&error) =>
            {
                flow.substitute(*params, substitute, &error).await
            }
            (own, ..) => own,
        }
    }

    /// Draws the skin in `texture`. It takes its turn among all other pictures, and is neither stored nor counted.
    ///
    /// # Errors
    /// If the file is not a skin, the picture cannot be drawn, or the client is refused.
    pub async fn preview(
        &self,
        client: &Client,
        params: PictureParams,
        texture: Vec<u8>,
        model: Model,
    ) -> Result<Image> {
        if !params.can_exist() {
            return Err(ServiceError::TooLarge.into());
        }
        let spec = params.spec.ok_or(ServiceError::TooLarge)?;
        let appearance = move || {
            let skin = DecodedSkin::decode(texture, model)?;
            Ok(Appearance::new(Arc::new(skin), None))
        };
        self.flow(client).draw(params, spec, appearance).await
    }

    fn flow(&self, client: &Client) -> Flow {
        Flow {
            state: Arc::clone(&self.state),
            client: client.clone(),
        }
    }
}

impl State {
    /// Returns a file that is fresh in memory, or else its key.
    pub(crate) fn in_memory(&self, spec: &Arc<FileSpec>) -> Result<Image, Key> {
        let key = Key::new(spec, &*self.source);
        self.files.in_memory(&key, self.now()).ok_or(key)
    }
}

impl Flow {
    /// Returns a file that is not in memory: from the store, or made once for all who ask meanwhile.
    fn file(
        &self,
        key: Key,
        spec: &Arc<FileSpec>,
        reuses_players: bool,
    ) -> BoxFuture<'_, Result<Image>> {
        let spec = Arc::clone(spec);
        let make = move |flow: Self, has_stale| async move {
            flow.make(&spec, reuses_players, has_stale).await
        };
        async move { self.state.files.get_or_make(self, &key, make).await }.boxed()
    }

    /// Makes a file.
    async fn make(&self, spec: &FileSpec, reuses_players: bool, has_stale: bool) -> Result<Image> {
        let player = |input| self.player(input, reuses_players);
        match spec {
            FileSpec::Picture(params, input) => {
                self.picture(*params, &player(input)?, has_stale).await
            }
            FileSpec::Texture(params, hash, model) => {
                self.picture_of_texture(*params, hash, *model).await
            }
            FileSpec::Group(group) => self.group(group.clone(), has_stale).await,
            FileSpec::Profile(input) => self.profile_document(&player(input)?).await,
            FileSpec::Cape(input, size) => self.cape_of(&player(input)?, *size, has_stale).await,
        }
    }

    pub(crate) fn now(&self) -> SystemTime {
        self.state.now()
    }

    /// Returns the flow of a part of the work, for which others may wait too.
    pub(crate) fn of(&self, client: Client) -> Self {
        let state = Arc::clone(&self.state);
        Self { state, client }
    }

    /// A new file that is not drawn.
    fn new_file(&self, data: impl Into<Bytes>, content_type: &str, origin: Origin) -> Image {
        Image::made(data, content_type, self.now(), origin)
    }

    /// Fetches a texture that a profile names, unless it is at hand.
    pub(crate) async fn texture(&self, url: &TextureUrl, deadline: Instant) -> Result<Bytes> {
        if let Some(file) = url.file() {
            return Ok(Bytes::copy_from_slice(file));
        }
        let url = url.clone();
        let fetch = move |source: &dyn SkinSource, terms: Terms<'_>| source.texture(&url, terms);
        Ok(self.call_source(deadline, fetch).await?.into())
    }

    /// Calls the source of skins on a blocking thread, at the expense of the client.
    ///
    /// # Errors
    /// If the client is refused, too many calls are being made, or the call fails.
    pub(crate) async fn call_source<T: Send + 'static>(
        &self,
        deadline: Instant,
        call: impl FnOnce(&dyn SkinSource, Terms<'_>) -> Result<T, UpstreamError> + Send + 'static,
    ) -> Result<T> {
        let (permit, payer) = (self.client.call()?, self.client.payer());
        let (source, started) = (Arc::clone(&self.state.source), Instant::now());
        // The permit moves with the call: a busy thread counts even if the caller has left.
        let task = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let payer = payer.as_ref();
            call(&*source, Terms { deadline, payer })
        });
        let answer = task.await.map_err(|_| ServiceError::Interrupted)?;
        if let Err(error) = &answer
            && error.limit() == Some(LimitReason::Share)
        {
            let retry_after = error.retry_after().unwrap_or_default();
            let refused = self.client.refuse_for(SharedResource::Lookups, retry_after);
            return Err(refused.into());
        }
        observe(&self.state.metrics.look_ups, started.elapsed(), &answer);
        Ok(answer?)
    }

    /// Counts a failed request and logs the reason, with every cause. Callers can cause as many
    /// failures as they like, so only those of others are warnings.
    pub(crate) fn log_failure(&self, endpoint: Endpoint, input: &str, error: &ServiceError) {
        let fault = error.fault();
        let failures = &self.state.metrics.failures;
        failures.with_label_values(&[fault.as_str()]).inc();
        let endpoint = endpoint.as_str();
        let input: String = input.chars().take(MAX_LOGGED_CHARS).collect();
        let reason = error_chain(error);
        // Warnings are throttled by their place in the code.
        match fault {
            Fault::Request | Fault::NotFound | Fault::Limited => {
                tracing::debug!(endpoint, input, "{reason}");
            }
            Fault::Overloaded => tracing::warn!("requests are refused: {reason}"),
            Fault::Upstream => tracing::warn!(endpoint, input, "{reason}"),
            Fault::Internal => tracing::warn!(endpoint, input, "{reason}"),
        }
    }
}
