//! The chain of providers: the only place that knows their order.

mod default_skins;

use std::time::{Duration, Instant};
use std::{fmt, sync::Arc, thread};

use effigy_player::{PlayerId, Uuid};
use parking_lot::Mutex;
use quick_cache::sync::Cache;
use url::Url;

use crate::fetcher::{Fetcher, Network, Servers, png};
use crate::limits::UpstreamLimits;
use crate::providers::{
    self, PROBED_PLAYER, Provider, folder::SkinFolder, is_offline, offline_uuid,
};
use crate::{
    Account, BaseUrl, ConfigError, FileChecks, LimitReason, Ping, Profile, ProfileSkin, Request,
    Response, Revision, SkinSource, Step, Terms, TextureHash, TextureUrl, Transport, Upstream,
    UpstreamConfig, UpstreamError, UpstreamState, error::Result, error_chain,
};
use default_skins::default_skin;

/// The time limit of a health check. Spec, "Limits".
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// The longest timeout. Longer ones could overflow an `Instant`.
const MAX_TIMEOUT: Duration = Duration::from_secs(3600);

/// The number of names that are remembered for their offline UUIDs.
const RECENT_NAMES: usize = 10_000;

/// A chain of providers, which are asked for a player in their order. The first one that knows the player
/// decides.
///
/// Any number of threads may share one; the limits apply to all of them together.
pub struct ProviderChain {
    network: Network,
    providers: Vec<ChainedProvider>,
    /// The game's texture service, which has the default skins and the textures of several providers.
    game: Servers,
    texture_base: BaseUrl,
    /// The names that were looked up lately, by the UUIDs that servers in offline mode give them.
    names: Cache<Uuid, String>,
}

