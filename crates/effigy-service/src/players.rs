//! The look-up of players, in two steps: the profile, and the skin that it names. Whatever needs one of both gets it here:
//! it is remembered for a while, and looked up once for all that need it at the same time.

mod appearance;

pub(crate) use appearance::{Appearance, FALLBACK_PLAYER};

use std::{
    hash::Hash,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use effigy_player::{InputError, Model, PlayerId, lower_case};
use effigy_render::{Skin, TextureError};
use effigy_upstream::{
    LookUp, Profile, ProfileSkin, Revision, SkinSource, Target, TextureHash, TextureUrl,
    UpstreamError,
};

use crate::{
    ServiceError, Turn,
    cache::MemoryCache,
    doors::{Askers, ChargedCalls},
    error::Result,
    flow::Flow,
    metrics::observe,
    single_flight::SingleFlight,
};

/// The approximate sizes of what is remembered.
const PROFILES_BYTES: u64 = 4 << 20;
const SKINS_BYTES: u64 = 10 << 20;
const CAPES_BYTES: u64 = 2 << 20;

/// The approximate size of a profile, without its texts.
const PROFILE_BYTES: usize = 512;

/// The memory in which the largest skin is decoded.
const DECODING_BYTES: u64 = 5 << 20;

/// The time for which a profile is remembered that may be another player's. The outage that is the reason is remembered for two
/// seconds, so the player's own skin is shown three seconds after its end.
const UNCERTAIN_TTL: Duration = Duration::from_secs(1);

/// The players that were looked up a moment ago, and those that are being looked up.
pub(crate) struct Players {
    profiles: Remembered<ProfileKey, Arc<Profile>>,
    skins: Remembered<SkinKey, Arc<DecodedSkin>>,
    /// Many players wear the same one.
    capes: Remembered<TextureUrl, Bytes>,
}

/// Values that were looked up, each with the time at which its look-up began, and the look-ups in
/// flight, which go on when all callers have left.
struct Remembered<K, V> {
    values: MemoryCache<K, (Instant, V)>,
    look_ups: SingleFlight<K, (Instant, V)>,
}

/// A player with the revision of the player's files in the folder of skins.
type ProfileKey = (PlayerId, Option<Revision>);

/// A texture on a model.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum SkinKey {
    Url(TextureUrl, Option<Model>, Option<Revision>),
    Hash(TextureHash, Model),
}

/// A texture file and the skin in it.
#[derive(Debug)]
pub(crate) struct DecodedSkin {
    pub(crate) texture: Bytes,
    pub(crate) skin: Skin,
}

/// A player to be looked up.
#[derive(Debug, Clone)]
pub(crate) struct Player {
    pub(crate) id: PlayerId,
    pub(crate) input: String,
    revision: Option<Revision>,
    /// The time before which no look-up may have begun, or none if one of a moment ago will do.
    since: Option<Instant>,
}

/// Returns the name of a player whom an input names. A gamertag is written as in the input, because that of the profile is how
/// another client has written it.
pub(crate) fn name_as_written<'a>(input: &'a str, name: Option<&'a str>) -> Option<&'a str> {
    let tag = input.strip_prefix('.').filter(|tag| {
        let folded = name.map(lower_case);
        folded == Some(lower_case(tag))
    });
    tag.or(name)
}

impl Players {
    /// Players that are remembered for `ttl`.
    pub(crate) fn new(ttl: Duration) -> Self {
        let profile_ttl = move |(_, profile): &(_, Arc<Profile>)| {
            if profile.is_certain {
                ttl
            } else {
                ttl.min(UNCERTAIN_TTL)
            }
        };
        let skin_bytes = |(_, skin): &(_, Arc<DecodedSkin>)| {
            skin.texture.len() + size_of_val(skin.skin.texels())
        };
        Self {
            profiles: Remembered::new(PROFILES_BYTES, profile_ttl, |(_, profile)| {
                PROFILE_BYTES + profile.text_bytes()
            }),
            skins: Remembered::new(SKINS_BYTES, move |_| ttl, skin_bytes),
            capes: Remembered::new(CAPES_BYTES, move |_| ttl, |(_, file)| file.len()),
        }
    }

