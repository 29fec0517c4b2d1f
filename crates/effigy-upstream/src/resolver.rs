//! From a player to a skin: the order of the calls, and what stands in where they fail.

mod wardrobe;

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use effigy_player::{PlayerId, Uuid};

use crate::call::Caller;
use crate::default_skins::default_skin;
use crate::gate::Urgency;
use crate::gates::Gates;
use crate::identity::IdentityService;
use crate::segment::Segment;
use crate::shared_work::SharedWork;
use crate::texture_record::TextureRecord;
use crate::textures::{self, Texture, TextureHosts};
use crate::{
    ConfigError, Profile, ResolvedSkin, SkinOrigin, SkinSource, Step, TextureHash, Transport,
    TransportError, UpstreamConfig, UpstreamError, UpstreamState, bedrock, java,
};

/// The Java player whose skin stands in. Spec, "Profile resolution".
const STAND_IN: &str = "Steve";

/// The Java player whom a health check looks up.
const PROBED: &str = "Notch";

/// How long a health check may take. Spec, "Limits".
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// Nobody waits longer, and points in time this far ahead always exist.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(3600);

/// Resolves players through the services outside.
///
/// Any number of threads may use one at a time; the limits hold for all of them together.
pub struct Resolver<T> {
    transport: T,
    config: UpstreamConfig,
    hosts: TextureHosts,
    identity: IdentityService,
    steve: SharedWork<Result<Arc<Texture>, Arc<UpstreamError>>>,
    gates: Gates,
    clock: Box<dyn Fn() -> Instant + Send + Sync>,
}

impl<T: Transport> Resolver<T> {
    /// A resolver that calls the services of `config` over `transport`.
    ///
    /// # Errors
    ///
    /// [`ConfigError::TextureHost`] for a texture host that is none.
    pub fn new(transport: T, mut config: UpstreamConfig) -> Result<Self, ConfigError> {
        config.timeout = config.timeout.min(LONGEST_TIMEOUT);
        config.resolve_timeout = config.resolve_timeout.min(LONGEST_TIMEOUT);
        Ok(Self {
            transport,
            hosts: TextureHosts::new(&config)?,
            identity: IdentityService::new(&config),
            steve: SharedWork::default(),
            gates: Gates::new(&config),
            config,
            clock: Box::new(Instant::now),
        })
    }

    /// The same resolver with another clock, for tests that do not wait.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        self.clock = Box::new(clock);
        self
    }

    fn caller(&self, urgency: Urgency, timeout: Duration) -> Caller<'_, T> {
        Caller {
            transport: &self.transport,
            gates: &self.gates,
            clock: &*self.clock,
            timeout: timeout.min(self.config.timeout),
            patience: self.config.timeout.min(self.config.resolve_timeout) / 3,
            deadline: (self.clock)() + timeout,
            urgency,
        }
    }

    fn java_name(&self, caller: &Caller<'_, T>, name: &str) -> Result<ResolvedSkin, UpstreamError> {
        let uuid = self.identity.uuid(caller, name)?;
        self.java_uuid(caller, uuid)
    }

    fn java_uuid(&self, caller: &Caller<'_, T>, uuid: Uuid) -> Result<ResolvedSkin, UpstreamError> {
        let session = java::session(caller, &self.config.endpoints, uuid)?;
        if let Some(record) = session.textures.skin {
            return self.own(caller, &record);
        }
        self.default_texture(caller, uuid)
            .map(|texture| texture.resolved(SkinOrigin::DefaultSkin))
            .or_else(|error| {
                log_stand_in(&error);
                self.stand_in(caller, SkinOrigin::Outage)
            })
    }

    fn bedrock(
        &self,
        caller: &Caller<'_, T>,
        player: Bedrock<'_>,
    ) -> Result<ResolvedSkin, UpstreamError> {
        // The last quarter of the time is the stand-in's.
        let own = caller.until(caller.deadline - self.config.resolve_timeout / 4);
        let origin = match self.bedrock_own(&own, player) {
            Ok(Some(resolved)) => return Ok(resolved),
            Ok(None) => SkinOrigin::DefaultSkin,
            Err(error) => {
                log_stand_in(&error);
                if error.is_outage() {
                    SkinOrigin::Outage
                } else {
                    SkinOrigin::PlayerNotFound
                }
            }
        };
        self.stand_in(caller, origin)
    }

    fn bedrock_own(
        &self,
        caller: &Caller<'_, T>,
        player: Bedrock<'_>,
    ) -> Result<Option<ResolvedSkin>, UpstreamError> {
        let endpoints = &self.config.endpoints;
        let textures = match player {
            Bedrock::Xuid(xuid) => bedrock::skin(caller, endpoints, xuid)?,
            Bedrock::Gamertag(gamertag) => {
                let xuid = bedrock::xuid(caller, endpoints, gamertag)?;
                bedrock::skin(caller, endpoints, &xuid)?
            }
        };
        let skin = textures.skin;
        skin.map(|record| self.own(caller, &record)).transpose()
    }

    /// The skin of the Java player `Steve`, or the default one where even he has set none.
    ///
    /// An outage makes many players need it at once, who share one look-up.
    fn stand_in(
        &self,
        caller: &Caller<'_, T>,
        origin: SkinOrigin,
    ) -> Result<ResolvedSkin, UpstreamError> {
        let shared = self.steve.run(caller.time_left(), || {
            let texture = self.steves_texture(caller).map_err(Arc::new);
            texture.map(Arc::new)
        });
        let steve = shared.unwrap_or_else(|| {
            Err(Arc::new(UpstreamError::Transport {
                step: Step::Identity,
                source: TransportError::Timeout,
            }))
        });
        // That there is no Steve, say, is nothing about the player who was asked for.
        steve
            .map(|texture| Arc::unwrap_or_clone(texture).resolved(origin))
            .map_err(|source| UpstreamError::StandIn { source })
    }

    fn steves_texture(&self, caller: &Caller<'_, T>) -> Result<Texture, UpstreamError> {
        let uuid = self.identity.uuid(caller, STAND_IN)?;
        let session = java::session(caller, &self.config.endpoints, uuid)?;
        match session.textures.skin {
            Some(record) => textures::fetch(caller, &self.hosts, &record),
            None => self.default_texture(caller, uuid),
        }
    }

    fn default_texture(
        &self,
        caller: &Caller<'_, T>,
        uuid: Uuid,
    ) -> Result<Texture, UpstreamError> {
        textures::fetch(caller, &self.hosts, &self.default_record(uuid))
    }

    /// The record of the skin that the game gives who has set none.
    fn default_record(&self, uuid: Uuid) -> TextureRecord {
        let texture = &self.config.endpoints.texture;
        let skin = default_skin(uuid);
        TextureRecord::from_hash(texture, &Segment::from(skin), skin.model)
    }

    /// Fetches the texture of a player's own record.
    fn own(
        &self,
        caller: &Caller<'_, T>,
        record: &TextureRecord,
    ) -> Result<ResolvedSkin, UpstreamError> {
        let texture = textures::fetch(caller, &self.hosts, record)?;
        Ok(texture.resolved(SkinOrigin::Own))
    }
}

