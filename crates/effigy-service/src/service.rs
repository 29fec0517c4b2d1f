//! The service: its settings, its parts, and what it answers.

use std::{
    fmt, io,
    sync::Arc,
    time::{Duration, SystemTime},
};

use effigy_player::{BedrockPrefixes, Edition, Model};
use effigy_store::{LIFETIME, Store, StoreError};
use effigy_upstream::{SkinSource, error_chain};
use tokio::task::JoinSet;

use crate::{
    Allowance, Client, ClientRates, Failure, FileRequest, FileSpec, HealthReport, Image,
    MemoryBudget, Origin, PictureParams, Refused, ServiceError, SharedResource, Turn,
    cache::MemoryCache,
    doors::{Askers, MAX_JOB_MEMORY, Rates, Turns},
    error::Result,
    files::Files,
    flow::{Flow, SignedProfiles, log_failure},
    metrics::ServiceMetrics,
    outfit::Appearance,
    players::PlayerMemory,
    request::{DOCUMENT, key::Key},
    single_flight::SingleFlight,
    textures::{DECODING_BYTES, DecodedSkin, TextureMemory},
};

/// The settings of a [`Service`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceConfig {
    /// Approximate size of the pictures in memory in front of the store.
    pub memory_cache_bytes: u64,
    /// The age up to which a player's record is used without a check. A minute by default.
    pub fresh: Duration,
    /// The age up to which a player's record is shown if checks fail. A day by default.
    pub stale_if_error: Duration,
    /// The age up to which a stored picture is used. A day by default.
    pub picture_age: Duration,
    /// `true` if other processes share the store.
    pub has_replicas: bool,
    /// The time for which a health report is reused. A second by default.
    pub health_ttl: Duration,
    /// The rates of each client. None by default.
    pub client_rates: ClientRates,
    /// The prefixes of the gamertags of Bedrock players, except on the specified routes. Only a dot
    /// by default.
    pub bedrock_prefixes: BedrockPrefixes,
}

impl Default for ServiceConfig {
    fn default() -> Self {
        Self {
            memory_cache_bytes: 64 << 20,
            fresh: Duration::from_secs(60),
            stale_if_error: DAY,
            picture_age: DAY,
            has_replicas: false,
            health_ttl: Duration::from_secs(1),
            client_rates: ClientRates::default(),
            bedrock_prefixes: BedrockPrefixes::default(),
        }
    }
}

const DAY: Duration = Duration::from_secs(24 * 3600);

/// A source of the current time, as `SystemTime::now` is one.
pub type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// The request flow over a store and a source of skins. Clones are handles to one service.
#[derive(Clone)]
pub struct Service {
    pub(crate) state: Arc<State>,
}

impl Service {
    /// A service that stores pictures in `store` and gets skins from `source`.
    /// It must be created in a runtime of `tokio`, which runs the task that writes to the store.
    ///
    /// # Errors
    /// If a drawing thread cannot be started.
    pub fn new(
        store: Arc<dyn Store>,
        source: Arc<dyn SkinSource>,
        clock: Clock,
        config: ServiceConfig,
    ) -> io::Result<Self> {
        let files = Arc::new(Files::new(store, Arc::clone(&clock), config.has_replicas));
        let ignores_case = source.ignores_case();
        // A picture of a specified route is the answer for an hour, whatever the setting.
        let lifetime = config.picture_age.max(LIFETIME);
        let state = Arc::new(State {
            rates: Rates::new(config.client_rates, &source.upstreams()),
            turns: Turns::start()?,
            waiting: Arc::default(),
            memory: MemoryCache::new(
                config.memory_cache_bytes,
                move |_| lifetime,
                |image| image.file.data.len(),
            ),
            in_flight: SingleFlight::new(),
            _writing: JoinSet::from_iter([Arc::clone(&files).write_queued()]),
            files,
            players: PlayerMemory::new(source.fingerprint(), ignores_case),
            textures: TextureMemory::new(),
            signed: SignedProfiles::new(),
            metrics: ServiceMetrics::default(),
            ignores_case,
            health: Arc::default(),
            source,
            clock,
            config,
        });
        Ok(Self { state })
    }

