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
    /// The same key, whose input is none of the players that the file shows.
    pub(crate) fn showing(self, players: Vec<String>) -> Self {
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
    /// The key of this picture of an input. The prefix is the start of its first word.
    pub(crate) fn key_of(&self, prefix: &str, input: &str) -> CacheKey {
        // No specified path begins with a word that starts with `x-`.
        let word = self.endpoint.as_str();
        let (x, word) = match self.spec {
            _ if self.allows_fallback || word.starts_with("x-") => ("", word),
            None => ("x-", word),
            Some(spec) => ("x-", spec.view.as_str()),
        };
        let start = prefix.len() + x.len() + word.len() + 1;
        let mut text = String::with_capacity(start + input.len() + 1 + KEY_END_BYTES);
        text.extend([prefix, x, word, "_", input, "_"]);
        let written = self.write_key_end(&mut text);
        written.expect("writing to a string does not fail");
        CacheKey {
            endpoint: self.endpoint,
            text,
            input: start..start + input.len(),
            players: None,
            revision: None,
        }
    }

    /// Writes the last two parts of the cache key. They contain no underscore, so two requests have
    /// the same key only if they mean the same picture, whatever characters the input has.
    fn write_key_end(&self, key: &mut String) -> fmt::Result {
        let Some(spec) = self.spec else {
            return key.write_str("default_default");
        };
        if !self.allows_fallback {
            let (size, digest) = (spec.size.get(), digest(&(spec, self.format, self.motion)));
            return write!(key, "{size}_{digest}");
        }
        let size: &dyn fmt::Display = match &self.size {
            Some(pixels) => pixels,
            None => &"default",
        };
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
