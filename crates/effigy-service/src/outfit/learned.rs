//! The files that a record names and that were not fetched yet. They become a part of the record,
//! so that the next picture of the player knows its hashes.

use std::sync::Arc;

use effigy_player::Model;
use effigy_upstream::{ProfileSkin, TextureUrl, Validators};

use crate::{
    error::Result,
    flow::Flow,
    players::{
        account_key::AccountKey,
        record::{PlayerRecord, WornTexture},
    },
};

impl Flow {
    /// Returns the skin that a record names, fetched once for all who need it.
    ///
    /// # Errors
    /// If it is not available, or is no skin. Then it is not learned, and fetched again next time.
    pub(super) async fn learned_skin(
        &self,
        record: &PlayerRecord,
        worn: &ProfileSkin,
        account: &AccountKey,
    ) -> Result<WornTexture> {
        let url = worn.texture.clone();
        let model = worn.model;
        let own_account = account.clone();
        let learn =
            move |flow: Self| async move { flow.learn_skin(&own_account, &url, model).await };
        let known = || {
            let newer = self.remembered_since(account, record)?;
            let skin = newer.skin()?;
            if skin.is_from(&worn.texture) {
                Some(skin.clone())
            } else {
                None
            }
        };
        let learnings = &self.state.players.learnings;
        let key = (account.clone(), worn.texture.clone());
        self.alone().run_once(learnings, key, known, learn).await
    }

    async fn learn_skin(
        &self,
        account: &AccountKey,
        url: &TextureUrl,
        model: Option<Model>,
    ) -> Result<WornTexture> {
        let fetched = self.fetch(url).await?;
        self.skin(fetched.id, model, fetched.file).await?;
        let learned = WornTexture::new(url, Some(fetched.id), fetched.validators);
        let of_record = learned.clone();
        self.state
            .learn_textures(account, |textures| textures.skin = Some(of_record));
        Ok(learned)
    }

    /// Returns the cape that a record names, fetched once for all who need it. It has no hash if
    /// there is no such file any more.
    pub(super) async fn learned_cape(
        &self,
        record: &PlayerRecord,
        url: &TextureUrl,
        account: &AccountKey,
    ) -> Result<WornTexture> {
        let own_url = url.clone();
        let own_account = account.clone();
        let learn = move |flow: Self| async move { flow.learn_cape(&own_account, &own_url).await };
        let known = || {
            let newer = self.remembered_since(account, record)?;
            let cape = newer.cape()?;
            if cape.is_from(url) {
                Some(cape.clone())
            } else {
                None
            }
        };
        let learnings = &self.state.players.learnings;
        let key = (account.clone(), url.clone());
        self.alone().run_once(learnings, key, known, learn).await
    }

    async fn learn_cape(&self, account: &AccountKey, url: &TextureUrl) -> Result<WornTexture> {
        let learned = match self.fetch(url).await {
            Ok(fetched) => WornTexture::new(url, Some(fetched.id), fetched.validators),
            Err(error) if error.is_missing_file() => {
                WornTexture::new(url, None, Validators::default())
            }
            Err(error) => return Err(error),
        };
        let of_record = learned.clone();
        self.state
            .learn_textures(account, |textures| textures.cape = Some(of_record));
        Ok(learned)
    }

    /// Returns the remembered record of an account, unless it is older than `record`.
    fn remembered_since(
        &self,
        account: &AccountKey,
        record: &PlayerRecord,
    ) -> Option<Arc<PlayerRecord>> {
        let remembered = self.state.players.record(account)?;
        if remembered.checked_at < record.checked_at {
            return None;
        }
        Some(remembered)
    }
}
