//! The chain of providers: the only place that knows their order.

mod chained_provider;
mod default_skins;
mod plan;
mod set_up;
mod source;

use std::time::{Duration, Instant};
use std::{fmt, sync::Arc};

use effigy_player::{PlayerId, Uuid};
use quick_cache::sync::Cache;
use url::Url;

use crate::fetcher::{Fetcher, Network};
use crate::limits::UpstreamLimits;
use crate::providers::{self, Provider, folder::SkinFolder, is_offline};
use crate::servers::Servers;
use crate::{
    Account, BaseUrl, ConfigError, FileChecks, LookUp, Profile, ProfileSkin, Request, Response,
    SkinSource as _, TextureHash, TextureUrl, Transport, Upstream, UpstreamConfig, UpstreamError,
    UpstreamId, error::Result, error_chain,
};
use chained_provider::ChainedProvider;
use default_skins::default_skin;
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

/// The answers of a provider, for a check.
#[derive(Debug)]
#[non_exhaustive]
pub struct ProviderReport {
    /// The provider, by its kind and host.
    pub provider: Arc<str>,
    /// The reason why it does not answer, if it does not.
    pub state: Result<()>,
    /// Its answer about the player, or none if it is not asked for such players.
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
        // Every texture that is not in memory is unknown.
        let transport = |_: &Request| Ok(Response::not_found());
        let folder: Box<dyn Provider> = Box::new(SkinFolder::in_memory(files, checks));
        let memory = vec![("memory".to_owned(), folder)];
        let chain = Self::with_providers(transport, &UpstreamConfig::default(), memory);
        chain.expect("the default settings are valid")
    }

    /// Creates the chain of these providers. A name that is taken gets a number.
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
                timeout: config.timeout.min(MAX_TIMEOUT),
            },
            providers,
            game: texture_service(config, UpstreamId(next_id))?,
            texture_base: config.endpoints.texture.clone(),
            names: Cache::new(RECENT_NAMES),
        })
    }

    /// Replaces the clock, for tests that do not wait.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        self.network.clock = Box::new(clock);
        self
    }

    /// Returns the number of providers.
    #[must_use]
    pub fn provider_count(&self) -> usize {
        self.providers.len()
    }

    /// Reads the folder of the provider in this place if it has changed, or fetches the metadata of
    /// its server if that is due. It is to be called every second, and blocks, so a thread for each
    /// provider lets none wait for another.
    pub fn refresh(&self, place: usize) {
        if let Some(chained) = self.providers.get(place) {
            let look_up = LookUp::until(self.now() + self.network.timeout);
            let fetcher = self.fetcher(&chained.servers, &look_up);
            chained.provider.refresh(&fetcher);
        }
    }

    /// Asks every provider if it answers, and what it says about a player.
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
                answer = Some(self.profile_from(asked, &fetcher, player));
            }
            reports.push(ProviderReport {
                provider: Arc::clone(asked.name()),
                state,
                answer,
            });
        }
        reports
    }

    /// Returns the providers that can know a player.
    fn asked_for(&self, player: &PlayerId) -> impl Iterator<Item = &ChainedProvider> {
        let providers = self.providers.iter();
        providers.filter(|chained| chained.provider.can_know(player))
    }

    /// Asks the providers that can know a player, one after the other. Returns none if no one knows
    /// the player.
    fn first_profile(&self, player: &PlayerId, look_up: &LookUp) -> Result<Option<Profile>> {
        let count = u32::try_from(self.asked_for(player).count());
        let count = count.expect("an operator has written each of them");
        let mut failure = None;
        for (left, asked) in (1..=count).rev().zip(self.asked_for(player)) {
            let mut fetcher = self.fetcher(&asked.servers, look_up);
            // An equal share of the time that is left, so that one that hangs leaves time for the
            // others.
            let now = self.now();
            let time_left = look_up.deadline().saturating_duration_since(now);
            fetcher.deadline = now + time_left / left;
            let found = self.profile_from(asked, &fetcher, player);
            match found.map_err(|error| asked.servers.failure(error)) {
                Ok(Some(mut profile)) => {
                    tracing::debug!(provider = &*profile.provider, "the player is known");
                    profile.is_certain = failure.is_none() || is_known_everywhere(player);
                    return Ok(Some(profile));
                }
                Ok(None) => {}
                Err(error) => {
                    if left > 1 {
                        tracing::warn!("the next provider is asked: {}", error_chain(&error));
                    }
                    failure.get_or_insert(error);
                }
            }
        }
        // Unknown to one and an outage of another is an outage.
        failure.map_or(Ok(None), Err)
    }

    /// Asks one provider for a player, unless it said a moment ago that there is no such player, or
    /// failed to say it.
    fn profile_from(
        &self,
        asked: &ChainedProvider,
        fetcher: &Fetcher,
        player: &PlayerId,
    ) -> Result<Option<Profile>, Arc<UpstreamError>> {
        let folded = player.folded(asked.provider.ignores_case());
        let find = || {
            let found = asked.provider.profile(fetcher, player)?;
            let completed = found.map(|profile| self.completed(asked, profile));
            completed.transpose()
        };
        fetcher.find(format!("{folded:?}"), find)
    }

    /// Completes the profile that a provider has returned, and checks its textures.
    fn completed(&self, known_by: &ChainedProvider, mut profile: Profile) -> Result<Profile> {
        profile.provider = Arc::clone(known_by.name());
        match (&mut profile.skin, &profile.account) {
            (Some(skin), _) => self.check_texture(known_by, &mut skin.texture)?,
            (none, Account::Java(uuid)) => *none = Some(self.default_skin(*uuid)),
            (None, Account::Bedrock(_)) => {}
        }
        // A cape that is not allowed must not cost the player the skin.
        let cape = &mut profile.cape;
        cape.take_if(|cape| self.check_texture(known_by, cape).is_err());
        Ok(profile)
    }

    /// Returns the skin that the game shows for a player who has set none.
    fn default_skin(&self, uuid: Uuid) -> ProfileSkin {
        let (hash, model) = default_skin(uuid);
        ProfileSkin {
            texture: TextureUrl::new(self.url_of_hash(hash).as_str()),
            model: Some(model),
            is_default: true,
        }
    }

    /// Returns the URL of one of the game's textures.
    fn url_of_hash(&self, hash: &str) -> Url {
        self.texture_base.below(&format!("texture/{hash}"))
    }

    /// Checks a texture that a provider names, unless its file is at hand.
    fn check_texture(&self, named_by: &ChainedProvider, texture: &mut TextureUrl) -> Result<()> {
        if texture.file.is_none() {
            // Other providers name textures of the game.
            let mut limits = named_by.servers.limits.iter();
            let has_textures = limits.any(|limits| limits.upstream == Upstream::Texture);
            texture.provider = has_textures.then(|| Arc::clone(named_by.name()));
            let (_, url) = self.checked(texture)?;
            texture.url = url.as_str().into();
        }
        Ok(())
    }

    /// Returns the servers that have a texture, and the URL to fetch for its own, which may be any
    /// text.
    fn checked(&self, texture: &TextureUrl) -> Result<(&Servers, Url)> {
        let mut providers = self.providers.iter();
        let owner = providers.find(|owner| Some(owner.name()) == texture.provider.as_ref());
        let servers = owner.map_or(&self.game, |owner| &owner.servers);
        let names_host = |url: &Url| owner.is_some_and(|owner| owner.provider.names_host(url));
        let checked = servers.hosts.check(&texture.url, names_host);
        let url = checked.ok_or_else(|| UpstreamError::TextureUrl {
            url: texture.url.to_string(),
        })?;
        Ok((servers, url))
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

/// Returns `true` if a later provider cannot take another player for this one. A name may belong to
/// somebody else there, and so may a UUID that is computed from the name.
fn is_known_everywhere(player: &PlayerId) -> bool {
    match player {
        PlayerId::JavaUuid(uuid) => !is_offline(*uuid),
        player => matches!(player, PlayerId::BedrockXuid(_)),
    }
}
