//! The textures that have changed since a player was last looked up.

use effigy_player::Model;
use effigy_render::Skin;
use effigy_store::TextureId;
use effigy_upstream::{
    Fetched, LookUp, Profile, SkinSource, TextureUrl, UpstreamError, Validators,
};

use super::record::{LearnedTexture, LearnedTextures};
use crate::state::State;

/// The textures that a player wears now, and the files that were fetched to know it.
#[derive(Debug, Default)]
pub(super) struct TextureChanges {
    textures: LearnedTextures,
    files: Vec<File>,
}

/// A file with its hash.
#[derive(Debug)]
struct File {
    id: TextureId,
    bytes: Vec<u8>,
}

/// A texture as it is now.
struct TextureNow {
    learned: LearnedTexture,
    /// The file, if it has changed.
    changed: Option<File>,
}

/// A texture that was fetched before, and may have changed.
struct KnownTexture<'a> {
    source: &'a dyn SkinSource,
    url: &'a TextureUrl,
    learned: &'a LearnedTexture,
}

/// Fetches the textures of a profile that have changed. Only textures that were fetched before are
/// looked at.
///
/// # Errors
/// If a changed skin cannot be fetched. A cape that cannot be fetched is no error: it stays as it
/// was if its URL is the same, and is unknown otherwise.
pub(super) fn texture_changes(
    source: &dyn SkinSource,
    profile: &Profile,
    learned: &LearnedTextures,
    look_up: &LookUp,
) -> Result<TextureChanges, UpstreamError> {
    let mut changes = TextureChanges::default();
    if let Some(skin) = &profile.skin
        && let Some(known) = KnownTexture::new(source, &skin.texture, learned.skin.as_ref())
    {
        let now = known.fetch(look_up)?;
        changes.textures.skin = Some(now.learned);
        if let Some(file) = now.changed {
            check_skin(&file, skin.model)?;
            changes.files.push(file);
        }
    }
    if let Some(url) = &profile.cape
        && let Some(known) = KnownTexture::new(source, url, learned.cape.as_ref())
    {
        changes.textures.cape = match known.fetch(look_up) {
            Ok(now) => {
                if let Some(file) = now.changed {
                    changes.files.push(file);
                }
                Some(now.learned)
            }
            Err(error) => known.cape_after(&error),
        };
    }
    Ok(changes)
}

/// Checks that a file is a skin. Another file must not take the place of the known skin.
fn check_skin(file: &File, model: Option<Model>) -> Result<(), UpstreamError> {
    match Skin::decode(&file.bytes, model) {
        Ok(_) => Ok(()),
        Err(error) => Err(UpstreamError::Decode {
            source: error.into(),
        }),
    }
}

impl<'a> KnownTexture<'a> {
    /// Returns `None` for a texture that was never fetched, or that is in the folder of skins.
    fn new(
        source: &'a dyn SkinSource,
        url: &'a TextureUrl,
        learned: Option<&'a LearnedTexture>,
    ) -> Option<Self> {
        if url.file().is_some() {
            return None;
        }
        Some(Self {
            source,
            url,
            learned: learned?,
        })
    }

    /// Fetches the texture, unless it cannot have changed.
    fn fetch(&self, look_up: &LookUp) -> Result<TextureNow, UpstreamError> {
        let unchanged = || TextureNow {
            learned: self.learned.clone(),
            changed: None,
        };
        let is_same_url = self.learned.is_from(self.url);
        if is_same_url && self.url.is_immutable() && self.learned.id.is_some() {
            return Ok(unchanged());
        }
        let known_validators = if is_same_url {
            Some(&self.learned.validators)
        } else {
            None
        };
        match self.source.texture(self.url, known_validators, look_up)? {
            Fetched::Unchanged => Ok(unchanged()),
            Fetched::File { file, validators } => {
                let id = TextureId::of(&file);
                let learned = LearnedTexture::new(self.url, Some(id), validators);
                let changed = Some(File { id, bytes: file });
                Ok(TextureNow { learned, changed })
            }
        }
    }

    /// Returns the cape that is known after this failure to fetch it.
    fn cape_after(&self, error: &UpstreamError) -> Option<LearnedTexture> {
        if error.is_missing_file() {
            // The file does not exist any more, so nobody wears it.
            return Some(LearnedTexture::new(self.url, None, Validators::default()));
        }
        if self.learned.is_from(self.url) {
            Some(self.learned.clone())
        } else {
            None
        }
    }
}

impl State {
    /// Keeps the files that were fetched, and returns what the player wears.
    pub(super) fn keep_changes(&self, changes: TextureChanges) -> LearnedTextures {
        for file in changes.files {
            self.keep_texture(file.id, file.bytes.into());
        }
        changes.textures
    }
}
