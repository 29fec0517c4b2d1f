//! All that a picture shows of a player: the skin, which may be the fallback, the cape and the
//! name.
//!
//! An [`Outfit`] names the files by their hashes, which is enough for the key of a picture. An
//! [`Appearance`] has the files themselves, which only drawing needs.

mod appearance;
mod learned;
mod specified;

use std::{sync::Arc, time::Instant};

use bytes::Bytes;
use effigy_player::{Edition, Model};
use effigy_store::TextureId;
use effigy_upstream::{ProfileSkin, TextureHash, TextureUrl, error_chain};

pub(crate) use self::appearance::Appearance;
use crate::{
    Fault, PictureParams, ServiceError, ShelfLife,
    error::Result,
    flow::Flow,
    players::record::{AccountKey, PlayerRecord},
    players::{Current, Player, timed},
    request::{
        AllowedSkin,
        key::{Look, OutfitKey},
    },
    textures::DecodedSkin,
};

/// A skin that was drawn for this project. The game's own are not ours to distribute.
const BUILT_IN: &[u8] = include_bytes!("../assets/built-in.png");

/// The players with the game's own default skins.
const DEFAULT_PLAYERS: [&str; 2] = ["MHF_Steve", "MHF_Alex"];

/// All that a picture shows of a player.
#[derive(Debug, Clone)]
pub(crate) struct Outfit {
    pub(crate) skin: WornFile,
    pub(crate) model: Option<Model>,
    /// The cape, if the picture shows it.
    pub(crate) cape: Option<WornFile>,
    /// The name, if it is known.
    pub(crate) name: Option<String>,
    /// The edition of the account, if it is known.
    pub(crate) edition: Option<Edition>,
    /// `false` if something is missing, or somebody else's, because of an outage.
    pub(crate) complete: bool,
    /// The rule by which clients may cache what shows it.
    pub(crate) shelf_life: ShelfLife,
    /// `true` if the record is stale.
    pub(crate) stale: bool,
}

/// A file by its hash, and where it is from.
#[derive(Debug, Clone)]
pub(crate) struct WornFile {
    pub(crate) id: TextureId,
    place: FilePlace,
}

#[derive(Debug, Clone)]
enum FilePlace {
    /// A URL that a profile or a client names.
    Url(TextureUrl),
    /// A provider's hash.
    Hash(TextureHash),
    /// A part of the program.
    BuiltIn,
}

impl Outfit {
    /// The outfit of a texture that nobody is known to wear.
    pub(crate) fn of_hash(hash: &TextureHash, id: TextureId, model: Option<Model>) -> Self {
        let skin = WornFile {
            id,
            place: FilePlace::Hash(hash.clone()),
        };
        Self {
            shelf_life: ShelfLife::Day,
            ..Self::unnamed(skin, model)
        }
    }

    /// The outfit of the texture at a URL that a client names.
    pub(crate) fn of_url(url: TextureUrl, id: TextureId, model: Option<Model>) -> Self {
        let skin = WornFile {
            id,
            place: FilePlace::Url(url),
        };
        Self::unnamed(skin, model)
    }

    /// Returns the same outfit without the name, which has no effect on specified pictures.
    pub(crate) fn without_name(self) -> Self {
        Self { name: None, ..self }
    }

    /// The built-in player, who is shown if nobody else is left because of an outage.
    pub(crate) fn built_in() -> Self {
        let skin = WornFile {
            id: TextureId::of(BUILT_IN),
            place: FilePlace::BuiltIn,
        };
        Self {
            complete: false,
            shelf_life: ShelfLife::Revalidate,
            ..Self::unnamed(skin, Some(Model::Classic))
        }
    }

