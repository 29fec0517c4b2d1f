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
    LimitReason, Profile, ProfileSkin, Revision, SkinSource, Terms, TextureHash, TextureUrl,
    UpstreamError,
};

use crate::{
    ServiceError, SharedResource, Turn, error::Result, flow::Flow, loading_cache::LoadingCache,
    metrics::observe,
};

/// The approximate sizes of what is remembered.
const PROFILES_BYTES: u64 = 4 << 20;
const SKINS_BYTES: u64 = 10 << 20;
const CAPES_BYTES: u64 = 2 << 20;

/// The approximate size of a profile, without its texts.
const PROFILE_BYTES: usize = 512;

/// The time for which a profile is remembered that may be another player's. The outage that is the reason is remembered for two
/// seconds, so the player's own skin is shown three seconds after its end.
const UNCERTAIN_TTL: Duration = Duration::from_secs(1);

/// The memory in which the largest skin is decoded.
const DECODING_BYTES: u64 = 5 << 20;

/// The players that were looked up a moment ago, and those that are being looked up.
pub(crate) struct Players {
    profiles: Remembered<ProfileKey, Arc<Profile>>,
    skins: Remembered<SkinKey, Arc<DecodedSkin>>,
    /// Many players wear the same one.
    capes: Remembered<TextureUrl, Bytes>,
}

/// What was found, each with the time at which its look-up began. A look-up goes on when all callers have left.
type Remembered<K, V> = LoadingCache<K, (Instant, V)>;

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
        let profile_ttl = move |(_, profile): &(_, Arc<Profile>)| match profile.is_certain {
            true => ttl,
            false => ttl.min(UNCERTAIN_TTL),
        };
        Self {
            profiles: LoadingCache::new(PROFILES_BYTES, profile_ttl, true, |(_, profile)| {
                PROFILE_BYTES + profile.text_bytes()
            }),
            skins: LoadingCache::new(
                SKINS_BYTES,
                move |_| ttl,
                true,
                |(_, skin)| skin.texture.len() + size_of_val(skin.skin.texels()),
            ),
            capes: LoadingCache::new(CAPES_BYTES, move |_| ttl, true, |(_, file)| file.len()),
        }
    }

    /// The number of look-ups in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.profiles.in_flight() + self.skins.in_flight() + self.capes.in_flight()
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
        let id = player.id.clone();
        let key = (id.folded(self.state.ignores_case), player.revision);
        let find = move |flow: Self| async move {
            let find = move |source: &dyn SkinSource, terms: Terms<'_>| source.profile(&id, terms);
            Ok(Arc::new(flow.call_source(deadline, find).await?))
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
        let (url, model) = (worn.texture.clone(), worn.model);
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
            let find = move |source: &dyn SkinSource, terms: Terms<'_>| {
                source.texture_by_hash(&hash, terms)
            };
            let texture = flow.call_source(deadline, find).await?;
            flow.decode(texture.into(), Some(model)).await
        };
        self.look_up(|players| &players.skins, key, None, find)
            .await
    }

    /// Returns the file of a cape, as it was uploaded.
    pub(crate) async fn cape(&self, url: &TextureUrl) -> Result<Bytes> {
        let (key, deadline) = (url.clone(), self.state.source.deadline());
        let find = move |flow: Self| async move {
            let file = flow.texture(&key, deadline).await;
            file.map_err(|error| match &*error {
                // An upstream that has no such file says something about the cape: it does not exist any more.
                ServiceError::Upstream(error) if matches!(error.status(), Some(404 | 410)) => {
                    ServiceError::NoCape.into()
                }
                _ => error,
            })
        };
        self.look_up(|players| &players.capes, url.clone(), None, find)
            .await
    }

    /// Decodes a texture when it is the client's turn.
    async fn decode(&self, texture: Bytes, model: Option<Model>) -> Result<Arc<DecodedSkin>> {
        let decode = move |_: &Turn| DecodedSkin::decode(texture, model);
        let skin = self.client.work(DECODING_BYTES, decode).await?;
        let skin = skin.map_err(|error| UpstreamError::Decode {
            source: error.into(),
        })?;
        Ok(Arc::new(skin))
    }

    /// Fetches a texture that a profile names, unless it is at hand.
    async fn texture(&self, url: &TextureUrl, deadline: Instant) -> Result<Bytes> {
        if let Some(file) = url.file() {
            return Ok(Bytes::copy_from_slice(file));
        }
        let url = url.clone();
        let fetch = move |source: &dyn SkinSource, terms: Terms<'_>| source.texture(&url, terms);
        Ok(self.call_source(deadline, fetch).await?.into())
    }

    /// Calls the source of skins on a blocking thread, at the expense of the client.
    ///
    /// # Errors
    /// If the client is refused, too many calls are being made, or the call fails.
    async fn call_source<T: Send + 'static>(
        &self,
        deadline: Instant,
        call: impl FnOnce(&dyn SkinSource, Terms<'_>) -> Result<T, UpstreamError> + Send + 'static,
    ) -> Result<T> {
        let permit = self.client.take(SharedResource::Lookups, 1)?;
        let payer = self.client.payer();
        let (source, started) = (Arc::clone(&self.state.source), Instant::now());
        // The permit moves with the call: a busy thread counts even if the caller has left.
        let task = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let payer = payer.as_ref();
            call(&*source, Terms { deadline, payer })
        });
        let answer = task.await.map_err(|_| ServiceError::Interrupted)?;
        if let Err(error) = &answer
            && error.limit() == Some(LimitReason::Share)
        {
            let retry_after = error.retry_after().unwrap_or_default();
            let refused = self.client.refuse_for(SharedResource::Lookups, retry_after);
            return Err(refused.into());
        }
        observe(&self.state.metrics.look_ups, started.elapsed(), &answer);
        Ok(answer?)
    }

    /// Returns what is remembered, or looked up once for all who need it now. It is kept unless the player has changed in the
    /// meantime.
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
        let cache = remembered(&self.state.players);
        let since = player.and_then(|player| player.since);
        let known = || {
            let found = cache.get(&key, self.state.now());
            found.filter(|(begun, _)| since.is_none_or(|since| since <= *begun))
        };
        let look_up = |client| {
            let state = Arc::clone(&self.state);
            let (flow, key, player) = (Self { state, client }, key.clone(), player.cloned());
            async move {
                let (at, begun) = (flow.state.now(), Instant::now());
                let found = (begun, find(flow.clone()).await?);
                let is_current =
                    |player: &Player| flow.state.source.revision(&player.input) == player.revision;
                if player.as_ref().is_none_or(is_current) {
                    let cache = remembered(&flow.state.players);
                    cache.insert(key, at, found.clone());
                }
                Ok(found)
            }
        };
        let found = cache.get_or_compute(&self.client, key.clone(), known, look_up);
        Ok(found.await?.1)
    }
}
