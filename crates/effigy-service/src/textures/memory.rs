//! The textures that are remembered.

use std::sync::Arc;

use bytes::Bytes;
use effigy_player::Model;
use effigy_store::TextureId;
use effigy_upstream::{TextureHash, TextureUrl, Validators};
use quick_cache::sync::Cache;

use super::skin::DecodedSkin;
use crate::reuse::{cache::MemoryCache, single_flight::SingleFlight};

/// The approximate size of the files that are remembered.
const FILES_BYTES: u64 = 4 << 20;

/// The approximate size of the decoded skins that are remembered.
const SKINS_BYTES: u64 = 10 << 20;

/// The number of providers' hashes that are remembered.
const MAX_HASHES: usize = 10_000;

/// A file, drawn on a model. Without a model, it is guessed.
type SkinKey = (TextureId, Option<Model>);

/// The textures that are remembered, and those that are being fetched or decoded.
pub(crate) struct TextureMemory {
    pub(super) files: MemoryCache<TextureId, Bytes>,
    pub(super) skins: MemoryCache<SkinKey, Arc<DecodedSkin>>,
    /// The files that providers know by another hash than ours.
    hashes: Cache<TextureHash, TextureId>,
    pub(super) fetches: SingleFlight<Fetch, FetchedFile>,
    pub(super) decodings: SingleFlight<SkinKey, Arc<DecodedSkin>>,
}

/// A fetch of a texture.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Fetch {
    Url(TextureUrl),
    Hash(TextureHash),
}

/// A file that was fetched.
#[derive(Debug, Clone)]
pub(crate) struct FetchedFile {
    pub(crate) id: TextureId,
    pub(crate) file: Bytes,
    pub(crate) validators: Validators,
}

impl TextureMemory {
    pub(crate) fn new() -> Self {
        Self {
            files: MemoryCache::immutable(FILES_BYTES, Bytes::len),
            skins: MemoryCache::immutable(SKINS_BYTES, |skin| skin.bytes()),
            hashes: Cache::new(MAX_HASHES),
            fetches: SingleFlight::that_outlive_callers(),
            decodings: SingleFlight::new(),
        }
    }

    /// Returns a file that is remembered.
    pub(crate) fn file(&self, id: &TextureId) -> Option<Bytes> {
        self.files.get_immutable(id)
    }

    /// Returns the texture of a provider's hash, as far as it is known without a fetch. Most hashes
    /// are the SHA-256 of the file, without leading zeros.
    pub(crate) fn id_of_hash(&self, hash: &TextureHash) -> Option<TextureId> {
        match self.hashes.get(hash) {
            Some(id) => Some(id),
            None => TextureId::from_hex(&format!("{:0>64}", hash.as_str())),
        }
    }

    /// Remembers the texture that a provider has sent for a hash, if it has another hash.
    pub(super) fn remember_hash(&self, hash: &TextureHash, id: TextureId) {
        if self.id_of_hash(hash) != Some(id) {
            self.hashes.insert(hash.clone(), id);
        }
    }

    /// Forgets the texture of a provider's hash.
    pub(crate) fn forget_hash(&self, hash: &TextureHash) {
        self.hashes.remove(hash);
    }

    /// The number of fetches in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.fetches.len()
    }
}
