//! The outfit in the record of a player.

use std::time::Instant;

use effigy_store::TextureId;
use effigy_upstream::{ProfileSkin, TextureUrl};

use super::{FileSource, Outfit, TextureRef, files::warn_of_missing_cape};
use crate::{
    Fault, PictureParams, ServiceError, ShelfLife,
    error::Result,
    flow::Flow,
    players::{
        account_key::AccountKey,
        current::{CapeWait, Current},
        record::{LearnedTexture, PlayerRecord},
        requested::RequestedPlayer,
    },
    request::AllowedSkin,
};

impl Flow {
    /// Returns what a picture shows of a record, if the hashes of all its textures are known. It
    /// neither waits nor calls.
    pub(crate) fn known_outfit(&self, current: &Current, params: &PictureParams) -> Option<Outfit> {
        let record = &current.record;
        let profile_skin = allowed_skin(record, params.skin).ok()?;
        let skin = TextureRef::at(&profile_skin.texture, record.skin_id())?;
        let mut outfit = Outfit::of_record(current, skin, profile_skin.model);
        if params.shows_cape()
            && let Some(url) = &record.profile.cape
        {
            let Some(cape) = record.learned_cape() else {
                // It was not fetched yet.
                return None;
            };
            // A cape without a hash has no file, so the outfit has no cape.
            outfit.cape = TextureRef::at(url, cape.id);
        }
        Some(outfit)
    }

    /// Returns what a picture shows of a record. Files that are not known yet are fetched.
    ///
    /// A cape that is not available never fails the picture.
    ///
    /// # Errors
    /// If the skin is not available, or the client is refused.
    pub(crate) async fn outfit(
        &self,
        player: &RequestedPlayer,
        current: &Current,
        params: &PictureParams,
    ) -> Result<Outfit> {
        if let Some(known) = self.known_outfit(current, params) {
            return Ok(known);
        }
        let record = &current.record;
        let profile_skin = allowed_skin(record, params.skin)?;
        let account = AccountKey::of(&record.profile, &player.id);
        let skin = self.skin_of(record, profile_skin, &account).await?;
        let mut outfit = Outfit::of_record(current, skin, profile_skin.model);
        if params.shows_cape()
            && let Some(url) = &record.profile.cape
        {
            self.put_cape_on(&mut outfit, current, url, &account)
                .await?;
        }
        Ok(outfit)
    }

    /// Returns the skin that a record names, with its hash.
    async fn skin_of(
        &self,
        record: &PlayerRecord,
        profile_skin: &ProfileSkin,
        account: &AccountKey,
    ) -> Result<TextureRef> {
        let mut id = record.skin_id();
        if id.is_none() {
            let learned = self.fetch_skin_hash(record, profile_skin, account).await?;
            id = learned.id;
        }
        let skin = TextureRef::at(&profile_skin.texture, id);
        Ok(skin.ok_or(ServiceError::NoSkin)?)
    }

    /// Adds the cape that a record names. If it is not available, the outfit becomes incomplete.
    ///
    /// # Errors
    /// If the client is refused.
    async fn put_cape_on(
        &self,
        outfit: &mut Outfit,
        current: &Current,
        url: &TextureUrl,
        account: &AccountKey,
    ) -> Result<()> {
        match self.cape_in_time(current, url, account).await {
            Ok(cape) => outfit.cape = cape,
            Err(error) if error.fault() == Fault::Limited => return Err(error),
            Err(error) => {
                warn_of_missing_cape(&error);
                outfit.complete = false;
                outfit.shelf_life = ShelfLife::Revalidate;
            }
        }
        Ok(())
    }

    /// Returns the cape that a record names, if it is known or fetched within the time that the
    /// picture waits for it.
    ///
    /// # Errors
    /// If it is not available in time.
    async fn cape_in_time(
        &self,
        current: &Current,
        url: &TextureUrl,
        account: &AccountKey,
    ) -> Result<Option<TextureRef>> {
        let record = &current.record;
        let cape = |flow: Self| async move { flow.cape_of(record, url, account).await };
        match current.cape_wait() {
            CapeWait::UntilDeadline => cape(self.clone()).await,
            CapeWait::AtMost(patience) => self.finish_by(Instant::now() + patience, cape).await,
            CapeWait::No => self.cape_at_hand(record, url, account),
        }
    }

    /// Returns the cape that a record names, if its hash is known without a fetch.
    fn cape_at_hand(
        &self,
        record: &PlayerRecord,
        url: &TextureUrl,
        account: &AccountKey,
    ) -> Result<Option<TextureRef>> {
        match self.known_cape(record, url, account) {
            Some(known) => Ok(TextureRef::at(url, known.id)),
            None => Err(ServiceError::TookTooLong.into()),
        }
    }

    /// Returns the cape that a record names, with its hash, or `None` if the file does not exist
    /// any more.
    pub(crate) async fn cape_of(
        &self,
        record: &PlayerRecord,
        url: &TextureUrl,
        account: &AccountKey,
    ) -> Result<Option<TextureRef>> {
        let cape = match self.known_cape(record, url, account) {
            Some(known) => known,
            None => self.fetch_cape_hash(record, url, account).await?,
        };
        Ok(TextureRef::at(url, cape.id))
    }

    /// Returns the cape that a record names, if this record or a newer one knows it.
    fn known_cape(
        &self,
        record: &PlayerRecord,
        url: &TextureUrl,
        account: &AccountKey,
    ) -> Option<LearnedTexture> {
        if let Some(known) = record.learned_cape() {
            return Some(known.clone());
        }
        self.learned_since(record, account, url, PlayerRecord::learned_cape)
    }
}

impl TextureRef {
    /// A reference to the texture at a URL, or `None` if there is no file.
    fn at(url: &TextureUrl, id: Option<TextureId>) -> Option<Self> {
        Some(Self {
            id: id?,
            source: FileSource::Url(url.clone()),
        })
    }
}

/// Returns the skin that a picture may show of a record.
///
/// # Errors
/// If the player has set none, and the picture may not show the default.
fn allowed_skin(record: &PlayerRecord, allowed: AllowedSkin) -> Result<&ProfileSkin> {
    let profile = &record.profile;
    match &profile.skin {
        Some(skin) if !skin.is_default || allowed > AllowedSkin::Own => Ok(skin),
        // A provider that failed may know one.
        _ if !profile.is_certain => Err(ServiceError::Uncertain.into()),
        _ => Err(ServiceError::NoSkin.into()),
    }
}