    /// Returns the built-in player after this failure of a substitute: an outage, or a chain of
    /// providers that does not know the game's own default players.
    pub(crate) fn instead_of(substitute: &str, failure: &ServiceError) -> Option<Self> {
        if failure.fault() == Fault::NotFound && DEFAULT_PLAYERS.contains(&substitute) {
            return Some(Self {
                complete: true,
                shelf_life: ShelfLife::Short,
                ..Self::built_in()
            });
        }
        failure.is_outage().then(Self::built_in)
    }

    fn unnamed(skin: WornFile, model: Option<Model>) -> Self {
        Self {
            skin,
            model,
            cape: None,
            name: None,
            edition: None,
            complete: true,
            shelf_life: ShelfLife::Usual,
            stale: false,
        }
    }

    /// The outfit of a record, in a skin of the same player or of another.
    fn of_record(current: &Current, skin: WornFile, model: Option<Model>) -> Self {
        let profile = &current.record.profile;
        Self {
            name: profile.name.clone(),
            edition: Some(profile.account.edition()),
            complete: profile.is_certain,
            shelf_life: current.shelf_life(),
            stale: current.is_stale(),
            ..Self::unnamed(skin, model)
        }
    }

    /// Returns the part of a picture's key that names the outfit.
    pub(crate) fn key(&self) -> OutfitKey {
        OutfitKey {
            skin: self.skin.id,
            model: self.model,
            cape: self.cape.as_ref().map(|cape| cape.id),
            look: self.look(),
        }
    }

    /// Adds the cape that was found, if any. Without a cape that is not available, the outfit is
    /// incomplete.
    ///
    /// # Errors
    /// If the client is refused.
    fn put_cape_on(&mut self, found: Result<Option<WornFile>>) -> Result<()> {
        if let Some(cape) = unless_refused(found)? {
            self.cape = cape;
        } else {
            self.complete = false;
            self.shelf_life = ShelfLife::Revalidate;
        }
        Ok(())
    }

    /// Returns the effect of the name. That of a Bedrock player has none.
    fn look(&self) -> Look {
        match (&self.name, self.edition) {
            (Some(name), Some(Edition::Java)) => Look::of_name(name),
            _ => Look::Plain,
        }
    }
}

/// Returns the skin that a picture may show of a record.
///
/// # Errors
/// If the player has set none, and the picture may not show the default.
fn allowed_skin(record: &PlayerRecord, allowed: AllowedSkin) -> Result<&ProfileSkin> {
    let profile = &record.profile;
    let worn = profile.skin.as_ref();
    let worn = worn.filter(|worn| !worn.is_default || allowed > AllowedSkin::Own);
    match worn {
        Some(worn) => Ok(worn),
        // A provider that failed may know one.
        None if !profile.is_certain => Err(ServiceError::Uncertain.into()),
        None => Err(ServiceError::NoSkin.into()),
    }
}

/// Returns the cape of a picture, or none if it is not available.
///
/// # Errors
/// If the client is refused.
fn unless_refused<T>(cape: Result<T>) -> Result<Option<T>> {
    match cape {
        Ok(cape) => Ok(Some(cape)),
        Err(error) if error.fault() == Fault::Limited => Err(error),
        Err(error) => {
            let reason = error_chain(&error);
            tracing::warn!("a picture is drawn without its cape: {reason}");
            Ok(None)
        }
    }
}

