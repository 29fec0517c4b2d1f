//! Textures: fetching, and the records of textures that are known by their hash.

use effigy_player::Uuid;
use url::Url;

use super::caller::Caller;
use super::default_skins::default_skin;
use super::records::TextureRecord;
use crate::error::UpstreamError;
use crate::limits::Upstream;
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

    /// Returns the URL to fetch for the one that a record names.
    pub(super) fn checked_url(&self, url: &str) -> Result<Url, UpstreamError> {
        let checked = self.resolver.hosts.check(url);
        checked.ok_or_else(|| UpstreamError::TextureUrl {
            url: url.to_owned(),
        })
    }

    /// Returns the URL of a texture that is known by its hash, or `None` if that is empty or only dots.
    pub(super) fn texture_url(&self, hash: &str) -> Option<String> {
        let base = &self.config().endpoints.texture;
        base.join("texture", hash).map(Into::into)
    }

    /// Returns the record of the skin that the game shows for a player who has set none.
    pub(super) fn default_record(&self, uuid: Uuid) -> TextureRecord {
        let (hash, model) = default_skin(uuid);
        let url = self.texture_url(hash);
        TextureRecord {
            url: url.expect("hexadecimal digits are a segment"),
            model,
        }
    }
}
