//! The textures that have changed since a player was last looked up.

use effigy_store::TextureId;
use effigy_upstream::{Fetched, LookUp, Profile, SkinSource, TextureUrl, UpstreamError};

use super::record::{WornTexture, WornTextures};
use crate::{state::State, textures::skin::DecodedSkin};

/// The textures that a player wears now, and the files that were fetched to know it.
#[derive(Debug, Default)]
pub(super) struct TextureChanges {
    textures: WornTextures,
    files: Vec<File>,
}

/// A file with its hash.
type File = (TextureId, Vec<u8>);

/// A texture that may have changed.
struct Earlier<'a> {
    source: &'a dyn SkinSource,
    url: &'a TextureUrl,
    known: &'a WornTexture,
}

/// Fetches the textures of a profile that have changed, of those that were fetched before.
///
/// # Errors
/// If a changed skin cannot be fetched. A cape that cannot be fetched stays as it was known.
pub(super) fn texture_changes(
    source: &dyn SkinSource,
    profile: &Profile,
    known: &WornTextures,
    look_up: &LookUp,
) -> Result<TextureChanges, UpstreamError> {
    let mut changes = TextureChanges::default();
    if let Some(skin) = &profile.skin
        && let Some(earlier) = Earlier::new(source, &skin.texture, known.skin.as_ref())
    {
        let (worn, file) = earlier.fetch(look_up)?;
        changes.textures.skin = Some(worn);
        if let Some((id, bytes)) = file {
            // A file that is no skin must not take the place of one that is.
            let decoded = DecodedSkin::decode(bytes.clone(), skin.model);
            decoded.map_err(|error| UpstreamError::Decode {
                source: error.into(),
            })?;
            changes.files.push((id, bytes));
        }
    }
    if let Some(url) = &profile.cape
        && let Some(earlier) = Earlier::new(source, url, known.cape.as_ref())
    {
        changes.textures.cape = match earlier.fetch(look_up) {
            Ok((worn, file)) => {
                changes.files.extend(file);
                Some(worn)
            }
            Err(error) => earlier.after(&error),
        };
    }
    Ok(changes)
}

impl<'a> Earlier<'a> {
    /// Returns none for a texture that was never fetched, or whose file is at hand.
    fn new(
        source: &'a dyn SkinSource,
        url: &'a TextureUrl,
        known: Option<&'a WornTexture>,
    ) -> Option<Self> {
        if url.file().is_some() {
            return None;
        }
        Some(Self {
            source,
            url,
            known: known?,
        })
    }

    /// Returns the texture as it is now, with its file if it has changed.
    fn fetch(&self, look_up: &LookUp) -> Result<(WornTexture, Option<File>), UpstreamError> {
        let is_same_url = self.known.is_from(self.url);
        if is_same_url && self.url.is_immutable() && self.known.id.is_some() {
            return Ok((self.known.clone(), None));
        }
        let validators = is_same_url.then_some(&self.known.validators);
        match self.source.texture(self.url, validators, look_up)? {
            Fetched::Unchanged => Ok((self.known.clone(), None)),
            Fetched::File { file, validators } => {
                let id = TextureId::of(&file);
                let worn = WornTexture::new(self.url, Some(id), validators);
                Ok((worn, Some((id, file))))
            }
        }
    }

    /// Returns what is known of a cape that cannot be fetched.
    fn after(&self, error: &UpstreamError) -> Option<WornTexture> {
        if error.is_missing_file() {
            // The file does not exist any more, so nobody wears it.
            return Some(WornTexture::new(self.url, None, Default::default()));
        }
        let is_same_url = self.known.is_from(self.url);
        is_same_url.then(|| self.known.clone())
    }
}

impl State {
    /// Keeps the files that were fetched, and returns what the player wears.
    pub(super) fn keep_changes(&self, changes: TextureChanges) -> WornTextures {
        for (id, file) in changes.files {
            self.keep_texture(id, file.into());
        }
        changes.textures
    }
}
