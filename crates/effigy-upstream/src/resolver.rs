//! The resolver: a source of skins over the services on the network.

mod bedrock;
mod caller;
mod default_skins;
mod java;
mod java_names;
mod missing_players;
mod records;
mod textures;

use std::fmt;
use std::time::{Duration, Instant};

use effigy_player::{PlayerId, Uuid};

use crate::config::{ConfigError, UpstreamConfig};
use crate::error::UpstreamError;
use crate::limits::{LimitReason, Priority, Upstream, UpstreamState};
use crate::profile::{Account, Profile};
use crate::source::{FoundNames, SkinSource};
use crate::texture::{TextureHash, TextureUrl};
use crate::transport::Transport;
use caller::{Caller, Client};

/// The Java player whom a health check looks up.
const PROBED_PLAYER: &str = "Notch";

/// The time limit of a health check. Spec, "Limits".
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// Resolves players through the services on the network.
///
/// Any number of threads may share one; the limits apply to all of them together.
pub struct Resolver {
    client: Client,
}

impl Resolver {
    /// Creates a resolver that calls the services of `config` over `transport`.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if a texture host is malformed.
    pub fn new(transport: impl Transport, config: UpstreamConfig) -> Result<Self, ConfigError> {
        let client = Client::new(transport, config)?;
        Ok(Self { client })
    }

    /// Replaces the clock, for tests that do not wait.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        self.client.clock = Box::new(clock);
        self
    }

    /// Returns a caller for one look-up.
    fn look_up(&self, deadline: Instant) -> Caller<'_> {
        Caller {
            client: &self.client,
            priority: Priority::Normal,
            weighs_refusals: true,
            timeout: self.client.config.timeout,
            deadline,
        }
    }
}

impl Caller<'_> {
    fn java_profile(&self, uuid: Uuid) -> Result<Profile, UpstreamError> {
        let session = self.session(uuid)?;
        Ok(Profile {
            account: Account::Java(uuid),
            name: session.name,
            skin: Some(self.java_skin(&session.textures, uuid)?),
            cape: self.cape(&session.textures),
        })
    }

    fn bedrock_profile(
        &self,
        xuid: String,
        name: Option<String>,
    ) -> Result<Profile, UpstreamError> {
        let textures = self.bedrock_textures(&xuid)?;
        Ok(Profile {
            account: Account::Bedrock(Some(xuid)),
            name,
            skin: self.own_skin(&textures)?,
            cape: self.cape(&textures),
        })
    }
}

impl SkinSource for Resolver {
    fn deadline(&self) -> Instant {
        (self.client.clock)() + self.client.config.resolve_timeout
    }

    fn profile(&self, player: &PlayerId, deadline: Instant) -> Result<Profile, UpstreamError> {
        let caller = self.look_up(deadline);
        match player {
            PlayerId::JavaName(name) => caller.java_profile(caller.java_uuid(name)?),
            PlayerId::JavaUuid(uuid) => caller.java_profile(*uuid),
            PlayerId::BedrockXuid(xuid) => caller.bedrock_profile(xuid.clone(), None),
            PlayerId::BedrockGamertag(gamertag) => {
                caller.bedrock_profile(caller.xuid(gamertag)?, Some(gamertag.clone()))
            }
        }
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
        let url = caller.url_of_hash(hash.as_str());
        let url = url.expect("hexadecimal digits are a segment");
        let texture = caller.texture(url.as_str());
        texture.map_err(|error| match error {
            UpstreamError::Status {
                status: 403 | 404 | 410,
                ..
            } => UpstreamError::TextureNotFound { hash: hash.clone() },
            error => error,
        })
    }

    fn ping(&self) -> Result<(), UpstreamError> {
        let caller = Caller {
            priority: Priority::Probe,
            timeout: self.client.config.timeout.min(PROBE_TIMEOUT),
            ..self.look_up((self.client.clock)() + PROBE_TIMEOUT)
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
        let mut states = self.client.limits.states((self.client.clock)());
        // The current form of the look-up takes the calls that the legacy one refuses.
        let legacy = &mut states[Upstream::IdentityLegacy as usize];
        legacy.limited = legacy
            .limited
            .filter(|reason| *reason != LimitReason::Refused);
        states
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resolver")
            .field("config", &self.client.config)
            .finish_non_exhaustive()
    }
}
