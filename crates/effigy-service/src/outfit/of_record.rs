//! The outfit in the record of a player.

use std::time::Instant;

use effigy_upstream::{ProfileSkin, TextureUrl};

use super::{FileSource, Outfit, WornFile, files::warn_of_missing_cape};
use crate::{
    Fault, PictureParams, ServiceError, ShelfLife,
    error::Result,
    flow::Flow,
    players::{
        account_key::AccountKey, current::Current, record::PlayerRecord, requested::RequestedPlayer,
    },
    request::AllowedSkin,
};

impl Flow {
    /// Returns what a picture shows of a record, if all files are known by their hashes. It neither
    /// waits nor calls.
    pub(crate) fn known_outfit(&self, current: &Current, params: &PictureParams) -> Option<Outfit> {
        let record = &current.record;
        let worn = allowed_skin(record, params.skin).ok()?;
        let skin = WornFile {
            id: record.skin_id()?,
            source: FileSource::Url(worn.texture.clone()),
        };
        let mut outfit = Outfit::of_record(current, skin, worn.model);
        if params.shows_cape()
            && let Some(url) = &record.profile.cape
        {
            outfit.cape = WornFile::at(url, record.cape()?.id);
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
        let worn = allowed_skin(record, params.skin)?;
        let account = AccountKey::of(&record.profile, &player.id);
        let skin = self.skin_of(record, worn, &account).await?;
        let mut outfit = Outfit::of_record(current, skin, worn.model);
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
        worn: &ProfileSkin,
        account: &AccountKey,
    ) -> Result<WornFile> {
        let known = record.skin_id();
        let id = match known {
            Some(id) => id,
            None => {
                let learned = self.learned_skin(record, worn, account).await?;
                learned.id.ok_or(ServiceError::NoSkin)?
            }
        };
        Ok(WornFile {
            id,
            source: FileSource::Url(worn.texture.clone()),
        })
    }

    /// Adds the cape that a record names. Without a cape that is not available, the outfit is
    /// incomplete.
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
    async fn cape_in_time(
        &self,
        current: &Current,
        url: &TextureUrl,
        account: &AccountKey,
    ) -> Result<Option<WornFile>> {
        let record = &current.record;
        let Some(patience) = current.cape_patience() else {
            return self.cape_of(record, url, account).await;
        };
        let end = Instant::now() + patience;
        let cape = |flow: Self| async move { flow.cape_of(record, url, account).await };
        self.finish_by(end, cape).await
    }

    /// Returns the cape that a record names, with its hash, or `None` if the file does not exist
    /// any more.
    pub(crate) async fn cape_of(
        &self,
        record: &PlayerRecord,
        url: &TextureUrl,
        account: &AccountKey,
    ) -> Result<Option<WornFile>> {
        if let Some(known) = record.cape() {
            return Ok(WornFile::at(url, known.id));
        }
        let learned = self.learned_cape(record, url, account).await?;
        Ok(WornFile::at(url, learned.id))
    }
}

impl WornFile {
    /// A file at a URL, or none if there is no file under it.
    fn at(url: &TextureUrl, id: Option<effigy_store::TextureId>) -> Option<Self> {
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
        Some(worn) if !worn.is_default || allowed > AllowedSkin::Own => Ok(worn),
        // A provider that failed may know one.
        _ if !profile.is_certain => Err(ServiceError::Uncertain.into()),
        _ => Err(ServiceError::NoSkin.into()),
    }
}