    /// The number of look-ups in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.profiles.look_ups.len() + self.skins.look_ups.len() + self.capes.look_ups.len()
    }
}

impl<K, V> Remembered<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// Remembers about this number of bytes, each value for its `lifetime`.
    fn new(
        capacity_bytes: u64,
        lifetime: impl Fn(&(Instant, V)) -> Duration + Send + Sync + 'static,
        bytes: fn(&(Instant, V)) -> usize,
    ) -> Self {
        Self {
            values: MemoryCache::new(capacity_bytes, lifetime, bytes),
            look_ups: SingleFlight::that_outlive_callers(),
        }
    }
}

impl DecodedSkin {
    /// Decodes a texture. Without a model, it is guessed.
    pub(crate) fn decode(
        texture: impl Into<Bytes>,
        model: impl Into<Option<Model>>,
    ) -> Result<Self, TextureError> {
        let texture = texture.into();
        let skin = Skin::decode(&texture, model)?;
        Ok(Self { texture, skin })
    }
}

impl Flow {
    /// Returns the player that an input names.
    ///
    /// # Errors
    /// If it cannot name one.
    pub(crate) fn player(&self, input: &str, is_reused: bool) -> Result<Player, InputError> {
        Ok(Player {
            id: PlayerId::detect(input)?,
            revision: self.state.source.revision(input),
            input: input.to_owned(),
            since: (!is_reused && !self.state.config.player_ttl_everywhere).then(Instant::now),
        })
    }

    /// Returns the profile of a player.
    pub(crate) async fn profile(&self, player: &Player, deadline: Instant) -> Result<Arc<Profile>> {
        let key = (player.id.folded(self.state.ignores_case), player.revision);
        let id = player.id.clone();
        let find = move |flow: Self| async move {
            let planned = flow.state.source.calls_for(Target::Player(&id));
            let client = flow.askers.first();
            let rates = &flow.state.rates;
            let charged = rates.charge_calls(client, planned, deadline).await?;
            let call =
                move |source: &dyn SkinSource, look_up: &LookUp| source.profile(&id, look_up);
            let profile = flow.call_source(deadline, charged, call).await?;
            Ok(Arc::new(profile))
        };
        self.look_up(|players| &players.profiles, key, Some(player), find)
            .await
    }

    /// Returns the skin that a profile names.
    pub(crate) async fn skin(
        &self,
        worn: &ProfileSkin,
        player: &Player,
        deadline: Instant,
    ) -> Result<Arc<DecodedSkin>> {
        let url = worn.texture.clone();
        let model = worn.model;
        let key = SkinKey::Url(url.clone(), model, player.revision);
        let find = move |flow: Self| async move {
            let texture = flow.texture(&url, deadline).await?;
            flow.decode(texture, model).await
        };
        self.look_up(|players| &players.skins, key, Some(player), find)
            .await
    }

    /// Returns the skin in the texture of a hash.
    pub(crate) async fn skin_of_hash(
        &self,
        hash: TextureHash,
        model: Model,
    ) -> Result<Arc<DecodedSkin>> {
        let key = SkinKey::Hash(hash.clone(), model);
        let find = move |flow: Self| async move {
            let deadline = flow.state.source.deadline();
            let planned = flow.state.source.calls_for(Target::Hash(&hash));
            let client = flow.askers.first();
            let rates = &flow.state.rates;
            let charged = rates.charge_calls(client, planned, deadline).await?;
            let call = move |source: &dyn SkinSource, look_up: &LookUp| {
                source.texture_by_hash(&hash, look_up)
            };
            let texture = flow.call_source(deadline, charged, call).await?;
            flow.decode(texture.into(), Some(model)).await
        };
        self.look_up(|players| &players.skins, key, None, find)
            .await
    }

    /// Returns the file of a cape, as it was uploaded.
    pub(crate) async fn cape(&self, url: &TextureUrl) -> Result<Bytes> {
        let deadline = self.state.source.deadline();
        let key = url.clone();
        let find = move |flow: Self| async move {
            let file = flow.texture(&key, deadline).await;
            file.map_err(|error| match &*error {
                // An upstream that has no such file says something about the cape: it does not
                // exist any more.
                ServiceError::Upstream(error) if matches!(error.status(), Some(404 | 410)) => {
                    ServiceError::NoCape.into()
                }
                _ => error,
            })
        };
        self.look_up(|players| &players.capes, url.clone(), None, find)
            .await
    }