/// A provider with its servers.
struct ChainedProvider {
    provider: Box<dyn Provider>,
    servers: Servers,
    /// The last ping, and the time at which it ended.
    last_ping: Mutex<Option<(Ping, Instant)>>,
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
        for (mut name, provider) in named {
            if providers.iter().any(|earlier| **earlier.name() == name) {
                name += &format!("#{}", providers.len() + 1);
            }
            let servers = Servers::new(name.into(), config, provider.servers())?;
            providers.push(ChainedProvider {
                provider,
                servers,
                last_ping: Mutex::default(),
            });
        }
        let game = (config.endpoints.urls(), &[Upstream::Texture][..]);
        Ok(Self {
            network: Network {
                transport: Box::new(transport),
                clock: Box::new(Instant::now),
                timeout: config.timeout.min(MAX_TIMEOUT),
            },
            providers,
            game: Servers::new("textures".into(), config, game)?,
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

    /// Reads the folder of the provider in this place if it has changed, or fetches the metadata of its server if that
    /// is due. It is to be called every second, and blocks, so a thread for each provider lets none wait for another.
    pub fn refresh(&self, place: usize) {
        if let Some(chained) = self.providers.get(place) {
            let deadline = self.now() + self.network.timeout;
            let fetcher = self.fetcher(&chained.servers, deadline.into());
            chained.provider.refresh(&fetcher);
        }
    }

    /// Asks every provider whether it answers, and what it says about a player.
    #[must_use]
    pub fn report(&self, player: Option<&PlayerId>) -> Vec<ProviderReport> {
        let report = |asked: &ChainedProvider| ProviderReport {
            provider: Arc::clone(asked.name()),
            state: asked.provider.ping(&self.prober(asked)),
            answer: player
                .filter(|player| asked.provider.can_know(player))
                .map(|player| self.profile_from(asked, player, self.deadline().into())),
        };
        self.providers.iter().map(report).collect()
    }

    /// Returns the providers that can know a player.
    fn asked_for(&self, player: &PlayerId) -> impl Iterator<Item = &ChainedProvider> {
        let providers = self.providers.iter();
        providers.filter(|chained| chained.provider.can_know(player))
    }

    /// Asks the providers that can know a player, one after the other. Returns none if no one knows the player.
    fn first_profile(&self, player: &PlayerId, mut terms: Terms) -> Result<Option<Profile>> {
        let count = u32::try_from(self.asked_for(player).count());
        let count = count.expect("an operator has written each of them");
        let (end, mut failure) = (terms.deadline, None);
        for (left, asked) in (1..=count).rev().zip(self.asked_for(player)) {
            let now = self.now();
            // An equal share of the time that is left, so that one that hangs leaves time for the others.
            terms.deadline = now + end.saturating_duration_since(now) / left;
            let found = self.profile_from(asked, player, terms);
            match found.map_err(|error| asked.servers.failure(error)) {
                Ok(Some(mut profile)) => {
                    tracing::debug!(provider = &*profile.provider, "the player is known");
                    profile.is_certain = failure.is_none() || is_known_everywhere(player);
                    return Ok(Some(profile));
                }
                Ok(None) => {}
                // It says nothing about the provider.
                Err(error) if error.limit() == Some(LimitReason::Share) => return Err(error),
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

    /// Asks one provider for a player, unless it said a moment ago that there is no such player, or failed to say it.
    fn profile_from(
        &self,
        asked: &ChainedProvider,
        player: &PlayerId,
        terms: Terms,
    ) -> Result<Option<Profile>, Arc<UpstreamError>> {
        let fetcher = self.fetcher(&asked.servers, terms);
        let folded = player.folded(asked.provider.ignores_case());
        let find = || {
            let found = asked.provider.profile(&fetcher, player)?;
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
            texture.url = self.checked(texture)?.1.as_str().into();
        }
        Ok(())
    }

    /// Returns the servers that have a texture, and the URL to fetch for its own, which may be any text.
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
    fn fetcher<'a>(&'a self, servers: &'a Servers, terms: Terms<'a>) -> Fetcher<'a> {
        Fetcher {
            network: &self.network,
            servers,
            terms,
        }
    }

    /// Returns a fetcher for a health check.
    fn prober<'a>(&'a self, chained: &'a ChainedProvider) -> Fetcher<'a> {
        let deadline = self.now() + PROBE_TIMEOUT;
        self.fetcher(&chained.servers, deadline.into())
    }

    fn now(&self) -> Instant {
        (self.network.clock)()
    }
}

impl ChainedProvider {
    fn name(&self) -> &Arc<str> {
        &self.servers.provider
    }

    /// Checks that the provider answers, by a ping if one is due.
    fn ping(&self, fetcher: &Fetcher) -> Ping {
        let named = self.servers.limits.iter().filter(|limits| {
            use Upstream::{IdentityCurrent, IdentityLegacy, Profiles};
            matches!(limits.upstream, IdentityLegacy | IdentityCurrent | Profiles)
        });
        let (mut last, started) = (self.last_ping.lock(), fetcher.now());
        let age = |ended| started.saturating_duration_since(ended);
        let interval = named.clone().map(UpstreamLimits::ping_interval).max();
        let interval = interval.unwrap_or_default();
        last.take_if(|(_, ended)| age(*ended) >= interval);
        let (ping, ended) = last.get_or_insert_with(|| {
            let answer = self.provider.ping(fetcher).map_err(Arc::new);
            let ended = fetcher.now();
            let ping = Ping {
                provider: Arc::clone(self.name()),
                answer,
                response_time: ended.saturating_duration_since(started),
                age: Duration::ZERO,
            };
            (ping, ended)
        });
        let mut ping = ping.clone();
        ping.age = age(*ended);
        let told = named.filter_map(|limits| limits.told_since(*ended, started));
        // One form of the look-up is enough.
        match told.min_by_key(Result::is_err) {
            Some(Ok(())) if ping.answer.is_err() => {
                (ping.answer, ping.response_time) = (Ok(()), Duration::ZERO);
            }
            Some(Err((reason, wait))) => {
                ping.answer = Err(UpstreamError::limited(Step::Identity, reason, wait).into());
            }
            _ => {}
        }
        ping
    }
}

impl SkinSource for ProviderChain {
    fn deadline(&self) -> Instant {
        self.now() + 2 * self.network.timeout
    }

    fn profile(&self, player: &PlayerId, terms: Terms) -> Result<Profile> {
        let found = self.first_profile(player, terms);
        match (player, &found) {
            (PlayerId::JavaName(name), Ok(Some(_))) => {
                self.names.insert(offline_uuid(name), name.clone());
            }
            // The UUID cannot be turned back into the name, but the name may have been asked for.
            (PlayerId::JavaUuid(uuid), Ok(None) | Err(_)) => {
                if let Some(name) = self.names.get(uuid).map(PlayerId::JavaName)
                    && let Some(mut profile) = self.first_profile(&name, terms)?
                {
                    profile.is_certain &= found.is_ok();
                    return Ok(profile);
                }
            }
            _ => {}
        }
        found?.ok_or_else(|| match player.clone() {
            PlayerId::JavaUuid(uuid) if is_offline(uuid) => UpstreamError::OfflineUuid { uuid },
            player => UpstreamError::PlayerNotFound { player },
        })
    }

    fn texture(&self, url: &TextureUrl, terms: Terms) -> Result<Vec<u8>> {
        if let Some(file) = &url.file {
            return Ok(file.to_vec());
        }
        let (servers, url) = self.checked(url)?;
        let fetcher = self.fetcher(servers, terms);
        let file = fetcher.texture(url.as_str(), &url, |response| png(response).map(Some));
        Ok(file?.expect("a texture is found, or that is an error"))
    }

    fn texture_by_hash(&self, hash: &TextureHash, terms: Terms) -> Result<Vec<u8>> {
        let mut providers = self.providers.iter();
        let file = providers.find_map(|chained| chained.provider.texture_by_hash(hash));
        if let Some(file) = file {
            return Ok(file);
        }
        let fetcher = self.fetcher(&self.game, terms);
        let (key, url) = (hash.as_str(), self.url_of_hash(hash.as_str()));
        let file = fetcher.texture(key, &url, |response| {
            // A refusal says nothing about the service: some content networks refuse a file that does not exist, and
            // anybody may ask for any hash.
            if response.status == 403 {
                fetcher.limits(Upstream::Texture).answered(self.now());
            }
            match response.status {
                403 | 404 | 410 => Ok(None),
                _ => png(response).map(Some),
            }
        });
        file?.ok_or_else(|| UpstreamError::TextureNotFound { hash: hash.clone() })
    }

    fn ping(&self) -> Vec<Ping> {
        let player = PlayerId::JavaName(PROBED_PLAYER.to_owned());
        let asked = self.asked_for(&player);
        let asked = asked.filter(|chained| !chained.servers.limits.is_empty());
        thread::scope(|scope| {
            let pings =
                asked.map(|chained| scope.spawn(move || chained.ping(&self.prober(chained))));
            // All begin before the first one is waited for.
            let pings: Vec<_> = pings.collect();
            let answers = pings.into_iter().map(|ping| ping.join());
            let answers = answers.map(|ping| ping.expect("a ping does not panic"));
            answers.collect()
        })
    }

    fn states(&self) -> Vec<UpstreamState> {
        let servers = self.providers.iter().map(|chained| &chained.servers);
        let servers = servers.chain([&self.game]);
        let limits = servers.flat_map(|servers| &servers.limits);
        limits.map(|limits| limits.snapshot(self.now())).collect()
    }

    fn ignores_case(&self) -> bool {
        let player = PlayerId::JavaName(PROBED_PLAYER.to_owned());
        let mut asked = self.asked_for(&player);
        asked.all(|chained| chained.provider.ignores_case())
    }

    fn revision(&self, input: &str) -> Option<Revision> {
        let mut providers = self.providers.iter();
        providers.find_map(|chained| chained.provider.revision(input))
    }
}

impl fmt::Debug for ProviderChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.providers.iter().map(ChainedProvider::name);
        f.debug_list().entries(names).finish()
    }
}

/// Returns `true` if a later provider cannot take another player for this one. A name may belong to somebody
/// else there, and so may a UUID that is computed from the name.
fn is_known_everywhere(player: &PlayerId) -> bool {
    match player {
        PlayerId::JavaUuid(uuid) => !is_offline(*uuid),
        player => matches!(player, PlayerId::BedrockXuid(_)),
    }
}
