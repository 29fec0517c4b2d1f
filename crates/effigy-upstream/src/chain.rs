//! The chain of providers: the only place that knows their order.

mod chained_provider;
mod default_skins;
mod fingerprint;
mod plan;
mod profiles;
mod questions;
mod renewal;
mod set_up;
mod status;
mod texture_urls;
mod textures;

use std::time::{Duration, Instant};
use std::{fmt, sync::Arc};

use effigy_player::{PlayerId, Uuid};
use quick_cache::sync::Cache;

use crate::fetcher::{Fetcher, Network};
use crate::limits::UpstreamLimits;
use crate::providers::{self, Provider, folder::SkinFolder};
use crate::servers::Servers;
use crate::{
    BaseUrl, ConfigError, FileChecks, LookUp, Profile, Profiles as _, Request, Response,
    TextureHash, Transport, UpstreamConfig, UpstreamError, UpstreamId, error::Result,
};
use chained_provider::ChainedProvider;
pub use default_skins::DefaultSkin;
use questions::Question;
use set_up::{servers_of, texture_service};

/// The time limit of a health check. Spec, "Limits".
const HEALTH_CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// The longest timeout. Longer ones could overflow an `Instant`.
const MAX_TIMEOUT: Duration = Duration::from_secs(3600);

/// The number of names that are remembered for their offline UUIDs.
const RECENT_NAMES: usize = 10_000;

/// A chain of providers, which are asked for a player in their order. The first one that knows the
/// player decides.
///
/// Any number of threads may share one; the limits apply to all of them together.
pub struct ProviderChain {
    network: Network,
    providers: Vec<ChainedProvider>,
    /// The game's texture service, which has the default skins and the textures of several
    /// providers.
    game: Servers,
    texture_base: BaseUrl,
    /// The names that were looked up lately, by the UUIDs that servers in offline mode give them.
    names: Cache<Uuid, String>,
}

/// The answers of a provider to a check by the operator.
#[derive(Debug)]
#[non_exhaustive]
pub struct ProviderReport {
    /// The provider, by its kind and host.
    pub provider: Arc<str>,
    /// The reason why it does not answer, or `Ok`.
    pub state: Result<()>,
    /// Its answer about the player, or `None` if it cannot know such players.
    pub answer: Option<Result<Option<Profile>, Arc<UpstreamError>>>,
}

impl ProviderChain {
    /// Creates the chain of `config`, which calls the services over `transport`.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if a texture host is malformed, or a folder cannot be used.
    pub fn new(transport: impl Transport, config: UpstreamConfig) -> Result<Self, ConfigError> {
        let providers = config.providers.iter();
        let providers = providers.map(|text| providers::set_up(text, &config));
        Self::with_providers(transport, &config, providers.collect::<Result<_, _>>()?)
    }

    /// Creates a chain of one provider, whose files are in memory. It calls nothing.
    ///
    /// The names of files are those in a folder of skins: `<player>.png`, `<player>.slim.png` or
    /// `<player>.cape.png`. Files that cannot be used are logged.
    #[must_use]
    pub fn in_memory(
        files: impl IntoIterator<Item = (String, Vec<u8>)>,
        checks: FileChecks,
    ) -> Self {
        // A texture that is not in memory does not exist.
        let transport = |_: &Request| Ok(Response::not_found());
        let folder: Box<dyn Provider> = Box::new(SkinFolder::in_memory(files, checks));
        let memory = vec![("memory".to_owned(), folder)];
        let chain = Self::with_providers(transport, &UpstreamConfig::default(), memory);
        chain.expect("the default settings are valid")
    }

    /// Returns the time that a look-up may take, with all of its calls.
    #[must_use]
    pub fn look_up_time(&self) -> Duration {
        2 * self.network.timeout
    }

    /// Creates the chain of these providers. A second provider of the same name gets a number.
    fn with_providers(
        transport: impl Transport,
        config: &UpstreamConfig,
        named: Vec<(String, Box<dyn Provider>)>,
    ) -> Result<Self, ConfigError> {
        let mut providers: Vec<ChainedProvider> = Vec::new();
        let mut next_id = 0;
        for (mut name, provider) in named {
            if providers.iter().any(|earlier| **earlier.name() == name) {
                name += &format!("#{}", providers.len() + 1);
            }
            let servers = servers_of(&*provider, name.into(), config, next_id)?;
            next_id += servers.limits.len();
            providers.push(ChainedProvider::new(provider, servers));
        }
        Ok(Self {
            network: Network {
                transport: Box::new(transport),
                clock: Box::new(Instant::now),
                started: Instant::now(),
                timeout: config.timeout.min(MAX_TIMEOUT),
            },
            providers,
            game: texture_service(config, UpstreamId(next_id))?,
            texture_base: config.endpoints.texture.clone(),
            names: Cache::new(RECENT_NAMES),
        })
    }

