//! The resolver: a source of skins over the services on the network.
//!
//! It decides the order of the calls, and the skin that is shown if they fail.

mod bedrock;
mod caller;
mod default_skins;
mod java;
mod profile_lookup;
mod records;
mod single_flight;
mod textures;

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use effigy_player::{Model, PlayerId, Uuid};

use crate::config::{AllowedHosts, ConfigError, UpstreamConfig};
use crate::error::UpstreamError;
use crate::limits::{Limits, Priority, UpstreamState};
use crate::profile::Profile;
use crate::source::{ResolvedSkin, SkinCheck, SkinOrigin, SkinSource};
use crate::texture_hash::TextureHash;
use crate::transport::{Step, Transport, TransportError};
use caller::Caller;
use records::TextureRecord;
use single_flight::SingleFlight;

/// The Java player whose skin is the fallback. Spec, "Profile resolution".
const FALLBACK_PLAYER: &str = "Steve";

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
    fallback: SingleFlight<Result<ResolvedSkin, Arc<UpstreamError>>>,
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
            config,
            fallback: SingleFlight::default(),
            clock: Box::new(Instant::now),
        })
    }

    /// Replaces the clock, for tests that do not wait.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        self.clock = Box::new(clock);
        self
    }

    fn caller(&self, priority: Priority, timeout: Duration) -> Caller<'_> {
        Caller {
            resolver: self,
            priority,
            timeout: timeout.min(self.config.timeout),
            deadline: (self.clock)() + timeout,
        }
    }

    /// Returns a caller for one look-up.
    fn look_up(&self) -> Caller<'_> {
        self.caller(Priority::Normal, self.config.resolve_timeout)
    }

    fn java(
        &self,
        caller: &Caller<'_>,
        uuid: Uuid,
        check: SkinCheck<'_>,
    ) -> Result<ResolvedSkin, UpstreamError> {
        if let Some(record) = caller.session(uuid)?.textures.skin {
            return fetch(caller, record, SkinOrigin::Own)?.checked(check);
        }
        let record = caller.default_record(uuid);
        fetch(caller, record, SkinOrigin::DefaultSkin)
            .and_then(|skin| skin.checked(check))
            .or_else(|error| {
                log_fallback(&error);
                self.fallback_for(caller, SkinOrigin::Outage)?
                    .checked(check)
            })
    }

    fn bedrock(
        &self,
        caller: &Caller<'_>,
        xuid: impl FnOnce(&Caller<'_>) -> Result<String, UpstreamError>,
        check: SkinCheck<'_>,
    ) -> Result<ResolvedSkin, UpstreamError> {
        // The last quarter of the time is reserved for the fallback.
        let own = Caller {
            deadline: caller.deadline - self.config.resolve_timeout / 4,
            ..*caller
        };
        let skin = xuid(&own).and_then(|xuid| match own.bedrock_textures(&xuid)?.skin {
            Some(record) => fetch(&own, record, SkinOrigin::Own)?
                .checked(check)
                .map(Some),
            None => Ok(None),
        });
        let origin = match skin {
            Ok(Some(resolved)) => return Ok(resolved),
            Ok(None) => SkinOrigin::DefaultSkin,
            Err(error) => {
                log_fallback(&error);
                error.fallback_origin()
            }
        };
        self.fallback_for(caller, origin)?.checked(check)
    }

    /// Returns the fallback skin with the origin that explains it.
    ///
    /// An outage makes many players need it at once, who share one look-up.
    fn fallback_for(
        &self,
        caller: &Caller<'_>,
        origin: SkinOrigin,
    ) -> Result<ResolvedSkin, UpstreamError> {
        let fetch = || fetch_fallback(caller).map_err(Arc::new);
        let shared = self.fallback.run(caller.time_left(), fetch);
        let fallback = shared.unwrap_or_else(|| {
            Err(Arc::new(UpstreamError::Transport {
                step: Step::Identity,
                source: TransportError::Timeout,
            }))
        });
        match fallback {
            Ok(resolved) => Ok(ResolvedSkin { origin, ..resolved }),
            // A missing fallback player, for example, says nothing about the requested player.
            Err(source) => Err(UpstreamError::Fallback { source }),
        }
    }
}

impl SkinSource for Resolver {
    fn resolve_checked(
        &self,
        player: &PlayerId,
        check: SkinCheck<'_>,
    ) -> Result<ResolvedSkin, UpstreamError> {
        let caller = &self.look_up();
        match player {
            PlayerId::JavaName(name) => self.java(caller, caller.java_uuid(name)?, check),
            PlayerId::JavaUuid(uuid) => self.java(caller, *uuid, check),
            PlayerId::BedrockXuid(xuid) => self.bedrock(caller, |_| Ok(xuid.clone()), check),
            PlayerId::BedrockGamertag(tag) => self.bedrock(caller, |own| own.xuid(tag), check),
        }
    }

    fn profile(&self, player: &PlayerId) -> Result<Profile, UpstreamError> {
        self.look_up().profile(player)
    }

    fn texture(&self, hash: &TextureHash) -> Result<Vec<u8>, UpstreamError> {
        let caller = self.look_up();
        let not_found = || UpstreamError::TextureNotFound { hash: hash.clone() };
        let record = caller.texture_record(hash.as_str(), Model::default());
        let texture = caller.texture(&record.ok_or_else(not_found)?.url);
        texture.map_err(|error| match error {
            UpstreamError::Status {
                status: 404 | 410, ..
            } => not_found(),
            error => error,
        })
    }

    fn cape(&self, url: &str) -> Result<Vec<u8>, UpstreamError> {
        self.look_up().texture(url)
    }

    fn ping(&self) -> Result<(), UpstreamError> {
        let caller = self.caller(Priority::Probe, PROBE_TIMEOUT);
        match caller.java_uuid(PROBED_PLAYER) {
            // A private service need not know the player. Any answer of its own will do.
            Ok(_)
            | Err(
                UpstreamError::PlayerNotFound { .. } | UpstreamError::Status { status: 404, .. },
            ) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn states(&self) -> Vec<UpstreamState> {
        self.limits.states((self.clock)())
    }
}

/// Fetches the skin of the fallback player, or the default skin if that player has set none.
fn fetch_fallback(caller: &Caller<'_>) -> Result<ResolvedSkin, UpstreamError> {
    let uuid = caller.java_uuid(FALLBACK_PLAYER)?;
    let skin = caller.session(uuid)?.textures.skin;
    let record = skin.unwrap_or_else(|| caller.default_record(uuid));
    fetch(caller, record, SkinOrigin::Outage)
}

fn fetch(
    caller: &Caller<'_>,
    record: TextureRecord,
    origin: SkinOrigin,
) -> Result<ResolvedSkin, UpstreamError> {
    Ok(ResolvedSkin {
        texture: caller.texture(&record.url)?,
        model: record.model,
        origin,
    })
}

/// Logs a failure that the fallback hides from the caller.
fn log_fallback(error: &UpstreamError) {
    let is_outage = error.is_outage();
    let error: &(dyn Error + 'static) = error;
    if is_outage {
        tracing::warn!(error, "the fallback skin is shown because of an outage");
    } else {
        tracing::debug!(error, "the fallback skin is shown for an unknown player");
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resolver")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