impl Texture {
    fn resolved(self, origin: SkinOrigin) -> ResolvedSkin {
        ResolvedSkin {
            texture: self.bytes,
            model: self.model,
            origin,
        }
    }
}

/// A Bedrock player.
#[derive(Clone, Copy)]
enum Bedrock<'a> {
    Xuid(&'a str),
    Gamertag(&'a str),
}

/// A stand-in hides a failure from the caller, so the log has to tell it.
fn log_stand_in(error: &UpstreamError) {
    let is_outage = error.is_outage();
    let error: &(dyn Error + 'static) = error;
    if is_outage {
        tracing::warn!(error, "a stand-in skin hides an outage");
    } else {
        tracing::debug!(error, "a stand-in skin for nobody");
    }
}

impl<T: Transport> SkinSource for Resolver<T> {
    fn resolve(&self, player: &PlayerId) -> Result<ResolvedSkin, UpstreamError> {
        let caller = &self.caller(Urgency::Ordinary, self.config.resolve_timeout);
        match player {
            PlayerId::JavaName(name) => self.java_name(caller, name),
            PlayerId::JavaUuid(uuid) => self.java_uuid(caller, *uuid),
            PlayerId::BedrockXuid(xuid) => self.bedrock(caller, Bedrock::Xuid(xuid)),
            PlayerId::BedrockGamertag(tag) => self.bedrock(caller, Bedrock::Gamertag(tag)),
        }
    }

    fn fallback(&self) -> Result<ResolvedSkin, UpstreamError> {
        // As much time as a resolve reserves for it.
        let caller = &self.caller(Urgency::Ordinary, self.config.resolve_timeout / 4);
        self.stand_in(caller, SkinOrigin::Outage)
    }

    fn profile(&self, player: &PlayerId) -> Result<Profile, UpstreamError> {
        let caller = &self.caller(Urgency::Ordinary, self.config.resolve_timeout);
        self.profile_of(caller, player)
    }

    fn texture(&self, hash: &TextureHash) -> Result<Vec<u8>, UpstreamError> {
        let caller = &self.caller(Urgency::Ordinary, self.config.resolve_timeout);
        self.texture_of(caller, hash)
    }

    fn cape(&self, url: &str) -> Result<Vec<u8>, UpstreamError> {
        let caller = &self.caller(Urgency::Ordinary, self.config.resolve_timeout);
        self.cape_at(caller, url)
    }

    fn ping(&self) -> Result<(), UpstreamError> {
        let caller = &self.caller(Urgency::Probe, PROBE_TIMEOUT);
        match self.identity.uuid(caller, PROBED) {
            // A service of the operator's own need not know him; that it says so is an answer, in
            // whatever words.
            Ok(_)
            | Err(
                UpstreamError::PlayerNotFound { .. } | UpstreamError::Status { status: 404, .. },
            ) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn states(&self) -> Vec<UpstreamState> {
        self.gates.snapshot((self.clock)())
    }
}

impl<T> fmt::Debug for Resolver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resolver")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
