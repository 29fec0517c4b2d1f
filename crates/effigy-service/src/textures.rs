//! Textures: remembered, stored, or fetched. They are known by the SHA-256 of their bytes.

use std::sync::Arc;

use bytes::Bytes;
use effigy_player::Model;
use effigy_render::{Skin, TextureError};
use effigy_store::TextureId;
use effigy_upstream::{
    Fetched, LookUp, SkinSource, Target, TextureHash, TextureUrl, UpstreamError, Validators,
};
use quick_cache::sync::Cache;

use crate::{
    ServiceError, Turn, cache::MemoryCache, error::Result, flow::Flow, service::State,
    single_flight::SingleFlight,
};

/// The approximate sizes of what is remembered.
const FILES_BYTES: u64 = 4 << 20;
const SKINS_BYTES: u64 = 10 << 20;

/// The hashes of providers that are remembered.
const MAX_HASHES: usize = 10_000;

/// The memory in which the largest skin is decoded.
pub(crate) const DECODING_BYTES: u64 = 5 << 20;

/// The textures that are remembered, and those that are being fetched.
pub(crate) struct TextureMemory {
    files: MemoryCache<TextureId, Bytes>,
    skins: MemoryCache<(TextureId, Option<Model>), Arc<DecodedSkin>>,
    /// The files that providers know by another hash than ours.
    hashes: Cache<TextureHash, TextureId>,
    fetches: SingleFlight<Source, FetchedFile>,
    decodings: SingleFlight<(TextureId, Option<Model>), Arc<DecodedSkin>>,
}

/// The place from which a texture is fetched.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Source {
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

/// A texture file and the skin in it.
#[derive(Debug)]
pub(crate) struct DecodedSkin {
    pub(crate) texture: Bytes,
    pub(crate) skin: Skin,
}

impl TextureMemory {
    pub(crate) fn new() -> Self {
        let skin_bytes =
            |skin: &Arc<DecodedSkin>| skin.texture.len() + size_of_val(skin.skin.texels());
        Self {
            files: MemoryCache::immutable(FILES_BYTES, Bytes::len),
            skins: MemoryCache::immutable(SKINS_BYTES, skin_bytes),
            hashes: Cache::new(MAX_HASHES),
            fetches: SingleFlight::that_outlive_callers(),
            decodings: SingleFlight::new(),
        }
    }

    /// The fetches in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.fetches.len()
    }

    /// Returns the texture of a provider's hash, if it is known.
    pub(crate) fn id_of_hash(&self, hash: &TextureHash) -> Option<TextureId> {
        self.hashes.get(hash)
    }

    /// Forgets the texture of a provider's hash.
    pub(crate) fn forget_hash(&self, hash: &TextureHash) {
        self.hashes.remove(hash);
    }

    /// Returns a file that is remembered.
    pub(crate) fn file(&self, id: &TextureId) -> Option<Bytes> {
        self.files.get_immutable(id)
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

impl State {
    /// Remembers and stores a file.
    pub(crate) fn keep_texture(&self, id: TextureId, file: Bytes) {
        self.textures.files.insert_immutable(id, file.clone());
        self.files.put_texture(id, file);
    }
}

impl Flow {
    /// Returns a texture's file, remembered or stored.
    pub(crate) async fn kept_file(&self, id: &TextureId) -> Option<Bytes> {
        if let Some(file) = self.state.textures.file(id) {
            return Some(file);
        }
        let file = self.state.files.texture(id).await?;
        self.state
            .textures
            .files
            .insert_immutable(*id, file.clone());
        Some(file)
    }

    /// Fetches a texture that a profile names, once for all who need it now.
    pub(crate) async fn fetch(&self, url: &TextureUrl) -> Result<FetchedFile> {
        if let Some(file) = url.file() {
            let id = url
                .file_sha256()
                .map_or_else(|| TextureId::of(file), Into::into);
            return Ok(FetchedFile {
                id,
                file: Bytes::copy_from_slice(file),
                validators: Validators::default(),
            });
        }
        let own_url = url.clone();
        let fetch = move |flow: Self| async move {
            let state = &flow.state;
            let deadline = flow.deadline();
            let planned = state.source.calls_for(Target::Texture(&own_url));
            let client = flow.askers.first();
            let admitted = state
                .rates
                .admit_texture(client, &planned, deadline)
                .await?;
            let call = move |source: &dyn SkinSource, look_up: &LookUp| {
                source.texture(&own_url, None, look_up)
            };
            let fetched = flow
                .call_source(LookUp::until(deadline), admitted, call)
                .await?;
            let Fetched::File { file, validators } = fetched else {
                return Err(ServiceError::Interrupted.into());
            };
            Ok(flow.keep_fetched(file, validators))
        };
        let fetches = &self.state.textures.fetches;
        let source = Source::Url(url.clone());
        self.alone().share(fetches, source, || None, fetch).await
    }

    /// Returns the texture of a provider's hash: kept, or fetched.
    pub(crate) async fn file_of_hash(&self, hash: &TextureHash) -> Result<(TextureId, Bytes)> {
        // Most hashes are the SHA-256 of the file, and leading zeros may be missing.
        let claimed = TextureId::from_hex(&format!("{:0>64}", hash.as_str()));
        let known = self.state.textures.id_of_hash(hash).or(claimed);
        if let Some(id) = known
            && let Some(file) = self.kept_file(&id).await
        {
            return Ok((id, file));
        }
        let own_hash = hash.clone();
        let fetch = move |flow: Self| async move {
            let state = &flow.state;
            let deadline = flow.deadline();
            let planned = state.source.calls_for(Target::Hash(&own_hash));
            let client = flow.askers.first();
            let charged = state.rates.charge_calls(client, planned, deadline).await?;
            let call = move |source: &dyn SkinSource, look_up: &LookUp| {
                source.texture_by_hash(&own_hash, look_up)
            };
            let file = flow
                .call_source(LookUp::until(deadline), charged, call)
                .await?;
            Ok(flow.keep_fetched(file, Validators::default()))
        };
        let fetches = &self.state.textures.fetches;
        let source = Source::Hash(hash.clone());
        let fetched = self.alone().share(fetches, source, || None, fetch).await?;
        if claimed != Some(fetched.id) {
            self.state.textures.hashes.insert(hash.clone(), fetched.id);
        }
        Ok((fetched.id, fetched.file))
    }

    fn keep_fetched(&self, file: Vec<u8>, validators: Validators) -> FetchedFile {
        let id = TextureId::of(&file);
        let file = Bytes::from(file);
        self.state.keep_texture(id, file.clone());
        FetchedFile {
            id,
            file,
            validators,
        }
    }

    /// Returns the skin in a texture's file, decoded once for all who need it now.
    pub(crate) async fn skin(
        &self,
        id: TextureId,
        model: Option<Model>,
        file: Bytes,
    ) -> Result<Arc<DecodedSkin>> {
        let key = (id, model);
        let known = || self.remembered_skin(id, model);
        let decode = move |flow: Self| async move {
            let skin = flow.decode(file, model).await?;
            let skins = &flow.state.textures.skins;
            skins.insert_immutable(key, Arc::clone(&skin));
            Ok(skin)
        };
        let decodings = &self.state.textures.decodings;
        self.alone().share(decodings, key, known, decode).await
    }

    /// Returns the skin in a texture, if it is remembered.
    pub(crate) fn remembered_skin(
        &self,
        id: TextureId,
        model: Option<Model>,
    ) -> Option<Arc<DecodedSkin>> {
        self.state.textures.skins.get_immutable(&(id, model))
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
}
