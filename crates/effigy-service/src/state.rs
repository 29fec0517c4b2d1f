//! The parts of a service, which all flows share.

use std::{io, sync::Arc, time::SystemTime};

use effigy_store::{LIFETIME, Store};
use effigy_upstream::{Revision, SkinSource};
use twox_hash::XxHash3_128;

use crate::{
    Clock, Image, ServiceConfig, ServiceMetrics,
    cache::{memory::MemoryCache, reads::StoreReads, writer::Writer},
    error::Shared,
    gate::Gate,
    health::HealthChecks,
    players::{LookUp, ResolvedPlayers, SkinId},
    request::key::CacheKey,
    single_flight::SingleFlight,
};

/// The parts of a service.
pub(crate) struct State {
    pub(crate) source: Arc<dyn SkinSource>,
    pub(crate) clock: Clock,
    pub(crate) config: ServiceConfig,
    pub(crate) metrics: ServiceMetrics,
    pub(crate) gate: Arc<Gate>,
    pub(crate) memory: MemoryCache,
    pub(crate) reads: StoreReads,
    pub(crate) writer: Writer,
    /// The files that are being made, by their keys.
    pub(crate) files: SingleFlight<String, Shared<Image>>,
    /// The skins that are being looked up.
    pub(crate) look_ups: SingleFlight<SkinId, Shared<LookUp>>,
    pub(crate) players: ResolvedPlayers,
    pub(crate) health: HealthChecks,
}

impl State {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        source: Arc<dyn SkinSource>,
        clock: Clock,
        config: ServiceConfig,
    ) -> io::Result<Self> {
        let lifetime = LIFETIME.saturating_add(config.stale_if_error);
        Ok(Self {
            gate: Gate::new(config.client_limits)?,
            memory: MemoryCache::new(config.memory_cache_bytes, lifetime),
            reads: StoreReads::new(Arc::clone(&store), lifetime),
            writer: Writer::start(Arc::clone(&store)),
            metrics: ServiceMetrics::default(),
            files: SingleFlight::default(),
            look_ups: SingleFlight::default(),
            players: ResolvedPlayers::new(config.player_ttl, source.ignores_case()),
            health: HealthChecks::new(store, Arc::clone(&source), clock.clone(), config.health_ttl),
            source,
            clock,
            config,
        })
    }

    pub(crate) fn now(&self) -> SystemTime {
        self.clock.now()
    }

    /// Returns the key of the file that shows the players' skins as they are now.
    ///
    /// It contains the revision of the players in the folder of skins, so a changed skin makes another file,
    /// which every process with the same folder finds.
    pub(crate) fn current(&self, key: &CacheKey) -> CacheKey {
        match self.revision(key) {
            Some(revision) => key.at(revision),
            None => key.clone(),
        }
    }

    /// Returns `true` if the players' skins are still those of the key.
    pub(crate) fn is_current(&self, key: &CacheKey) -> bool {
        self.revision(key) == key.revision
    }

    /// Returns the revision of all players together, or `None` if none of them is in the folder of skins.
    pub(crate) fn revision(&self, key: &CacheKey) -> Option<Revision> {
        let revisions = key.inputs().map(|input| self.source.revision(input));
        if revisions.clone().all(|revision| revision.is_none()) {
            return None;
        }
        let text = |revision: Option<Revision>| revision.map_or("-".to_owned(), |r| r.to_string());
        let all: String = revisions.map(text).collect();
        Some(Revision::new(XxHash3_128::oneshot(all.as_bytes())))
    }
}
