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
        let url = &profile_skin.texture;
        let own_url = url.clone();
        let own_account = account.clone();
        let model = profile_skin.model;
        let learn =
            move |flow: Self| async move { flow.learn_skin(&own_account, &own_url, model).await };
        let known = || self.learned_since(record, account, url, PlayerRecord::learned_skin);
        self.learn_once(account, url, known, learn).await
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
        let known = || self.learned_since(record, account, url, PlayerRecord::learned_cape);
        self.learn_once(account, url, known, learn).await
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

    /// Returns the texture if it is `known`, or learns it once for all who need it.
    async fn learn_once<F>(
        &self,
        account: &AccountKey,
        url: &TextureUrl,
        known: impl Fn() -> Option<LearnedTexture>,
        learn: impl FnOnce(Self) -> F,
    ) -> Result<LearnedTexture>
    where
        F: Future<Output = Result<LearnedTexture>> + Send + 'static,
    {
        let learnings = &self.state.players.learnings;
        let key = (account.clone(), url.clone());
        self.alone().run_once(learnings, key, known, learn).await
    }

    /// Returns the texture at `url`, which `record` names, if another request has learned it since.
    /// `texture_of` selects the skin or the cape of the newer record.
    pub(super) fn learned_since(
        &self,
        record: &PlayerRecord,
        account: &AccountKey,
        url: &TextureUrl,
        texture_of: fn(&PlayerRecord) -> Option<&LearnedTexture>,
    ) -> Option<LearnedTexture> {
        let newer = self.remembered_since(account, record)?;
        let learned = texture_of(&newer)?;
        if learned.is_from(url) {
            Some(learned.clone())
        } else {
            None
        }
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