    /// Replaces the clock, for tests that do not wait. The chain starts now by this clock.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        self.network.started = clock();
        self.network.clock = Box::new(clock);
        self
    }

    /// Returns the number of providers.
    #[must_use]
    pub fn provider_count(&self) -> usize {
        self.providers.len()
    }

    /// Reads the folder of the provider in this place if it has changed, or fetches the metadata of
    /// its server if that is due. Call it every second. It blocks, so give each provider a thread.
    pub fn refresh(&self, place: usize) {
        if let Some(chained) = self.providers.get(place) {
            let look_up = LookUp::until(self.now() + self.network.timeout);
            let fetcher = self.fetcher(&chained.servers, &look_up);
            chained.provider.refresh(&fetcher);
        }
    }

    /// Pings every provider, and asks it about a player.
    #[must_use]
    pub fn report(&self, player: Option<&PlayerId>) -> Vec<ProviderReport> {
        let mut reports = Vec::new();
        for asked in &self.providers {
            let check = self.health_check();
            let state = asked.provider.ping(&self.fetcher(&asked.servers, &check));
            let mut answer = None;
            if let Some(player) = player
                && asked.provider.can_know(player)
            {
                let look_up = LookUp::until(self.deadline());
                let fetcher = self.fetcher(&asked.servers, &look_up);
                let question = Question {
                    asked,
                    player: player.clone(),
                };
                answer = Some(self.answer_to(&question, &fetcher));
            }
            reports.push(ProviderReport {
                provider: Arc::clone(asked.name()),
                state,
                answer,
            });
        }
        self.add_looks(&mut reports);
        reports
    }

    /// Adds the skins and capes that the player has chosen in folders, for the account that a later
    /// provider knows.
    fn add_looks(&self, reports: &mut [ProviderReport]) {
        let mut known_later = None;
        for (report, asked) in reports.iter_mut().zip(&self.providers).rev() {
            if let Some(Ok(Some(profile))) = &report.answer {
                known_later = Some(profile.clone());
            } else if let Some(profile) = &known_later
                && let Ok(Some(dressed)) = self.look_of(asked, profile)
            {
                report.answer = Some(Ok(Some(dressed)));
            }
        }
    }

    /// Returns the providers that can know a player.
    fn asked_for(&self, player: &PlayerId) -> impl Iterator<Item = &ChainedProvider> {
        let providers = self.providers.iter();
        providers.filter(|chained| chained.provider.can_know(player))
    }

    /// Returns a fetcher for one look-up.
    fn fetcher<'a>(&'a self, servers: &'a Servers, look_up: &'a LookUp) -> Fetcher<'a> {
        Fetcher {
            network: &self.network,
            servers,
            look_up,
            deadline: look_up.deadline(),
        }
    }

    /// Begins a health check.
    fn health_check(&self) -> LookUp {
        LookUp::until(self.now() + HEALTH_CHECK_TIMEOUT)
    }

    /// Returns the servers of all providers, in the order of their upstreams.
    fn all_servers(&self) -> impl Iterator<Item = &Servers> {
        let servers = self.providers.iter().map(|chained| &chained.servers);
        servers.chain([&self.game])
    }

    /// Returns the limits of all upstreams, in the order of their ids.
    fn all_limits(&self) -> impl Iterator<Item = &UpstreamLimits> {
        self.all_servers().flat_map(|servers| &servers.limits)
    }

    /// Returns the file of a hash, if a provider has it at hand.
    fn file_at_hand(&self, hash: &TextureHash) -> Option<Vec<u8>> {
        let mut providers = self.providers.iter();
        providers.find_map(|chained| chained.provider.texture_by_hash(hash))
    }

    fn now(&self) -> Instant {
        (self.network.clock)()
    }
}

impl fmt::Debug for ProviderChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.providers.iter().map(ChainedProvider::name);
        f.debug_list().entries(names).finish()
    }
}