    /// Decodes a texture on a drawing thread. On a thread that answers it would take a sixth more
    /// processor time for a miss, because it would interrupt drawing.
    async fn decode(&self, texture: Bytes, model: Option<Model>) -> Result<Arc<DecodedSkin>> {
        let decode = move |_: &Turn| DecodedSkin::decode(texture, model);
        let decoded = self
            .state
            .draw(&self.askers, DECODING_BYTES, decode)
            .await?;
        let skin = decoded.map_err(|error| UpstreamError::Decode {
            source: error.into(),
        })?;
        Ok(Arc::new(skin))
    }

    /// Fetches a texture that a profile names, unless it is at hand.
    async fn texture(&self, url: &TextureUrl, deadline: Instant) -> Result<Bytes> {
        if let Some(file) = url.file() {
            return Ok(Bytes::copy_from_slice(file));
        }
        let planned = self.state.source.calls_for(Target::Texture(url));
        let client = self.askers.first();
        let rates = &self.state.rates;
        let admitted = rates.admit_texture(client, &planned, deadline).await?;
        let url = url.clone();
        let call = move |source: &dyn SkinSource, look_up: &LookUp| source.texture(&url, look_up);
        let texture = self.call_source(deadline, admitted, call).await?;
        Ok(texture.into())
    }

    /// Calls the source of skins on a blocking thread, and gives back the calls that it did not
    /// make.
    async fn call_source<T: Send + 'static>(
        &self,
        deadline: Instant,
        charged: ChargedCalls,
        call: impl FnOnce(&dyn SkinSource, &LookUp) -> Result<T, UpstreamError> + Send + 'static,
    ) -> Result<T> {
        let started = Instant::now();
        let state = Arc::clone(&self.state);
        // What was charged moves with the call: it is in flight even if the caller has left.
        let task = tokio::task::spawn_blocking(move || {
            let look_up = LookUp::until(deadline);
            let answer = call(&*state.source, &look_up);
            state.rates.settle(charged, &look_up);
            answer
        });
        let answer = task.await.map_err(|_| ServiceError::Interrupted)?;
        observe(&self.state.metrics.look_ups, started.elapsed(), &answer);
        Ok(answer?)
    }

    /// Returns what is remembered, or looked up once for all who need it now. It is kept unless the
    /// player has changed in the meantime.
    async fn look_up<K, V, F>(
        &self,
        remembered: fn(&Players) -> &Remembered<K, V>,
        key: K,
        player: Option<&Player>,
        find: impl FnOnce(Self) -> F + Send + 'static,
    ) -> Result<V>
    where
        K: Clone + Eq + Hash + Send + 'static,
        V: Clone + Send + Sync + 'static,
        F: Future<Output = Result<V>> + Send,
    {
        let since = player.and_then(|player| player.since);
        let memory = remembered(&self.state.players);
        let known = || {
            let (begun, value) = memory.values.get(&key, self.state.now())?;
            let recent = since.is_none_or(|since| since <= begun);
            recent.then_some((begun, value))
        };
        // Whoever waits for a look-up does not wait for the file that it was begun for.
        let flow = Self {
            state: Arc::clone(&self.state),
            askers: Askers::one(self.askers.first()),
        };
        let askers = flow.askers.clone();
        let wanted = player.cloned();
        let own_key = key.clone();
        let look_up = async move {
            let at = flow.state.now();
            let begun = Instant::now();
            let value = find(flow.clone()).await?;
            let state = &flow.state;
            let changed = wanted
                .is_some_and(|wanted| state.source.revision(&wanted.input) != wanted.revision);
            if !changed {
                let values = &remembered(&state.players).values;
                values.insert(own_key, at, (begun, value.clone()));
            }
            Ok((begun, value))
        };
        let found = memory.look_ups.run(&askers, key.clone(), known, look_up);
        let (_, value) = found.await?;
        Ok(value)
    }
}
