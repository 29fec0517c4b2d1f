//! The resolver: a source of skins over the services on the network.

mod bedrock;
mod caller;
mod default_skins;
mod java;
mod java_names;
mod missing_players;
mod profile_lookup;
mod recent;
mod records;
mod textures;

use std::fmt;
use std::hash::RandomState;
use std::time::{Duration, Instant};

use effigy_player::PlayerId;

use crate::config::{AllowedHosts, ConfigError, NameLookup, UpstreamConfig};
use crate::error::UpstreamError;
use crate::limits::{LimitReason, Limits, Priority, Upstream, UpstreamState};
use crate::profile::Profile;
use crate::source::{FoundNames, SkinSource};
use crate::texture::{TextureHash, TextureUrl};
use crate::transport::Transport;
use caller::Caller;
use missing_players::MissingPlayers;
use recent::Recent;

/// The Java player whom a health check looks up.
const PROBED_PLAYER: &str = "Notch";

/// The time limit of a health check. Spec, "Limits".
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// The longest timeout. Longer ones could overflow an `Instant`.
const MAX_TIMEOUT: Duration = Duration::from_secs(3600);

/// Resolves players through the services on the network.
///
/// Any number of threads may share one; the limits apply to all of them together.
pub struct Resolver {
    transport: Box<dyn Transport>,
    config: UpstreamConfig,
    hosts: AllowedHosts,
    limits: Limits,
    missing: MissingPlayers,
    /// Hashes the inputs of calls with a key of its own, so that nobody can choose equal hashes.
    hasher: RandomState,
    /// Holds a value while no form of the bulk look-up of names is known to be served.
    no_bulk: Recent<()>,
    clock: Box<dyn Fn() -> Instant + Send + Sync>,
}

impl Resolver {
    /// Creates a resolver that calls the services of `config` over `transport`.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if a texture host is malformed.
    pub fn new(transport: impl Transport, mut config: UpstreamConfig) -> Result<Self, ConfigError> {
        config.timeout = config.timeout.min(MAX_TIMEOUT);
        config.resolve_timeout = config.resolve_timeout.min(MAX_TIMEOUT);
        Ok(Self {
            transport: Box::new(transport),
            hosts: AllowedHosts::new(&config.endpoints, &config.texture_hosts)?,
            limits: Limits::new(&config),
            missing: MissingPlayers::new(config.missing_player_ttl),
            no_bulk: Recent::new(java::GONE_PAUSE),
            hasher: RandomState::new(),
            config,
            clock: Box::new(Instant::now),
        })
    }

    /// Replaces the clock, for tests that do not wait.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        self.clock = Box::new(clock);
        self
    }

    /// Returns a caller for one look-up.
    fn look_up(&self, deadline: Instant) -> Caller<'_> {
        Caller {
            resolver: self,
            priority: Priority::Normal,
            weighs_refusals: true,
            timeout: self.config.timeout,
            deadline,
        }
    }
}

impl SkinSource for Resolver {
    fn deadline(&self) -> Instant {
        (self.clock)() + self.config.resolve_timeout
    }

    fn profile(&self, player: &PlayerId, deadline: Instant) -> Result<Profile, UpstreamError> {
        self.look_up(deadline).profile(player)
    }

    fn java_uuids(&self, names: &[String]) -> Result<FoundNames, UpstreamError> {
        self.look_up(self.deadline()).java_uuids(names)
    }

    fn texture(&self, url: &TextureUrl, deadline: Instant) -> Result<Vec<u8>, UpstreamError> {
        self.look_up(deadline).texture(url.as_str())
    }

    fn texture_by_hash(&self, hash: &TextureHash) -> Result<Vec<u8>, UpstreamError> {
        // Some content networks refuse a file that does not exist, and anybody may ask for any hash.
        let caller = Caller {
            weighs_refusals: false,
            ..self.look_up(self.deadline())
        };
        let not_found = || UpstreamError::TextureNotFound { hash: hash.clone() };
        let url = caller.texture_url(hash.as_str()).ok_or_else(not_found)?;
        caller.texture(&url).map_err(|error| match error {
            UpstreamError::Status {
                status: 403 | 404 | 410,
                ..
            } => not_found(),
            error => error,
        })
    }

    fn ping(&self) -> Result<(), UpstreamError> {
        let caller = Caller {
            priority: Priority::Probe,
            timeout: self.config.timeout.min(PROBE_TIMEOUT),
            ..self.look_up((self.clock)() + PROBE_TIMEOUT)
        };
        match caller.identify(PROBED_PLAYER) {
            // A private service need not know the player. Any answer of its own will do.
            Ok(_)
            | Err(
                UpstreamError::PlayerNotFound { .. } | UpstreamError::Status { status: 404, .. },
            ) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn states(&self) -> Vec<UpstreamState> {
        let mut states = self.limits.states((self.clock)());
        if self.config.name_lookup == NameLookup::Auto {
            // The current form of the look-up takes the calls that the legacy one refuses.
            let legacy = &mut states[Upstream::IdentityLegacy as usize];
            legacy.limited = legacy
                .limited
                .filter(|reason| *reason != LimitReason::Refused);
        }
        states
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resolver")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
