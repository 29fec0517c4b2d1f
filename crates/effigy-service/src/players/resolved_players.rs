//! The skins of players who were resolved a moment ago.

use std::time::{Duration, SystemTime};

use quick_cache::{Weighter, sync::Cache};

use super::look_up::{LookUp, SkinId};

/// The approximate size of all skins, with their textures.
const CAPACITY_BYTES: u64 = 16 << 20;

/// The approximate size of a skin of 64 x 64 texels with its texture.
const TYPICAL_BYTES: u64 = 20 << 10;

/// The approximate size of what is kept beside the skin.
const OVERHEAD_BYTES: usize = 512;

/// Skins that are reused for a while, so that several pictures of a player take one look-up.
pub(crate) struct ResolvedPlayers {
    ttl: Duration,
    /// `true` if the case of Java names does not matter.
    ignores_case: bool,
    skins: Cache<SkinId, Resolved, ByteWeighter>,
}

#[derive(Clone)]
struct Resolved {
    at: SystemTime,
    found: LookUp,
}

impl ResolvedPlayers {
    /// An empty cache. With a `ttl` of zero it stays empty.
    pub(crate) fn new(ttl: Duration, ignores_case: bool) -> Self {
        let typical = usize::try_from(CAPACITY_BYTES / TYPICAL_BYTES).expect("a small number");
        Self {
            ttl,
            ignores_case,
            skins: Cache::with_weighter(typical, CAPACITY_BYTES, ByteWeighter),
        }
    }

    /// Returns the skin unless it was resolved too long before `now`.
    pub(crate) fn get(&self, id: &SkinId, now: SystemTime) -> Option<LookUp> {
        let found = self.skins.get(&self.folded(id))?;
        // After the clock was set back the age is unknown.
        let age = now.duration_since(found.at).ok()?;
        (age < self.ttl).then_some(found.found)
    }

    /// Stores a skin that was resolved at `now`, unless it is another player's because of an outage.
    pub(crate) fn insert(&self, id: &SkinId, now: SystemTime, found: &LookUp) {
        if !self.ttl.is_zero() && found.origin().is_storable() {
            let (at, found) = (now, found.clone());
            self.skins.insert(self.folded(id), Resolved { at, found });
        }
    }

    /// Returns the form under which a skin is kept.
    fn folded(&self, id: &SkinId) -> SkinId {
        match id {
            SkinId::Player(player, revision) => {
                SkinId::Player(player.folded(self.ignores_case), *revision)
            }
            id => id.clone(),
        }
    }
}

#[derive(Clone)]
struct ByteWeighter;

impl Weighter<SkinId, Resolved> for ByteWeighter {
    fn weight(&self, _: &SkinId, resolved: &Resolved) -> u64 {
        let skin = match &resolved.found {
            LookUp::Found(skin) => skin.texture.len() + size_of_val(skin.skin.texels()),
            LookUp::Fallback(_) => 0,
        };
        (OVERHEAD_BYTES + skin) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use effigy_player::Model;
    use effigy_player::PlayerId;

    use super::{super::PlayerSkin, *};

    #[test]
    fn the_bytes_are_bounded() {
        let players = ResolvedPlayers::new(Duration::from_secs(60), true);
        let texture = fixtures::skin("knight").png.to_vec();
        let skin = PlayerSkin::of_texture(texture, Model::Classic).unwrap();
        let skin = LookUp::Found(Arc::new(skin));
        for number in 0..5_000 {
            let id = SkinId::Player(PlayerId::JavaName(number.to_string()), None);
            players.insert(&id, SystemTime::UNIX_EPOCH, &skin);
        }
        assert!(players.skins.weight() <= CAPACITY_BYTES);
        assert!(players.skins.len() > 100, "{}", players.skins.len());
    }
}
