//! The chain of providers: the only place that knows their order.

mod default_skins;
mod link;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use effigy_player::{PlayerId, Uuid};
use quick_cache::sync::Cache;
use url::Url;

use crate::caller::{Caller, Client, Servers, png};
use crate::config::{BaseUrl, ConfigError, UpstreamConfig};
use crate::error::{Result, UpstreamError, error_chain};
use crate::limits::{Upstream, UpstreamState};
use crate::profile::{Account, Profile, ProfileSkin};
use crate::providers::folder::SkinFolder;
use crate::providers::local::{skin_file::FileChecks, skins::LocalSkins};
use crate::providers::offline::{is_offline, offline_uuid};
use crate::providers::{self, provider::Opened};
use crate::source::{Revision, SkinSource};
use crate::texture::{TextureHash, TextureUrl};
use crate::transport::{Request, Response, Step, Transport};
use default_skins::default_skin;
use link::Link;

/// The time limit of a health check. Spec, "Limits".
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// The number of names that are remembered for their offline UUIDs.
const RECENT_NAMES: usize = 10_000;

/// A chain of providers, which are asked for a player in their order. The first one that knows the player
/// decides.
///
/// Any number of threads may share one; the limits apply to all of them together.
pub struct ProviderChain {
    client: Client,
    links: Vec<Link>,
    /// The game's texture service, which has the default skins and the textures of several providers.
    game: Servers,
    texture_base: BaseUrl,
    /// The names that were looked up lately, by the UUIDs that servers in offline mode give them.
    names: Cache<Uuid, String>,
}

/// What a provider says about itself and about a player.
#[derive(Debug)]
#[non_exhaustive]
pub struct ProviderReport {
    /// The provider, by its kind and host.
    pub provider: Arc<str>,
    /// The reason why it does not answer, if it does not.
    pub state: Result<()>,
    /// Its answer about the player, or none if it is not asked for such players.
    pub answer: Option<Result<Profile>>,
}

impl ProviderChain {
    /// Creates the chain of `config`, which calls the services over `transport`.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if a texture host is malformed, or a folder cannot be used.
    pub fn new(transport: impl Transport, config: UpstreamConfig) -> Result<Self, ConfigError> {
        let providers = config.providers.iter();
        let providers = providers.map(|text| providers::open(text, &config));
        Self::of(transport, &config, providers.collect::<Result<_, _>>()?)
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
        let not_found = Response {
            status: 404,
            ..Response::default()
        };
        let transport = move |_: &Request| Ok(not_found.clone());
        let opened = Opened::local(SkinFolder::in_memory(files, checks));
        let memory = vec![("memory".to_owned(), opened)];
        let chain = Self::of(transport, &UpstreamConfig::default(), memory);
        chain.expect("the default settings are valid")
    }

    /// Creates the chain of these providers. A name that is taken gets a number.
    fn of(
        transport: impl Transport,
        config: &UpstreamConfig,
        providers: Vec<(String, Opened)>,
    ) -> Result<Self, ConfigError> {
        let mut links: Vec<Link> = Vec::new();
        for (mut name, opened) in providers {
            if links.iter().any(|link| **link.name() == name) {
                name += &format!("#{}", links.len() + 1);
            }
            let servers = Servers::new(name.into(), config, &opened.servers, opened.upstreams)?;
            let ttl = config.missing_player_ttl;
            links.push(Link::new(opened.provider, servers, ttl));
        }
        let game = config.endpoints.urls();
        Ok(Self {
            client: Client::new(transport, config),
            links,
            game: Servers::new("textures".into(), config, &game, &[Upstream::Texture])?,
            texture_base: config.endpoints.texture.clone(),
            names: Cache::new(RECENT_NAMES),
        })
    }

