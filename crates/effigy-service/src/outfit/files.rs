//! Loading the files of an outfit, which are kept or fetched again.

use std::sync::Arc;

use bytes::Bytes;
use effigy_player::Model;
use effigy_store::TextureId;
use effigy_upstream::{TextureUrl, error_chain};

use super::{BUILT_IN, FileSource, Outfit, TextureRef, appearance::Appearance};
use crate::{Failure, Fault, error::Result, flow::Flow, textures::skin::DecodedSkin};

impl Flow {
    /// Returns the files of an outfit, for drawing. A cape that is not available never fails the
    /// picture.
    pub(crate) async fn appearance(&self, outfit: &Outfit) -> Result<Appearance> {
        let (skin_id, skin) = self.skin_in(outfit).await?;
        let mut appearance = Appearance::of_skin(skin);
        appearance.is_complete = skin_id == outfit.skin.id;
        if let Some(cape) = &outfit.cape {
            match self.file_of(cape).await {
                Ok((id, file)) => {
                    appearance.is_complete &= id == cape.id;
                    appearance.cape = Some(file);
                }
                Err(error) if error.fault() == Fault::Limited => return Err(error),
                Err(error) => {
                    warn_of_missing_cape(&error);
                    appearance.is_complete = false;
                }
            }
        }
        appearance.name.clone_from(&outfit.name);
        appearance.look = outfit.look();
        Ok(appearance)
    }

    /// Returns the model of an outfit, which only the texture may tell.
    pub(crate) async fn model_of(&self, outfit: &Outfit) -> Result<Model> {
        if let Some(model) = outfit.model {
            return Ok(model);
        }
        let (_, skin) = self.skin_in(outfit).await?;
        Ok(skin.skin.model())
    }

    /// Returns the decoded skin of an outfit, and the hash of its file.
    ///
    /// # Errors
    /// If it is not available, or is no skin.
    pub(crate) async fn skin_in(&self, outfit: &Outfit) -> Result<(TextureId, Arc<DecodedSkin>)> {
        let id = outfit.skin.id;
        if let Some(skin) = self.remembered_skin(id, outfit.model) {
            return Ok((id, skin));
        }
        let (found_id, file) = self.file_of(&outfit.skin).await?;
        let skin = self.skin(found_id, outfit.model, file).await?;
        Ok((found_id, skin))
    }

    /// Returns a file and its hash: kept, or fetched again. The hash is another one if the file has
    /// changed since.
    pub(crate) async fn file_of(&self, texture: &TextureRef) -> Result<(TextureId, Bytes)> {
        match &texture.source {
            FileSource::BuiltIn => Ok((texture.id, Bytes::from_static(BUILT_IN))),
            FileSource::Url(url) => self.file_at(url, texture.id).await,
            FileSource::Hash(hash) => match self.kept_file(&texture.id).await {
                Some(file) => Ok((texture.id, file)),
                None => self.file_of_hash(hash).await,
            },
        }
    }

    async fn file_at(&self, url: &TextureUrl, id: TextureId) -> Result<(TextureId, Bytes)> {
        let is_in_folder = url.file().is_some();
        if !is_in_folder && let Some(file) = self.kept_file(&id).await {
            return Ok((id, file));
        }
        let fetched = self.fetch(url).await?;
        Ok((fetched.id, fetched.file))
    }
}

/// Logs that a picture lacks its cape. There is one line of code for it, because warnings are
/// throttled by their place in the code.
pub(super) fn warn_of_missing_cape(error: &Failure) {
    let reason = error_chain(error);
    tracing::warn!("a picture is drawn without its cape: {reason}");
}