    /// Returns the file if it is in memory and its player needs no check, without a task or an
    /// await.
    #[must_use]
    pub fn cached(&self, request: &FileRequest) -> Option<Image> {
        self.flow(request.client).cached(request)
    }

    /// Returns the file, wherever it is from. A picture that fails is that of the first alternative
    /// that exists, or of the substitute, if the request has one.
    ///
    /// # Errors
    /// If a player cannot be resolved or the picture cannot be drawn, or if the client is refused,
    /// but not if the database fails. Callers that wait for the same work share its error.
    pub async fn get(&self, request: &FileRequest) -> Result<Image> {
        if let Some(image) = self.cached(request) {
            return Ok(image);
        }
        Box::pin(self.made(request)).await
    }

    async fn made(&self, request: &FileRequest) -> Result<Image> {
        let made = self.made_or_substitute(request).await;
        if let Err(error) = &made
            && error.is_first_report()
        {
            let failures = &self.state.metrics.failures;
            failures.with_label_values(&[error.fault().as_str()]).inc();
        }
        made
    }

    /// Makes the file, or the first alternative that exists, or the picture of the substitute.
    async fn made_or_substitute(&self, request: &FileRequest) -> Result<Image> {
        let flow = self.flow(request.client);
        let mut error = match flow.file(request).await {
            Ok(image) => return Ok(image),
            Err(error) => error,
        };
        log_once(&request.spec, &error);
        for alternative in &request.alternatives {
            if !error.leaves_alternatives() {
                return Err(error);
            }
            match flow.alternative(request, alternative).await {
                Ok(image) => return Ok(image.at_most(error.shelf_life_of_substitute())),
                Err(failure) => {
                    log_once(alternative, &failure);
                    error = error.or_graver(failure);
                }
            }
        }
        if let FileSpec::Picture(params, _) | FileSpec::Texture(params, ..) = &*request.spec
            && let Some(substitute) = &request.substitute
            && substitute.replaces(&error)
        {
            return flow.substitute(*params, substitute, error).await;
        }
        Err(error)
    }

    /// Draws the skin in `texture`, on a model that is guessed if none is given. It takes its turn among all other pictures, and is neither
    /// stored nor counted.
    ///
    /// # Errors
    /// If the file is not a skin, the picture cannot be drawn, or the client is refused.
    pub async fn preview(
        &self,
        client: Client,
        params: PictureParams,
        texture: Vec<u8>,
        model: impl Into<Option<Model>>,
    ) -> Result<Image> {
        let model = model.into();
        if params.spec.is_none() || !params.can_exist() {
            return Err(ServiceError::TooLarge.into());
        }
        let cost = params.drawing_cost();
        self.state.rates.charge_drawing(client, cost)?;
        let flow = self.flow(client);
        let decode = move |_: &Turn| DecodedSkin::decode(texture, model);
        let skin = self
            .state
            .draw(&flow.askers, DECODING_BYTES, decode)
            .await?;
        let skin = skin.map_err(ServiceError::NotASkin)?;
        let appearance = Appearance::of_skin(Arc::new(skin));
        flow.draw(params, appearance).await
    }

