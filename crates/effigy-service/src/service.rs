//! The service: its settings, its parts, and what it answers.

use std::{
    fmt, io,
    sync::Arc,
    time::{Duration, SystemTime},
};

use effigy_player::{Edition, Model};
use effigy_store::{LIFETIME, Store, StoreError};
use effigy_upstream::{SkinSource, error_chain};
use tokio::task::JoinSet;

use crate::{
    Client, ClientRates, FileRequest, FileSpec, HealthReport, Image, MemoryBudget, PictureParams,
    Refused, ServiceError, SharedResource, Turn,
    cache::MemoryCache,
    doors::{Askers, MAX_JOB_MEMORY, Rates, Turns},
    error::Result,
    files::Files,
    flow::Flow,
    metrics::ServiceMetrics,
    players::{Appearance, DecodedSkin, Players},
    request::{DOCUMENT, key::Key},
    single_flight::SingleFlight,
};

/// The settings of a [`Service`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServiceConfig {
    /// Approximate size of the pictures in memory in front of the store.
    pub memory_cache_bytes: u64,
    /// The time for which pictures may be served after their hour if an outage prevents newer ones.
    /// Zero by default.
    pub stale_if_error: Duration,
    /// The time for which a resolved player is reused by the requests that allow it. A minute by
    /// default.
    pub player_ttl: Duration,
    /// Reuses players for every request.
    pub player_ttl_everywhere: bool,
    /// The time for which a health report is reused. A second by default.
    pub health_ttl: Duration,
    /// The rates of each client. None by default.
    pub client_rates: ClientRates,
}

impl Default for ServiceConfig {
    fn default() -> Self {
        Self {
            memory_cache_bytes: 64 << 20,
            stale_if_error: Duration::ZERO,
            player_ttl: Duration::from_secs(60),
            player_ttl_everywhere: false,
            health_ttl: Duration::from_secs(1),
            client_rates: ClientRates::default(),
        }
    }
}

/// A source of the current time, as `SystemTime::now` is one.
pub type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// The request flow over a store and a source of skins. Clones are handles to one service.
#[derive(Clone)]
pub struct Service {
    pub(crate) state: Arc<State>,
}

/// A request for a file that is not in memory, with its key.
#[derive(Debug, Clone)]
pub struct Miss {
    pub(crate) key: Key,
    pub(crate) request: FileRequest,
}

impl Miss {
    /// Returns `true` if the player's files may change at any time, as [`Image::may_change`] says.
    #[must_use]
    pub const fn may_change(&self) -> bool {
        self.key.may_change()
    }
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
        let lifetime = LIFETIME.saturating_add(config.stale_if_error);
        let files = Arc::new(Files::new(store, lifetime));
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
            players: Players::new(config.player_ttl),
            metrics: ServiceMetrics::default(),
            ignores_case: source.ignores_case(),
            health: Arc::default(),
            source,
            clock,
            config,
        });
        Ok(Self { state })
    }

    /// Returns the file if it is fresh in memory, without a task or an await; otherwise what [`file`](Self::file) takes.
    ///
    /// # Errors
    /// The request, if its file is not in memory.
    pub fn cached(&self, request: &FileRequest) -> Result<Image, Box<Miss>> {
        let key = self.state.key(&request.spec);
        // A file in memory also says that the request is valid.
        if let Some(image) = self.state.in_memory(&key) {
            return Ok(image);
        }
        Err(Box::new(Miss {
            key,
            request: request.clone(),
        }))
    }

    /// Returns the file, wherever it is from.
    ///
    /// # Errors
    /// Those of [`file`](Self::file).
    pub async fn get(&self, request: &FileRequest) -> Result<Image> {
        match self.cached(request) {
            Ok(image) => Ok(image),
            Err(miss) => Box::pin(self.file(*miss)).await,
        }
    }

    /// Returns the file from the store, or newly made. A picture that fails is that of the substitute, if the request
    /// has one.
    ///
    /// # Errors
    /// If a player cannot be resolved or the picture cannot be drawn, or if the client is refused, but not
    /// if the database fails. Callers that wait for the same work share its error.
    pub async fn file(&self, miss: Miss) -> Result<Image> {
        let request = &miss.request;
        let flow = self.flow(request.client);
        let own = flow.file(&miss).await;
        let shown = match (own, &request.substitute, &*request.spec) {
            (Err(error), Some(substitute), FileSpec::Picture(params, _))
                if substitute.replaces(&error) =>
            {
                flow.substitute(*params, substitute, error).await
            }
            (own, ..) => own,
        };
        if let Err(error) = &shown
            && error.report()
        {
            let failures = &self.state.metrics.failures;
            failures.with_label_values(&[error.fault().as_str()]).inc();
        }
        shown
    }

    /// Draws the skin in `texture`. It takes its turn among all other pictures, and is neither stored nor counted.
    ///
    /// # Errors
    /// If the file is not a skin, the picture cannot be drawn, or the client is refused.
    pub async fn preview(
        &self,
        client: Client,
        params: PictureParams,
        texture: Vec<u8>,
        model: Model,
    ) -> Result<Image> {
        let spec = params.spec.filter(|_| params.can_exist());
        let spec = spec.ok_or(ServiceError::TooLarge)?;
        let cost = params.drawing_cost();
        self.state.rates.charge_drawing(client, cost)?;
        let appearance = move || {
            let skin = DecodedSkin::decode(texture, model)?;
            Ok(Appearance::new(Arc::new(skin), None))
        };
        self.flow(client).draw(params, spec, appearance).await
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

    fn flow(&self, client: Client) -> Flow {
        Flow {
            state: Arc::clone(&self.state),
            askers: Askers::one(client),
        }
    }

    /// Counts a refusal because too many bytes wait for clients, and returns it.
    #[must_use]
    pub fn refuse_for_memory(&self) -> Refused {
        self.state.rates.refuse_all(SharedResource::Memory)
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

    /// Waits until the queue of pictures and counts is written to the store, which does not happen while the
    /// store fails. Call it last before the program ends.
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

/// The parts of a service.
pub(crate) struct State {
    pub(crate) source: Arc<dyn SkinSource>,
    /// That of the source, which is the same for each request.
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
    pub(crate) players: Players,
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

    /// Returns the key of a file.
    pub(crate) fn key(&self, spec: &Arc<FileSpec>) -> Key {
        Key::new(spec, &*self.source, self.ignores_case)
    }

    /// Returns the file if it is fresh in memory.
    pub(crate) fn in_memory(&self, key: &Key) -> Option<Image> {
        let now = self.now();
        let kept = self.memory.get(key, now);
        kept.filter(|image| image.is_fresh(now))
    }
}
