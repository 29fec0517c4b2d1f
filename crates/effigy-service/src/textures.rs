//! Textures: remembered, stored, or fetched. They are known by the SHA-256 of their bytes.

pub(crate) mod memory;
pub(crate) mod skin;

use std::sync::Arc;

use bytes::Bytes;
use effigy_player::Model;
use effigy_store::TextureId;
use effigy_upstream::{Fetched, Target, TextureHash, TextureUrl, UpstreamError, Validators};

use self::{
    memory::{Fetch, FetchedFile},
    skin::{DECODING_BYTES, DecodedSkin},
};
use crate::{
    ServiceError, Turn,
    error::Result,
    flow::{Flow, Price},
    state::State,
};

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
        let textures = &self.state.textures;
        if let Some(file) = textures.file(id) {
            return Some(file);
        }
        let file = self.state.files.texture(id).await?;
        textures.files.insert_immutable(*id, file.clone());
        Some(file)
    }

    /// Fetches a texture that a profile names, once for all who need it now.
    pub(crate) async fn fetch(&self, url: &TextureUrl) -> Result<FetchedFile> {
        if let Some(file) = file_at_hand(url) {
            return Ok(file);
        }
        let own_url = url.clone();
        let fetch = move |flow: Self| async move { flow.perform_fetch(own_url).await };
        let fetches = &self.state.textures.fetches;
        let key = Fetch::Url(url.clone());
        self.alone().run_once(fetches, key, || None, fetch).await
    }

    async fn perform_fetch(&self, url: TextureUrl) -> Result<FetchedFile> {
        let target = Target::Texture(&url);
        let call = self.pay_for_call(target, Price::Texture).await?;
        let fetched = call.make(move |source, look_up| source.texture(&url, None, look_up));
        match fetched.await? {
            Fetched::File { file, validators } => Ok(self.keep_fetched(file, validators)),
            // No validators were sent, so the answer makes no sense.
            Fetched::Unchanged => Err(ServiceError::Interrupted.into()),
        }
    }

    /// Returns the texture of a provider's hash: kept, or fetched.
    pub(crate) async fn file_of_hash(&self, hash: &TextureHash) -> Result<(TextureId, Bytes)> {
        if let Some(id) = self.state.textures.id_of_hash(hash)
            && let Some(file) = self.kept_file(&id).await
        {
            return Ok((id, file));
        }
        let own_hash = hash.clone();
        let fetch = move |flow: Self| async move { flow.perform_fetch_of_hash(own_hash).await };
        let fetches = &self.state.textures.fetches;
        let key = Fetch::Hash(hash.clone());
        let fetched = self.alone().run_once(fetches, key, || None, fetch).await?;
        self.state.textures.remember_hash(hash, fetched.id);
        Ok((fetched.id, fetched.file))
    }

    async fn perform_fetch_of_hash(&self, hash: TextureHash) -> Result<FetchedFile> {
        let target = Target::Hash(&hash);
        let call = self.pay_for_call(target, Price::LookUp).await?;
        let file = call.make(move |source, look_up| source.texture_by_hash(&hash, look_up));
        Ok(self.keep_fetched(file.await?, Validators::default()))
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

    /// Returns the skin in a texture, if it is remembered.
    pub(crate) fn remembered_skin(
        &self,
        id: TextureId,
        model: Option<Model>,
    ) -> Option<Arc<DecodedSkin>> {
        self.state.textures.skins.get_immutable(&(id, model))
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
        self.alone().run_once(decodings, key, known, decode).await
    }

    /// Decodes a texture on a drawing thread. If the threads that answer requests did it, drawing
    /// would be interrupted, and a miss would take a sixth more processor time.
    async fn decode(&self, texture: Bytes, model: Option<Model>) -> Result<Arc<DecodedSkin>> {
        let decode = move |_: &Turn| match DecodedSkin::decode(texture, model) {
            Ok(skin) => Ok(Arc::new(skin)),
            Err(error) => Err(ServiceError::Upstream(UpstreamError::Decode {
                source: error.into(),
            })),
        };
        self.on_drawing_thread(DECODING_BYTES, decode).await
    }
}

/// Returns the file of a texture in a folder of skins.
fn file_at_hand(url: &TextureUrl) -> Option<FetchedFile> {
    let file = url.file()?;
    let id = url.file_sha256()?.into();
    Some(FetchedFile {
        id,
        file: Bytes::copy_from_slice(file),
        validators: Validators::default(),
    })
}