    /// Replaces the clock, for tests that do not wait.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        self.client.clock = Box::new(clock);
        self
    }

    /// Reads folders that have changed, and fetches the metadata of servers if that is due. It is to be called
    /// every second, and blocks.
    pub fn refresh(&self) {
        for link in &self.links {
            let deadline = self.now() + self.client.timeout;
            link.provider.refresh(&self.caller(&link.servers, deadline));
        }
    }

    /// Asks every provider whether it answers, and what it says about a player.
    #[must_use]
    pub fn report(&self, player: Option<&PlayerId>) -> Vec<ProviderReport> {
        let report = |place: usize, link: &Link| ProviderReport {
            provider: Arc::clone(link.name()),
            state: self.check(link),
            answer: player
                .filter(|player| link.provider.can_know(player))
                .map(|player| self.look_up(place, player, self.deadline())),
        };
        let links = self.links.iter().enumerate();
        links.map(|(place, link)| report(place, link)).collect()
    }

    /// Asks the providers that can know a player, one after the other.
    fn ask(&self, player: &PlayerId, deadline: Instant) -> Result<Profile> {
        let asked: Vec<usize> = (0..self.links.len())
            .filter(|place| self.links[*place].provider.can_know(player))
            .collect();
        let (mut failure, mut unknown) = (None, None);
        for (number, &place) in asked.iter().enumerate() {
            let left = u32::try_from(asked.len() - number).unwrap_or(u32::MAX);
            let now = self.now();
            // An equal share of the time that is left, so that one that hangs leaves time for the others.
            let share = deadline.saturating_duration_since(now) / left;
            match self.look_up(place, player, now + share) {
                Ok(mut profile) => {
                    tracing::debug!(provider = &*profile.provider, "the player is known");
                    profile.is_certain = failure.is_none() || is_known_everywhere(player);
                    return Ok(profile);
                }
                Err(error) if !error.is_outage() => unknown = Some(error),
                Err(error) => {
                    let error = self.links[place].failure(error);
                    if left > 1 {
                        tracing::warn!("the next provider is asked: {}", error_chain(&error));
                    }
                    failure = failure.or(Some(error));
                }
            }
        }
        // Unknown to one and an outage of another is an outage.
        let error = failure.or(unknown);
        Err(error.unwrap_or_else(|| UpstreamError::no_player(player)))
    }

    /// Asks one provider for a player.
    fn look_up(&self, place: usize, player: &PlayerId, deadline: Instant) -> Result<Profile> {
        let link = &self.links[place];
        let mut found = link.look_up(&self.caller(&link.servers, deadline), player)?;
        found.provider = Arc::clone(link.name());
        match (&mut found.skin, &found.account) {
            (Some(skin), _) => skin.texture = self.checked(place, &skin.texture)?,
            (none, Account::Java(uuid)) => *none = Some(self.default_skin(*uuid)),
            (None, Account::Bedrock(_)) => {}
        }
        // A cape that is not allowed must not cost the player the skin.
        let cape = found.cape.as_ref();
        found.cape = cape.and_then(|cape| self.checked(place, cape).ok());
        Ok(found)
    }

    /// Returns the skin that the game shows for a player who has set none.
    fn default_skin(&self, uuid: Uuid) -> ProfileSkin {
        let (hash, model) = default_skin(uuid);
        ProfileSkin {
            texture: TextureUrl::new(self.url_of_hash(hash).as_str()),
            model,
            is_default: true,
        }
    }

    /// Returns the URL of one of the game's textures.
    fn url_of_hash(&self, hash: &str) -> Url {
        self.texture_base.below(&format!("texture/{hash}"))
    }

    /// Checks a texture that a provider names, unless its file is at hand.
    fn checked(&self, place: usize, texture: &TextureUrl) -> Result<TextureUrl> {
        if texture.file.is_some() {
            return Ok(texture.clone());
        }
        // Other providers name textures of the game.
        let link = Some(&self.links[place]).filter(|link| link.servers.has(Upstream::Texture));
        let url = self.checked_url(link, texture.as_str())?;
        Ok(TextureUrl {
            provider: link.map(|_| place),
            ..TextureUrl::new(url.as_str())
        })
    }

    /// Returns the URL to fetch for one that a provider with textures of its own names, or one that names the
    /// game's.
    fn checked_url(&self, link: Option<&Link>, url: &str) -> Result<Url> {
        let hosts = link.map_or(&self.game.hosts, |link| &link.servers.hosts);
        let names_host = |url: &Url| link.is_some_and(|link| link.provider.names_host(url));
        let checked = hosts.check(url, names_host);
        checked.ok_or_else(|| UpstreamError::TextureUrl {
            url: url.to_owned(),
        })
    }

    /// Returns the skins that are in memory.
    fn local(&self) -> impl Iterator<Item = Arc<LocalSkins>> {
        self.links.iter().filter_map(|link| link.provider.local())
    }

    /// Returns the revision of a player whose skin is in memory.
    fn local_revision(&self, player: &PlayerId) -> Option<Revision> {
        self.local().find_map(|skins| Some(skins.find(player)?.1))
    }

    /// Returns a caller for one look-up.
    fn caller<'a>(&'a self, servers: &'a Servers, deadline: Instant) -> Caller<'a> {
        Caller {
            client: &self.client,
            servers,
            deadline,
        }
    }

    /// Checks that a provider answers.
    fn check(&self, link: &Link) -> Result<()> {
        let caller = self.caller(&link.servers, self.now() + PROBE_TIMEOUT);
        link.provider.ping(&caller)
    }

    fn now(&self) -> Instant {
        (self.client.clock)()
    }
}

