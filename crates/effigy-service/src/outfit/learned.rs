//! The files that a record names and that were not fetched yet. They become a part of the record,
//! so that the next picture of the player knows its hashes.

use std::sync::Arc;

use effigy_upstream::{ProfileSkin, TextureUrl};

use crate::{
    error::Result,
    flow::Flow,
    players::record::{AccountKey, PlayerRecord, WornTexture},
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
        key: &AccountKey,
    ) -> Result<WornTexture> {
        let url = worn.texture.clone();
        let model = worn.model;
        let own_key = key.clone();
        let learning = move |flow: Self| async move {
            let fetched = flow.fetch(&url).await?;
            flow.skin(fetched.id, model, fetched.file).await?;
            let learned = WornTexture::new(&url, Some(fetched.id), fetched.validators);
            let own = learned.clone();
            let state = &flow.state;
            state.learn_textures(&own_key, |textures| textures.skin = Some(own));
            Ok(learned)
        };
        let known = |newer: &PlayerRecord| newer.skin().cloned();
        let subject = (key.clone(), worn.texture.clone());
        self.learned(record, subject, known, learning).await
    }

    /// Returns the cape that a record names, fetched once for all who need it. It has no hash if
    /// there is no such file any more.
    pub(super) async fn learned_cape(
        &self,
        record: &PlayerRecord,
        url: &TextureUrl,
        key: &AccountKey,
    ) -> Result<WornTexture> {
        let own_url = url.clone();
        let own_key = key.clone();
        let learning = move |flow: Self| async move {
            let (id, validators) = match flow.fetch(&own_url).await {
                Ok(fetched) => (Some(fetched.id), fetched.validators),
                Err(error) if error.is_missing_file() => (None, Default::default()),
                Err(error) => return Err(error),
            };
            let learned = WornTexture::new(&own_url, id, validators);
            let own = learned.clone();
            let state = &flow.state;
            state.learn_textures(&own_key, |textures| textures.cape = Some(own));
            Ok(learned)
        };
        let known = |newer: &PlayerRecord| newer.cape().cloned();
        let subject = (key.clone(), url.clone());
        self.learned(record, subject, known, learning).await
    }

    /// Returns what the remembered record of an account knows of a file by now, or learns it. A
    /// remembered record that is older than `record` knows nothing of it.
    async fn learned<F>(
        &self,
        record: &PlayerRecord,
        subject: (AccountKey, TextureUrl),
        known: impl Fn(&PlayerRecord) -> Option<WornTexture>,
        learning: impl FnOnce(Self) -> F,
    ) -> Result<WornTexture>
    where
        F: Future<Output = Result<WornTexture>> + Send + 'static,
    {
        let state = Arc::clone(&self.state);
        let (key, url) = subject.clone();
        let known = || {
            let remembered = state.players.record(&key)?;
            if remembered.checked_at < record.checked_at {
                return None;
            }
            known(&remembered).filter(|texture| texture.is_from(&url))
        };
        let learnings = &self.state.players.learnings;
        self.alone()
            .share(learnings, subject, known, learning)
            .await
    }
}