impl Flow {
    /// Returns what a picture shows of a record, if all files are known by their hashes. It neither
    /// waits nor calls.
    pub(crate) fn known_outfit(&self, current: &Current, params: &PictureParams) -> Option<Outfit> {
        let record = &current.record;
        let worn = allowed_skin(record, params.skin).ok()?;
        let skin = WornFile {
            id: record.skin()?.id?,
            place: FilePlace::Url(worn.texture.clone()),
        };
        let mut outfit = Outfit::of_record(current, skin, worn.model);
        if params.shows_cape()
            && let Some(url) = &record.profile.cape
        {
            outfit.cape = record.cape()?.id.map(|id| WornFile {
                id,
                place: FilePlace::Url(url.clone()),
            });
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
        player: &Player,
        current: &Current,
        params: &PictureParams,
    ) -> Result<Outfit> {
        if let Some(known) = self.known_outfit(current, params) {
            return Ok(known);
        }
        let record = &current.record;
        let worn = allowed_skin(record, params.skin)?;
        let key = AccountKey::of(&record.profile, &player.id);
        let skin = self.skin_of(record, worn, &key).await?;
        let mut outfit = Outfit::of_record(current, skin, worn.model);
        if params.shows_cape()
            && let Some(url) = &record.profile.cape
        {
            let cape = match current.cape_patience() {
                Some(patience) => {
                    let end = Instant::now() + patience;
                    timed(self.until(end).cape_of(record, url, &key), end).await
                }
                None => self.cape_of(record, url, &key).await,
            };
            outfit.put_cape_on(cape)?;
        }
        Ok(outfit)
    }

    /// Returns the skin that a record names, with its hash.
    async fn skin_of(
        &self,
        record: &PlayerRecord,
        worn: &ProfileSkin,
        key: &AccountKey,
    ) -> Result<WornFile> {
        let url = &worn.texture;
        let place = FilePlace::Url(url.clone());
        if let Some(id) = record.skin().and_then(|known| known.id) {
            return Ok(WornFile { id, place });
        }
        let learned = self.learned_skin(record, worn, key).await?;
        let id = learned.id.ok_or(ServiceError::NoSkin)?;
        Ok(WornFile { id, place })
    }

    /// Returns the cape that a record names, with its hash, or none if there is no such file any
    /// more.
    pub(crate) async fn cape_of(
        &self,
        record: &PlayerRecord,
        url: &TextureUrl,
        key: &AccountKey,
    ) -> Result<Option<WornFile>> {
        let place = FilePlace::Url(url.clone());
        if let Some(known) = record.cape() {
            return Ok(known.id.map(|id| WornFile { id, place }));
        }
        let learned = self.learned_cape(record, url, key).await?;
        Ok(learned.id.map(|id| WornFile { id, place }))
    }

    /// Returns a file and its hash: kept, or fetched again. The hash is another one if the file has
    /// changed since.
    pub(crate) async fn file_of(&self, worn: &WornFile) -> Result<(TextureId, Bytes)> {
        if let FilePlace::BuiltIn = worn.place {
            return Ok((worn.id, Bytes::from_static(BUILT_IN)));
        }
        if let FilePlace::Url(url) = &worn.place
            && let Some(file) = url.file()
        {
            return Ok((worn.id, Bytes::copy_from_slice(file)));
        }
        if let Some(file) = self.kept_file(&worn.id).await {
            return Ok((worn.id, file));
        }
        match &worn.place {
            FilePlace::Url(url) => {
                let fetched = self.fetch(url).await?;
                Ok((fetched.id, fetched.file))
            }
            FilePlace::Hash(hash) => self.file_of_hash(hash).await,
            FilePlace::BuiltIn => Ok((worn.id, Bytes::from_static(BUILT_IN))),
        }
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

    /// Returns the file of a cape. One that is not available never fails the picture.
    async fn cape_file(&self, cape: &WornFile) -> Result<Option<(TextureId, Bytes)>> {
        unless_refused(self.file_of(cape).await)
    }

    /// Returns the files of an outfit, for drawing.
    pub(crate) async fn appearance(&self, outfit: &Outfit) -> Result<Appearance> {
        let (skin_id, skin) = self.skin_in(outfit).await?;
        let mut appearance = Appearance::of_skin(skin);
        appearance.is_whole = skin_id == outfit.skin.id;
        if let Some(cape) = &outfit.cape {
            let found = self.cape_file(cape).await?;
            let is_same = found.as_ref().is_some_and(|(id, _)| *id == cape.id);
            appearance.is_whole = appearance.is_whole && is_same;
            appearance.cape = found.map(|(_, file)| file);
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
}
