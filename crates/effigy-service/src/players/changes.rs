//! The textures that have changed since a player was last looked up.

use effigy_player::Model;
use effigy_store::TextureId;
use effigy_upstream::{
    Fetched, LookUp, Profile, SkinSource, TextureUrl, UpstreamError, Validators,
};

use super::record::{WornTexture, WornTextures};
use crate::{state::State, textures::skin::DecodedSkin};

/// The textures that a player wears now, and the files that were fetched to know it.
#[derive(Debug, Default)]
pub(super) struct TextureChanges {
    textures: WornTextures,
    files: Vec<File>,
}

/// A file with its hash.
#[derive(Debug)]
struct File {
    id: TextureId,
    bytes: Vec<u8>,
}

/// A texture as it is now.
struct Current {
    worn: WornTexture,
    /// The file, if it has changed.
    changed: Option<File>,
}

/// A texture that was fetched before, and may have changed.
struct Earlier<'a> {
    source: &'a dyn SkinSource,
    url: &'a TextureUrl,
    known: &'a WornTexture,
}

/// Fetches the textures of a profile that have changed. Only textures that were fetched before are
/// looked at.
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
        let current = earlier.fetch(look_up)?;
        changes.textures.skin = Some(current.worn);
        if let Some(file) = current.changed {
            check_skin(&file, skin.model)?;
            changes.files.push(file);
        }
    }
    if let Some(url) = &profile.cape
        && let Some(earlier) = Earlier::new(source, url, known.cape.as_ref())
    {
        changes.textures.cape = match earlier.fetch(look_up) {
            Ok(current) => {
                if let Some(file) = current.changed {
                    changes.files.push(file);
                }
                Some(current.worn)
            }
            Err(error) => earlier.after(&error),
        };
    }
    Ok(changes)
}

/// Checks that a file is a skin. Another file must not take the place of the known skin.
fn check_skin(file: &File, model: Option<Model>) -> Result<(), UpstreamError> {
    match DecodedSkin::decode(file.bytes.clone(), model) {
        Ok(_) => Ok(()),
        Err(error) => Err(UpstreamError::Decode {
            source: error.into(),
        }),
    }
}

impl<'a> Earlier<'a> {
    /// Returns `None` for a texture that was never fetched, or that is in the folder of skins.
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

    /// Fetches the texture, unless it cannot have changed.
    fn fetch(&self, look_up: &LookUp) -> Result<Current, UpstreamError> {
        let unchanged = || Current {
            worn: self.known.clone(),
            changed: None,
        };
        let is_same_url = self.known.is_from(self.url);
        if is_same_url && self.url.is_immutable() && self.known.id.is_some() {
            return Ok(unchanged());
        }
        let known_validators = if is_same_url {
            Some(&self.known.validators)
        } else {
            None
        };
        match self.source.texture(self.url, known_validators, look_up)? {
            Fetched::Unchanged => Ok(unchanged()),
            Fetched::File { file, validators } => {
                let id = TextureId::of(&file);
                let worn = WornTexture::new(self.url, Some(id), validators);
                let changed = Some(File { id, bytes: file });
                Ok(Current { worn, changed })
            }
        }
    }

    /// Returns the cape to show after this failure to fetch it.
    fn after(&self, error: &UpstreamError) -> Option<WornTexture> {
        if error.is_missing_file() {
            // The file does not exist any more, so nobody wears it.
            return Some(WornTexture::new(self.url, None, Validators::default()));
        }
        if self.known.is_from(self.url) {
            Some(self.known.clone())
        } else {
            None
        }
    }
}

impl State {
    /// Keeps the files that were fetched, and returns what the player wears.
    pub(super) fn keep_changes(&self, changes: TextureChanges) -> WornTextures {
        for file in changes.files {
            self.keep_texture(file.id, file.bytes.into());
        }
        changes.textures
    }
}