impl SkinSource for ProviderChain {
    fn deadline(&self) -> Instant {
        self.now() + self.client.resolve_timeout
    }

    fn profile(&self, player: &PlayerId, deadline: Instant) -> Result<Profile> {
        if let PlayerId::JavaName(name) = player {
            self.names.insert(offline_uuid(name), name.clone());
        }
        let found = self.ask(player, deadline);
        let (PlayerId::JavaUuid(uuid), Err(error)) = (player, &found) else {
            return found;
        };
        if error.is_outage() || !is_offline(*uuid) {
            return found;
        }
        // Such a UUID cannot be turned back into the name, but the name may have been asked for.
        let name = self.names.get(uuid).map(PlayerId::JavaName);
        match name.map(|name| self.ask(&name, deadline)) {
            Some(Ok(profile)) => Ok(profile),
            Some(Err(error)) if error.is_outage() => Err(error),
            _ => Err(UpstreamError::OfflineUuid { uuid: *uuid }),
        }
    }

    fn texture(&self, url: &TextureUrl, deadline: Instant) -> Result<Vec<u8>> {
        if let Some(file) = &url.file {
            return Ok(file.to_vec());
        }
        let link = url.provider.and_then(|place| self.links.get(place));
        let checked = self.checked_url(link, url.as_str())?;
        let servers = link.map_or(&self.game, |link| &link.servers);
        self.caller(servers, deadline).texture(checked)
    }

    fn texture_by_hash(&self, hash: &TextureHash) -> Result<Vec<u8>> {
        let file = self.local().find_map(|skins| skins.texture_by_hash(hash));
        if let Some(file) = file {
            return Ok(file);
        }
        let caller = self.caller(&self.game, self.deadline());
        let url = self.url_of_hash(hash.as_str());
        // A refusal says nothing about the service: some content networks refuse a file that does not exist, and
        // anybody may ask for any hash.
        let response = caller.call(Upstream::Texture, Step::Texture, url, None)?;
        png(response).map_err(|error| match error {
            UpstreamError::Status {
                status: 403 | 404 | 410,
                ..
            } => UpstreamError::TextureNotFound { hash: hash.clone() },
            error => error,
        })
    }

    /// Checks the first provider that looks up Java names at a server.
    fn ping(&self) -> Result<()> {
        let is_remote = |link: &&Link| link.is_asked_for_names() && !link.servers.limits.is_empty();
        let first = self.links.iter().find(is_remote);
        first.map_or(Ok(()), |link| self.check(link))
    }

    fn states(&self) -> Vec<UpstreamState> {
        if self.local().count() == self.links.len() {
            return Vec::new();
        }
        let servers = self.links.iter().map(|link| &link.servers);
        let limits = servers
            .chain([&self.game])
            .flat_map(|servers| &servers.limits);
        limits.map(|limits| limits.state_at(self.now())).collect()
    }

    fn ignores_case(&self) -> bool {
        let mut asked = self.links.iter().filter(|link| link.is_asked_for_names());
        asked.all(|link| link.provider.ignores_case())
    }

    fn revision(&self, input: &str) -> Option<Revision> {
        self.local().next()?;
        self.local_revision(&PlayerId::detect(input).ok()?)
    }
}

impl fmt::Debug for ProviderChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.links.iter().map(Link::name);
        f.debug_list().entries(names).finish()
    }
}

/// Returns `true` if a later provider cannot take another player for this one. A name may belong to somebody
/// else there, and so may a UUID that is computed from the name.
fn is_known_everywhere(player: &PlayerId) -> bool {
    match player {
        PlayerId::JavaUuid(uuid) => !is_offline(*uuid),
        PlayerId::BedrockXuid(_) => true,
        PlayerId::JavaName(_) | PlayerId::BedrockGamertag(_) => false,
    }
}
