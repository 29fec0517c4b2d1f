//! Learning the hashes of textures that a profile names and that were not fetched yet. The record
//! keeps the hashes for the next picture of the player.

use std::sync::Arc;

use effigy_player::Model;
use effigy_upstream::{ProfileSkin, TextureUrl, Validators};

use crate::{
    error::Result,
    flow::Flow,
    players::{
        account_key::AccountKey,
        record::{LearnedTexture, PlayerRecord},
    },
};

impl Flow {
    /// Fetches the skin that a record names, once for all who need it.
    ///
    /// # Errors
    /// If it is not available, or is no skin. Then it is not learned, and fetched again next time.
    pub(super) async fn fetch_skin_hash(
        &self,
        record: &PlayerRecord,
        profile_skin: &ProfileSkin,
        account: &AccountKey,
    ) -> Result<LearnedTexture> {
        let url = profile_skin.texture.clone();
        let model = profile_skin.model;
        let own_account = account.clone();
        let learn =
            move |flow: Self| async move { flow.learn_skin(&own_account, &url, model).await };
        let known = || {
            let newer = self.remembered_since(account, record)?;
            let skin = newer.learned_skin()?;
            if skin.is_from(&profile_skin.texture) {
                Some(skin.clone())
            } else {
                None
            }
        };
        let learnings = &self.state.players.learnings;
        let key = (account.clone(), profile_skin.texture.clone());
        self.alone().run_once(learnings, key, known, learn).await
    }

    async fn learn_skin(
        &self,
        account: &AccountKey,
        url: &TextureUrl,
        model: Option<Model>,
    ) -> Result<LearnedTexture> {
        let fetched = self.fetch(url).await?;
        self.skin(fetched.id, model, fetched.file).await?;
        let learned = LearnedTexture::new(url, Some(fetched.id), fetched.validators);
        let of_record = learned.clone();
        self.state
            .learn_textures(account, |textures| textures.skin = Some(of_record));
        Ok(learned)
    }

    /// Fetches the cape that a record names, once for all who need it. It has no hash if the file
    /// does not exist any more.
    pub(super) async fn fetch_cape_hash(
        &self,
        record: &PlayerRecord,
        url: &TextureUrl,
        account: &AccountKey,
    ) -> Result<LearnedTexture> {
        let own_url = url.clone();
        let own_account = account.clone();
        let learn = move |flow: Self| async move { flow.learn_cape(&own_account, &own_url).await };
        let known = || self.cape_learned_since(record, url, account);
        let learnings = &self.state.players.learnings;
        let key = (account.clone(), url.clone());
        self.alone().run_once(learnings, key, known, learn).await
    }

    /// Returns the cape that a record names, if another request has learned it since.
    pub(super) fn cape_learned_since(
        &self,
        record: &PlayerRecord,
        url: &TextureUrl,
        account: &AccountKey,
    ) -> Option<LearnedTexture> {
        let newer = self.remembered_since(account, record)?;
        let cape = newer.learned_cape()?;
        if cape.is_from(url) {
            Some(cape.clone())
        } else {
            None
        }
    }

    async fn learn_cape(&self, account: &AccountKey, url: &TextureUrl) -> Result<LearnedTexture> {
        let learned = match self.fetch(url).await {
            Ok(fetched) => LearnedTexture::new(url, Some(fetched.id), fetched.validators),
            Err(error) if error.is_missing_file() => {
                LearnedTexture::new(url, None, Validators::default())
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