    /// Makes a document that is not stored, on a drawing thread when it is the client's turn. It
    /// may use this much memory.
    ///
    /// # Errors
    /// If the client is refused, or `make` panics.
    pub async fn document<T: Send + 'static>(
        &self,
        client: Client,
        memory: u64,
        make: impl FnOnce(&Turn) -> T + Send + 'static,
    ) -> Result<T> {
        self.state.rates.charge_drawing(client, DOCUMENT)?;
        let made = self.state.draw(&Askers::one(client), memory, make).await;
        Ok(made?)
    }

    pub(crate) fn flow(&self, client: Client) -> Flow {
        Flow {
            state: Arc::clone(&self.state),
            askers: Askers::one(client),
            end: None,
        }
    }

    /// Counts a refusal because too many bytes wait for clients, and returns it.
    #[must_use]
    pub fn refuse_for_memory(&self) -> Refused {
        self.state.rates.refuse_all(SharedResource::Memory)
    }

    /// Returns what a client has left of its rates; nothing for a client without limits.
    #[must_use]
    pub fn allowances(&self, client: Client) -> Vec<Allowance> {
        self.state.rates.allowances(client)
    }

    /// Returns the memory of bytes that wait for clients.
    #[must_use]
    pub fn memory(&self) -> &Arc<MemoryBudget> {
        &self.state.waiting
    }

    /// Returns the number of pictures rendered for each edition, descending; Java first on a tie.
    ///
    /// # Errors
    /// If the client is refused, or the database fails.
    pub async fn counts(&self, client: Client) -> Result<Vec<(Edition, u64)>> {
        self.state.rates.charge_drawing(client, DOCUMENT)?;
        let counts = self.state.files.counts().await;
        let warn = |error: &StoreError| tracing::warn!("no counts: {}", error_chain(error));
        Ok(counts.inspect_err(warn)?)
    }

    /// Waits until the queue of pictures and counts is written to the store, which does not happen
    /// while the store fails. Call it last before the program ends.
    pub async fn flush(&self) {
        self.state.files.flush().await;
    }

    /// Returns the time on the service's clock.
    #[must_use]
    pub fn now(&self) -> SystemTime {
        self.state.now()
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").finish_non_exhaustive()
    }
}

/// Logs a failure, unless it was logged for another request.
fn log_once(spec: &FileSpec, error: &Failure) {
    if error.is_first_log() {
        log_failure(spec.endpoint(), &spec.input(), error);
    }
}

/// The parts of a service.
pub(crate) struct State {
    pub(crate) source: Arc<dyn SkinSource>,
    /// `true` if the providers ignore the letter case of names, for every request alike.
    pub(crate) ignores_case: bool,
    pub(crate) clock: Clock,
    pub(crate) config: ServiceConfig,
    pub(crate) metrics: ServiceMetrics,
    /// The doors.
    pub(crate) rates: Rates,
    pub(crate) turns: Arc<Turns>,
    pub(crate) waiting: Arc<MemoryBudget>,
    /// The most requested files.
    pub(crate) memory: MemoryCache<Key, Image>,
    /// The files that are being made.
    pub(crate) in_flight: SingleFlight<Key, Image>,
    pub(crate) files: Arc<Files>,
    /// The task that writes files, which ends with the service.
    _writing: JoinSet<()>,
    pub(crate) players: PlayerMemory,
    pub(crate) textures: TextureMemory,
    pub(crate) signed: SignedProfiles,
    /// The last report. Locked while a check is being made.
    pub(crate) health: Arc<tokio::sync::Mutex<Option<(SystemTime, HealthReport)>>>,
}

impl State {
    pub(crate) fn now(&self) -> SystemTime {
        (self.clock)()
    }

    /// Runs `work` on a drawing thread when it is the turn of one of `askers`.
    ///
    /// # Errors
    /// `TooLarge` if it needs too much memory, `Refused` if too many jobs wait, `Interrupted` if it
    /// panics.
    pub(crate) async fn draw<T: Send + 'static>(
        &self,
        askers: &Askers,
        memory: u64,
        work: impl FnOnce(&Turn) -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        if memory > MAX_JOB_MEMORY {
            return Err(ServiceError::TooLarge);
        }
        let done = self.turns.run(askers, memory, work).await;
        let done = done.map_err(|_full| self.rates.refuse_all(SharedResource::Queue))?;
        done.ok_or(ServiceError::Interrupted)
    }

    /// Returns the file if it is in memory.
    pub(crate) fn in_memory(&self, key: &Key) -> Option<Image> {
        let now = self.now();
        let kept = self.memory.get(key, now)?;
        let age = now.duration_since(kept.file.created_at).ok()?;
        (age < self.lifetime_of(key)).then_some(kept)
    }

    /// Remembers a file for later requests.
    pub(crate) fn remember(&self, key: &Key, image: &Image) {
        let kept = image.clone().with_origin(Origin::Cache);
        let created_at = image.file.created_at;
        self.memory.insert(key.clone(), created_at, kept);
    }

    /// Returns the age up to which a kept picture is used.
    pub(crate) fn lifetime_of(&self, key: &Key) -> Duration {
        if key.is_immutable() {
            self.config.picture_age
        } else {
            LIFETIME
        }
    }
}
