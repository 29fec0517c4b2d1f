//! Pictures of a texture that is known by its hash, whoever wears it.

use std::sync::Arc;

use effigy_player::Model;
use effigy_store::Store;
use effigy_upstream::{SkinSource, TextureHash};

use crate::{
    Image, Picture, PlayerSkin, Service, ServiceError,
    service::{Inner, Shared},
};

/// A texture, and how it is worn.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Texture {
    /// What names it.
    pub hash: TextureHash,
    /// The model it is drawn on, which a texture cannot tell.
    pub model: Model,
}

impl Texture {
    /// The key of a picture of this texture.
    fn cache_key(&self, picture: Picture) -> String {
        let model = self.model;
        format!("x-{model}-{}", picture.cache_key(self.hash.as_str()))
    }
}

impl<St, So> Service<St, So>
where
    St: Store,
    So: SkinSource,
{
    /// The picture of a texture. It counts for no edition, for it is nobody's.
    ///
    /// # Errors
    /// When there is no such texture, it cannot be had, or the picture cannot be drawn.
    pub async fn texture_image(
        &self,
        picture: Picture,
        texture: &Texture,
    ) -> Result<Image, Arc<ServiceError>> {
        let (endpoint, hash) = (picture.endpoint(), texture.hash.as_str());
        if !picture.can_exist() {
            return Err(Arc::new(ServiceError::ImpossibleSize));
        }
        let wanted = texture.clone();
        let make = move |inner: Arc<Inner<St, So>>, _| async move {
            let resolved = Arc::clone(&inner).fetched(wanted).await?;
            Ok(inner.render(picture, resolved).await?)
        };
        self.made_once(endpoint, hash, texture.cache_key(picture), make)
            .await
    }
}

impl<St, So> Inner<St, So>
where
    St: Store,
    So: SkinSource,
{
    /// The texture, fetched once for all pictures of it that are under way.
    async fn fetched(self: Arc<Self>, texture: Texture) -> Shared<Arc<PlayerSkin>> {
        let inner = Arc::clone(&self);
        let Texture { hash, model } = texture;
        self.textures
            .run((hash.clone(), model), || async move {
                let fetched = inner
                    .ask(move |source| PlayerSkin::of_texture(source, &hash, model))
                    .await?;
                Ok(Arc::new(fetched))
            })
            .await
            .unwrap_or_else(|_| Err(Arc::new(ServiceError::Interrupted)))
    }
}
