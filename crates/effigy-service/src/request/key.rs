//! Cache keys. Spec, "Common rules" 5.

use std::{
    fmt::{self, Write as _},
    hash::{Hash, Hasher},
    ops::Range,
};

use effigy_render::{Camera, Layers};
use effigy_upstream::Revision;
use sha2::{Digest as _, Sha256};

use super::{endpoint::Endpoint, params::PictureParams};

/// Room in a key for what follows the input, in nearly all cases.
const KEY_END_BYTES: usize = 40;

/// The key of a cached file, with what the file shows.
///
/// It owns one string, which contains the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CacheKey {
    pub(crate) endpoint: Endpoint,
    text: String,
    input: Range<usize>,
    /// The inputs of the players that the file shows, unless the input is the only one.
    pub(super) players: Option<Vec<String>>,
    /// The revision of the players' files that the file shows.
    pub(crate) revision: Option<Revision>,
}

impl CacheKey {
    /// The key of a file whose only parameter is the player.
    pub(crate) fn of_player(endpoint: Endpoint, input: &str) -> Self {
        let mut key = Self::begin(endpoint, ["", "", endpoint.as_str()], input);
        key.text.push_str("default_default");
        key
    }

    /// The key of a file whose only parameter is a hash.
    pub(crate) fn of_hash(endpoint: Endpoint, hash: &str) -> Self {
        Self::of_player(endpoint, hash).showing(Vec::new())
    }

    /// A key that lacks its last two parts. The words are its first part.
    fn begin(endpoint: Endpoint, words: [&str; 3], input: &str) -> Self {
        let start = words.map(str::len).iter().sum::<usize>() + 1;
        let mut text = String::with_capacity(start + input.len() + 1 + KEY_END_BYTES);
        text.extend(words);
        text.extend(["_", input, "_"]);
        Self {
            endpoint,
            text,
            input: start..start + input.len(),
            players: None,
            revision: None,
        }
    }

    /// The same key, whose input is none of the players that the file shows.
    pub(super) fn showing(self, players: Vec<String>) -> Self {
        let players = Some(players);
        Self { players, ..self }
    }

    /// The key of the file that shows this revision of the players' files.
    pub(crate) fn at(&self, revision: Revision) -> Self {
        let prefix = format!("x-{revision}-");
        let Range { start, end } = self.input;
        Self {
            text: format!("{prefix}{}", self.text),
            input: start + prefix.len()..end + prefix.len(),
            revision: Some(revision),
            ..self.clone()
        }
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

    /// The inputs of all players that the file shows.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &str> + Clone {
        let one = self.players.is_none().then(|| self.input());
        let several = self.players.iter().flatten().map(String::as_str);
        one.into_iter().chain(several)
    }
}

impl PictureParams {
    /// The key of this picture of an input.
    pub(super) fn key_of(&self, prefix: &str, input: &str) -> CacheKey {
        // No specified path begins with a word that starts with `x-`.
        let word = self.endpoint.as_str();
        let (x, word) = match self.spec {
            _ if self.allows_fallback || word.starts_with("x-") => ("", word),
            None => ("x-", word),
            Some(spec) => ("x-", spec.view.as_str()),
        };
        let mut key = CacheKey::begin(self.endpoint, [prefix, x, word], input);
        let written = self.write_key_end(&mut key.text);
        written.expect("writing to a string does not fail");
        key
    }

    /// Writes the last two parts of the cache key. They contain no underscore, so two requests have
    /// the same key only if they mean the same picture, whatever characters the input has.
    fn write_key_end(&self, key: &mut String) -> fmt::Result {
        let (size, Some(spec)) = (self.size, self.spec) else {
            return key.write_str("default_default");
        };
        if !self.allows_fallback {
            let (size, digest) = (spec.size.get(), digest(&(spec, self.format, self.motion)));
            return write!(key, "{size}_{digest}");
        }
        match (spec.camera, spec.layers) {
            (Camera::Isometric(facing), _) if !spec.view.is_flat() => {
                write!(key, "{facing}_{size}")
            }
            (_, Layers::Base) => write!(key, "{size}_default"),
            (_, Layers::WithOverlay) => write!(key, "{size}_hat"),
        }
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
