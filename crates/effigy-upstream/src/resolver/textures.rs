//! Textures: their URLs, and fetching them.

use effigy_player::Uuid;
use url::Url;

use super::caller::Caller;
use super::default_skins::default_skin;
use super::records::Textures;
use crate::error::UpstreamError;
use crate::limits::Upstream;
use crate::profile::ProfileSkin;
use crate::texture::TextureUrl;
use crate::transport::Step;

/// The beginning of every PNG.
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

impl Caller<'_> {
    /// Fetches a texture. Only the beginning of the file is checked.
    pub(super) fn texture(&self, url: &str) -> Result<Vec<u8>, UpstreamError> {
        let step = Step::Texture;
        let response = self.get(Upstream::Texture, step, self.checked_url(url)?)?;
        match response.status {
            200 if response.body.starts_with(PNG_SIGNATURE) => Ok(response.body),
            200 => Err(UpstreamError::Decode {
                source: "the file does not begin like a png".into(),
            }),
            status => Err(UpstreamError::Status { step, status }),
        }
    }

    /// Returns the URL of a texture that is known by its hash, or `None` if that is empty or only dots.
    pub(super) fn url_of_hash(&self, hash: &str) -> Option<Url> {
        self.config().endpoints.texture.join("texture", hash)
    }

    /// Returns the skin of a Java player: if it is not set, the one that the game shows for the UUID.
    pub(super) fn java_skin(
        &self,
        textures: &Textures,
        uuid: Uuid,
    ) -> Result<ProfileSkin, UpstreamError> {
        if let Some(skin) = self.own_skin(textures)? {
            return Ok(skin);
        }
        let (hash, model) = default_skin(uuid);
        let url = self.url_of_hash(hash);
        let url = url.expect("hexadecimal digits are a segment");
        Ok(ProfileSkin {
            texture: TextureUrl::new(url.as_str()),
            model,
            is_default: true,
        })
    }

    /// Returns the skin that a player has set.
    pub(super) fn own_skin(
        &self,
        textures: &Textures,
    ) -> Result<Option<ProfileSkin>, UpstreamError> {
        let Some((url, model)) = &textures.skin else {
            return Ok(None);
        };
        Ok(Some(ProfileSkin {
            texture: TextureUrl::new(self.checked_url(url)?.as_str()),
            model: *model,
            is_default: false,
        }))
    }

    /// Returns the URL of a cape, or `None` if there is none or it is not allowed.
    pub(super) fn cape(&self, textures: &Textures) -> Option<TextureUrl> {
        let url = self.checked_url(textures.cape.as_deref()?).ok()?;
        Some(TextureUrl::new(url.as_str()))
    }

    /// Returns the URL to fetch for the one that a record names.
    fn checked_url(&self, url: &str) -> Result<Url, UpstreamError> {
        let checked = self.client.hosts.check(url);
        checked.ok_or_else(|| UpstreamError::TextureUrl {
            url: url.to_owned(),
        })
    }
}
