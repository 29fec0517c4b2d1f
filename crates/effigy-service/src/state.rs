//! The parts of a service, which all requests share.

pub(crate) mod config;
pub(crate) mod health;

use std::{io, sync::Arc, time::SystemTime};

use effigy_store::Store;
use effigy_upstream::SkinSource;
use tokio::task::JoinSet;

use self::health::HealthChecks;
use crate::{
    Clock, MemoryBudget, ServedFile, ServiceConfig,
    doors::{Rates, Turns},
    files::Files,
    metrics::ServiceMetrics,
    players::{memory::PlayerMemory, signed_profiles::SignedProfiles},
    request::key::Key,
    reuse::cache::MemoryCache,
    reuse::single_flight::SingleFlight,
    textures::memory::TextureMemory,
};

/// The parts of a service.
pub(crate) struct State {
    pub(crate) source: Arc<dyn SkinSource>,
    /// `true` if the providers ignore the letter case of names.
    pub(crate) ignores_case: bool,
    pub(crate) clock: Clock,
    pub(crate) config: ServiceConfig,
    pub(crate) metrics: ServiceMetrics,
    /// The first door.
    pub(crate) rates: Rates,
    /// The second door.
    pub(crate) turns: Arc<Turns>,
    /// The memory of bytes that wait for clients.
    pub(crate) waiting: Arc<MemoryBudget>,
    /// The most requested files.
    pub(crate) memory: MemoryCache<Key, ServedFile>,
    /// The files that are being made.
    pub(crate) in_flight: SingleFlight<Key, ServedFile>,
    pub(crate) files: Arc<Files>,
    /// The task that writes files, which ends with the service.
    _writing: JoinSet<()>,
    pub(crate) players: PlayerMemory,
    pub(crate) textures: TextureMemory,
    pub(crate) signed: SignedProfiles,
    pub(crate) health: HealthChecks,
}

impl State {
    /// Starts the drawing threads, and the task that writes to the store.
    ///
    /// # Errors
    /// If a drawing thread cannot be started.
    pub(crate) fn start(
        store: Arc<dyn Store>,
        source: Arc<dyn SkinSource>,
        clock: Clock,
        config: ServiceConfig,
    ) -> io::Result<Arc<Self>> {
        let files = Arc::new(Files::new(store, Arc::clone(&clock), config.shared_store));
        let ignores_case = source.ignores_case();
        let picture_age = config.picture_age;
        let memory = MemoryCache::new(
            config.memory_cache_bytes,
            move |key: &Key| key.lifetime(picture_age),
            |served: &ServedFile| served.file.data.len(),
        );
        Ok(Arc::new(Self {
            rates: Rates::new(config.client_rates, &source.upstreams()),
            turns: Turns::start()?,
            waiting: Arc::default(),
            memory,
            in_flight: SingleFlight::new(),
            _writing: JoinSet::from_iter([Arc::clone(&files).write_queued()]),
            players: PlayerMemory::new(source.fingerprint(), ignores_case),
            textures: TextureMemory::new(),
            signed: SignedProfiles::new(),
            metrics: ServiceMetrics::default(),
            health: HealthChecks::new(
                Arc::clone(&source),
                Arc::clone(&files),
                Arc::clone(&clock),
                config.health_ttl,
            ),
            files,
            ignores_case,
            source,
            clock,
            config,
        }))
    }

    pub(crate) fn now(&self) -> SystemTime {
        (self.clock)()
    }
}
