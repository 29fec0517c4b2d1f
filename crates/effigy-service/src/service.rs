//! The service, as its callers see it.

mod metrics;

use std::{fmt, io, sync::Arc, time::SystemTime};

use effigy_player::{Edition, Model};
use effigy_store::Store;
use effigy_upstream::{SkinSource, error_chain};

use crate::{
    Allowance, Client, Clock, Failure, FileRequest, FileSpec, HealthReport, MemoryBudget,
    PictureParams, Refreshed, Refused, ServedFile, ServiceConfig, SharedResource, Turn,
    doors::Askers,
    error::Result,
    flow::Flow,
    products::{log_failure, run_in_order},
    request::DOCUMENT,
    state::State,
};

/// The request flow over a store and a source of skins. Clones are handles to one service.
#[derive(Clone)]
pub struct Service {
    state: Arc<State>,
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
        let state = State::start(store, source, clock, config)?;
        Ok(Self { state })
    }

    /// Returns the file if it is in memory and its player needs no check, without a task or an
    /// await.
    #[must_use]
    pub fn cached(&self, request: &FileRequest) -> Option<ServedFile> {
        self.flow(request.client).cached(request)
    }

    /// Returns the file, wherever it is from. If it fails, the file of the first alternative that
    /// exists is returned, or the picture of the substitute, if the request has one.
    ///
    /// The memory is asked first, also if the caller has just asked [`cached`](Self::cached): that
    /// takes microseconds of a miss that takes milliseconds, and another request may have made the
    /// file since.
    ///
    /// # Errors
    /// If a player cannot be resolved or the picture cannot be drawn, or if the client is refused,
    /// but not if the database fails. Callers that wait for the same work share its error.
    pub async fn get(&self, request: &FileRequest) -> Result<ServedFile> {
        if let Some(served) = self.cached(request) {
            return Ok(served);
        }
        let made = Box::pin(self.made_or_substitute(request)).await;
        if let Err(error) = &made
            && error.is_first_report()
        {
            let failures = &self.state.metrics.failures;
            failures.with_label_values(&[error.fault().as_str()]).inc();
        }
        made
    }

    /// Makes the file, or the first alternative that exists, or the picture of the substitute.
    async fn made_or_substitute(&self, request: &FileRequest) -> Result<ServedFile> {
        let flow = self.flow(request.client);
        let mut error = match flow.file(request).await {
            Ok(served) => return Ok(served),
            Err(error) => error,
        };
        log_once(&request.spec, &error);
        for alternative in &request.alternatives {
            if !error.leaves_alternatives() {
                return Err(error);
            }
            match flow.alternative(request, alternative).await {
                Ok(served) => return Ok(served.at_most(error.shelf_life_of_substitute())),
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
            return flow.substitute(*params, request, substitute, error).await;
        }
        Err(error)
    }

    /// Returns the profile of each player, or the reason why there is none.
    ///
    /// # Errors
    /// If the client is refused.
    pub async fn profiles(
        &self,
        client: Client,
        inputs: &[String],
        version: Option<u64>,
    ) -> Result<Vec<Result<ServedFile>>> {
        let profiles = inputs.iter().map(|input| async move {
            let request = FileRequest::from(FileSpec::Profile(input.clone()))
                .from_client(client)
                .with_version(version);
            self.get(&request).await
        });
        run_in_order(profiles.collect()).await
    }

    /// Checks a player now. Within the profile interval, the record is the answer.
    ///
    /// # Errors
    /// If there is no such player, or the check fails or is refused. The record stays then.
    pub async fn refresh(&self, client: Client, input: &str) -> Result<Refreshed> {
        self.flow(client).refresh(input).await
    }

    /// Draws the skin in `texture`, on a model that is guessed if none is given. It takes its turn
    /// among all other pictures, and is neither stored nor counted.
    ///
    /// # Errors
    /// If the file is not a skin, the picture cannot be drawn, or the client is refused.
    pub async fn preview(
        &self,
        client: Client,
        params: PictureParams,
        texture: Vec<u8>,
        model: impl Into<Option<Model>>,
    ) -> Result<ServedFile> {
        let flow = self.flow(client);
        flow.preview(params, texture, model.into()).await
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
        self.flow(client).document(memory, make).await
    }

    /// Checks the service's health, or returns the last report if it is recent. Simultaneous calls
    /// share one check, which goes on when they leave.
    pub async fn health(&self) -> HealthReport {
        self.state.health.report().await
    }

    /// Returns the number of pictures rendered for each edition, descending; Java first on a tie.
    ///
    /// # Errors
    /// If the client is refused, or the database fails.
    pub async fn counts(&self, client: Client) -> Result<Vec<(Edition, u64)>> {
        self.state.rates.charge_drawing(client, DOCUMENT)?;
        let counts = self.state.files.counts().await;
        if let Err(error) = &counts {
            tracing::warn!("no counts: {}", error_chain(error));
        }
        Ok(counts?)
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
    pub fn waiting_memory(&self) -> &Arc<MemoryBudget> {
        &self.state.waiting
    }

    /// Waits until all queued pictures, textures, players and counts are written to the store,
    /// which does not happen while the store fails. Call it last before the program ends.
    pub async fn flush(&self) {
        self.state.files.flush().await;
    }

    /// Returns the time on the service's clock.
    #[must_use]
    pub fn now(&self) -> SystemTime {
        self.state.now()
    }

    fn flow(&self, client: Client) -> Flow {
        Flow::new(Arc::clone(&self.state), Askers::one(client))
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
