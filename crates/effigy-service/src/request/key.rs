//! Keys of files. Spec, "Common rules" 5.

use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

use effigy_player::Model;
use effigy_upstream::{Revision, SkinSource};
use sha2::{Digest as _, Sha256};
use twox_hash::XxHash3_128;

use super::FileSpec;

/// The key of a file: what it shows, with the files of its players in the folder of skins as they were when the key was
/// made. A changed skin makes another file, which every process with the same folder finds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    spec: Arc<FileSpec>,
    revision: Option<Revision>,
}

impl Key {
    pub(crate) fn new(spec: &Arc<FileSpec>, source: &dyn SkinSource) -> Self {
        Self {
            revision: revision(spec.players(), source),
            spec: Arc::clone(spec),
        }
    }

    pub(crate) fn spec(&self) -> &FileSpec {
        &self.spec
    }

    /// Returns `true` if files that show it may change at any time.
    pub(crate) const fn may_change(&self) -> bool {
        self.revision.is_some()
    }

    /// Returns `true` if the players' skins are still those that the file shows.
    pub(crate) fn is_current(&self, source: &dyn SkinSource) -> bool {
        revision(self.spec.players(), source) == self.revision
    }

    /// Returns the key in the store.
    pub(crate) fn text(&self) -> String {
        match self.revision {
            Some(revision) => format!("x-{revision:032x}-{}", self.spec.key()),
            None => self.spec.key(),
        }
    }
}

/// Returns the revision of all players together, or `None` if none of them is in the folder of skins.
pub(crate) fn revision<'a>(
    inputs: impl Iterator<Item = &'a str> + Clone,
    source: &dyn SkinSource,
) -> Option<Revision> {
    let revisions = inputs.map(|input| source.revision(input));
    if revisions.clone().all(|revision| revision.is_none()) {
        return None;
    }
    let all: Vec<Option<Revision>> = revisions.collect();
    Some(XxHash3_128::oneshot(format!("{all:?}").as_bytes()))
}

impl FileSpec {
    /// Returns the key in the store, if no player is in the folder of skins. Spec, "Common rules" 5.
    #[must_use]
    pub fn key(&self) -> String {
        // No specified path begins with a word that starts with `x-`.
        match self {
            Self::Picture(params, input) => params.key("", input),
            Self::Texture(params, hash, Model::Classic) => params.key("x-classic-", hash.as_str()),
            Self::Texture(params, hash, Model::Slim) => params.key("x-slim-", hash.as_str()),
            // A hundred players are too long for a key.
            Self::Group(group) => group.params().key("x-group-", &digest(group)),
            Self::Profile(input) => format!("x-profile_{input}_default_default"),
            Self::Cape(input) => format!("x-cape_{input}_default_default"),
        }
    }
}

/// Returns 128 bits, in hexadecimal digits, of a hash that nobody finds two values of. Other versions may have
/// another one for the same value.
pub(super) fn digest(value: &impl Hash) -> String {
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
