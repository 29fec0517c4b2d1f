//! Cache keys. Spec, "Common rules" 5.

use std::{
    borrow::Cow,
    hash::{Hash, Hasher},
    ops::Range,
};

use effigy_upstream::{Revision, SkinSource};
use sha2::{Digest as _, Sha256};
use twox_hash::XxHash3_128;

use super::endpoint::Endpoint;

/// The key of a cached file, with what the file shows.
///
/// It owns one string, which contains the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CacheKey {
    pub(crate) endpoint: Endpoint,
    text: String,
    input: Range<usize>,
    /// The inputs of the players that the file shows, unless the input is the only one.
    players: Option<Vec<String>>,
    /// The revision of the players' files that the file shows.
    pub(crate) revision: Option<Revision>,
}

impl CacheKey {
    /// The key with this text, in which the input is at `input`.
    pub(super) const fn new(endpoint: Endpoint, text: String, input: Range<usize>) -> Self {
        Self {
            endpoint,
            text,
            input,
            players: None,
            revision: None,
        }
    }

    /// The same key, whose input is none of the players that the file shows.
    pub(crate) fn showing(self, players: Vec<String>) -> Self {
        let players = Some(players);
        Self { players, ..self }
    }

    /// Returns the key of the file that shows the players' skins as they are now.
    ///
    /// It contains the revision of the players in the folder of skins, so a changed skin makes another file,
    /// which every process with the same folder finds.
    pub(crate) fn current(&self, source: &dyn SkinSource) -> Cow<'_, Self> {
        let Some(revision) = self.revision_in(source) else {
            return Cow::Borrowed(self);
        };
        let prefix = format!("x-{revision:032x}-");
        let Range { start, end } = self.input;
        Cow::Owned(Self {
            text: format!("{prefix}{}", self.text),
            input: start + prefix.len()..end + prefix.len(),
            revision: Some(revision),
            ..self.clone()
        })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn input(&self) -> &str {
        &self.text[self.input.clone()]
    }

    /// Returns what a look-up of the player costs. A player in the folder of skins takes no call.
    pub(crate) fn look_up_cost(&self) -> u32 {
        u32::from(self.revision.is_none())
    }

    /// Returns `true` if the players' skins are still those that the file shows.
    pub(crate) fn is_current(&self, source: &dyn SkinSource) -> bool {
        self.revision_in(source) == self.revision
    }

    /// Returns the revision of all players together, or `None` if none of them is in the folder of skins.
    fn revision_in(&self, source: &dyn SkinSource) -> Option<Revision> {
        let revisions = self.inputs().map(|input| source.revision(input));
        if revisions.clone().all(|revision| revision.is_none()) {
            return None;
        }
        let all: Vec<Option<Revision>> = revisions.collect();
        Some(XxHash3_128::oneshot(format!("{all:?}").as_bytes()))
    }

    /// The inputs of all players that the file shows.
    fn inputs(&self) -> impl Iterator<Item = &str> + Clone {
        let one = self.players.is_none().then(|| self.input());
        let several = self.players.iter().flatten().map(String::as_str);
        one.into_iter().chain(several)
    }
}

/// Returns 128 bits, in hexadecimal digits, of a hash that nobody finds two values of. Other versions may have
/// another one for the same value.
pub(crate) fn digest(value: &impl Hash) -> String {
    struct Digest(Sha256);
    impl Hasher for Digest {
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }

        fn finish(&self) -> u64 {
            unreachable!("it has more bits")
        }
    }
    let mut digest = Digest(Sha256::new());
    value.hash(&mut digest);
    let hash: [u8; 32] = digest.0.finalize().into();
    let half = hash.first_chunk().expect("it has 32 bytes");
    format!("{:032x}", u128::from_be_bytes(*half))
}
