//! The look-up of players, in two steps: the profile, and the skin that it names. Whatever needs one of both gets it here:
//! it is remembered for a while, and looked up once for all that need it at the same time.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use effigy_player::{InputError, Model, PlayerId};
use effigy_render::{Skin, SkinError};
use effigy_upstream::{
    Profile, ProfileSkin, Revision, SkinSource, TextureHash, TextureUrl, UpstreamError,
};

use crate::{
    Turn, error::Result, flow::Flow, memory_cache::MemoryCache, request::key::revision,
    single_flight::SingleFlight,
};

/// The approximate sizes of what is remembered.
const PROFILES_BYTES: u64 = 4 << 20;
const SKINS_BYTES: u64 = 12 << 20;

/// The approximate size of a profile.
const PROFILE_BYTES: usize = 512;

/// The memory in which the largest skin is decoded.
const DECODING_BYTES: usize = 5 << 20;

/// The players that were looked up a moment ago, and those that are being looked up.
pub(crate) struct Players {
    profiles: MemoryCache<ProfileKey, Arc<Profile>>,
    profiles_in_flight: SingleFlight<ProfileKey, Arc<Profile>>,
    skins: MemoryCache<SkinKey, Arc<DecodedSkin>>,
    skins_in_flight: SingleFlight<SkinKey, Arc<DecodedSkin>>,
}

/// A player with the revision of the player's files in the folder of skins.
type ProfileKey = (PlayerId, Option<Revision>);

/// A texture on a model.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum SkinKey {
    Url(TextureUrl, Model, Option<Revision>),
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
    input: String,
    revision: Option<Revision>,
    /// `true` if a look-up of a moment ago will do.
    is_reused: bool,
}

impl Players {
    /// Players that are remembered for `ttl`.
    pub(crate) fn new(ttl: Duration) -> Self {
        Self {
            profiles: MemoryCache::new(PROFILES_BYTES, ttl),
            profiles_in_flight: SingleFlight::new(true),
            skins: MemoryCache::new(SKINS_BYTES, ttl),
            skins_in_flight: SingleFlight::new(true),
        }
    }

    /// The number of look-ups in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.profiles_in_flight.in_flight() + self.skins_in_flight.in_flight()
    }
}

impl Player {
    fn is_current(&self, source: &dyn SkinSource) -> bool {
        revision([&*self.input].into_iter(), source) == self.revision
    }
}

impl DecodedSkin {
    /// Decodes a texture. Without a model, it is guessed.
    pub(crate) fn decode(
        texture: impl Into<Bytes>,
        model: impl Into<Option<Model>>,
    ) -> Result<Self, SkinError> {
        let texture = texture.into();
        let skin = Skin::decode(&texture, model)?;
        Ok(Self { texture, skin })
    }

    /// The approximate size in memory.
    fn bytes(&self) -> usize {
        self.texture.len() + size_of_val(self.skin.texels())
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
            revision: revision([input].into_iter(), &*self.state.source),
            input: input.to_owned(),
            is_reused: is_reused || self.state.config.player_ttl_everywhere,
        })
    }

    /// Returns the profile of a player.
    pub(crate) async fn profile(&self, player: &Player, deadline: Instant) -> Result<Arc<Profile>> {
        let (state, at) = (&self.state, self.now());
        let key = player.id.folded(state.source.ignores_case());
        let key: ProfileKey = (key, player.revision);
        let known = || {
            let remembered = state.players.profiles.get(&key, at);
            remembered.filter(|_| player.is_reused)
        };
        let look_up = |waiters| {
            let (flow, player, key) = (self.shared_with(waiters), player.clone(), key.clone());
            async move {
                // A player in the folder of skins takes no call.
                let (id, cost) = (player.id.clone(), u32::from(player.revision.is_none()));
                let find = move |source: &dyn SkinSource| source.profile(&id, deadline);
                let profile = Arc::new(flow.call_source(cost, find).await?);
                let state = &flow.state;
                if profile.is_certain && player.is_current(&*state.source) {
                    let kept = Arc::clone(&profile);
                    state.players.profiles.insert(key, at, PROFILE_BYTES, kept);
                }
                Ok(profile)
            }
        };
        let in_flight = &state.players.profiles_in_flight;
        in_flight
            .run(&self.client, key.clone(), known, look_up)
            .await
    }

    /// Returns the skin that a profile names. The look-up of the profile has paid for it.
    pub(crate) async fn skin(
        &self,
        worn: &ProfileSkin,
        player: &Player,
        deadline: Instant,
    ) -> Result<Arc<DecodedSkin>> {
        let (url, model) = (worn.texture.clone(), worn.model);
        let key = SkinKey::Url(url.clone(), model, player.revision);
        let fetch = move |flow: Self| async move { flow.texture(&url, 0, deadline).await };
        self.decoded(key, model, Some(player), fetch).await
    }

    /// Returns the skin in the texture of a hash.
    pub(crate) async fn skin_of_hash(
        &self,
        hash: TextureHash,
        model: Model,
    ) -> Result<Arc<DecodedSkin>> {
        let key = SkinKey::Hash(hash.clone(), model);
        let find = move |source: &dyn SkinSource| source.texture_by_hash(&hash);
        let fetch = |flow: Self| async move { Ok(flow.call_source(1, find).await?.into()) };
        self.decoded(key, model, None, fetch).await
    }

    async fn decoded<F: Future<Output = Result<Bytes>> + Send + 'static>(
        &self,
        key: SkinKey,
        model: Model,
        player: Option<&Player>,
        fetch: impl FnOnce(Self) -> F + Send + 'static,
    ) -> Result<Arc<DecodedSkin>> {
        let (state, at) = (&self.state, self.now());
        let known = || {
            let remembered = state.players.skins.get(&key, at);
            remembered.filter(|_| player.is_none_or(|player| player.is_reused))
        };
        let look_up = |waiters| {
            let (flow, key, player) = (self.shared_with(waiters), key.clone(), player.cloned());
            async move {
                let texture = fetch(flow.clone()).await?;
                let decode = move |_: &Turn| {
                    let skin = DecodedSkin::decode(texture, model);
                    let source = |error: SkinError| error.into();
                    skin.map_err(|error| {
                        UpstreamError::Decode {
                            source: source(error),
                        }
                        .into()
                    })
                };
                let skin = Arc::new(flow.work(DECODING_BYTES, decode).await?);
                let state = &flow.state;
                if player.is_none_or(|player| player.is_current(&*state.source)) {
                    let kept = Arc::clone(&skin);
                    state.players.skins.insert(key, at, skin.bytes(), kept);
                }
                Ok(skin)
            }
        };
        let in_flight = &state.players.skins_in_flight;
        in_flight
            .run(&self.client, key.clone(), known, look_up)
            .await
    }
}
