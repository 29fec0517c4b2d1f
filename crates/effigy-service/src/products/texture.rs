//! The picture of a texture that nobody is known to wear.

use effigy_player::Model;
use effigy_upstream::{TextureHash, TextureUrl};

use super::picture::{Billing, check_size};
use crate::{PictureParams, ServedFile, error::Result, flow::Flow, outfit::Outfit};

impl Flow {
    /// Returns the picture of a texture's hash if it is in memory.
    pub(super) fn cached_texture(
        &self,
        params: &PictureParams,
        hash: &TextureHash,
        model: Option<Model>,
    ) -> Option<ServedFile> {
        let id = self.state.textures.id_of_hash(hash)?;
        let outfit = Outfit::of_hash(hash, id, model);
        self.cached_picture_of_outfit(params, &outfit)
    }

    /// Returns the picture of a texture's hash.
    pub(super) async fn texture(
        &self,
        params: &PictureParams,
        hash: &TextureHash,
        model: Option<Model>,
    ) -> Result<ServedFile> {
        check_size(params)?;
        let (id, _) = self.file_of_hash(hash).await?;
        let outfit = Outfit::of_hash(hash, id, model);
        let shown = self.picture(params, outfit, Billing::UNCOUNTED).await;
        self.forget_bad_texture(hash, &shown);
        shown
    }

    /// Returns the outfit of a texture's hash, if it can be drawn.
    pub(super) async fn drawable_outfit_of_hash(
        &self,
        hash: &TextureHash,
        model: Option<Model>,
    ) -> Result<Outfit> {
        let (id, _) = self.file_of_hash(hash).await?;
        let outfit = Outfit::of_hash(hash, id, model);
        let skin = self.skin_in(&outfit).await;
        self.forget_bad_texture(hash, &skin);
        skin?;
        Ok(outfit)
    }

    /// Forgets the file of a hash if it is no skin: the server may have sent it by mistake.
    fn forget_bad_texture<T>(&self, hash: &TextureHash, shown: &Result<T>) {
        if let Err(error) = shown
            && error.has_bad_texture()
        {
            self.state.textures.forget_hash(hash);
        }
    }

    /// Returns the picture of the texture at a URL that a client names.
    pub(super) async fn texture_at(
        &self,
        params: &PictureParams,
        url: &str,
        model: Option<Model>,
    ) -> Result<ServedFile> {
        check_size(params)?;
        let texture_url = TextureUrl::new(url);
        let fetched = self.fetch(&texture_url).await?;
        let outfit = Outfit::of_url(texture_url, fetched.id, model);
        self.picture(params, outfit, Billing::UNCOUNTED).await
    }
}
