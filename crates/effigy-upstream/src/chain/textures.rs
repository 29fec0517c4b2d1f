//! The chain as a source of textures.

use super::ProviderChain;
use crate::call::Call;
use crate::error::Result;
use crate::received_file::png;
use crate::{
    Fetched, LookUp, Response, Step, TextureHash, TextureUrl, Textures, UpstreamError, Validators,
};

impl Textures for ProviderChain {
    fn texture(
        &self,
        texture: &TextureUrl,
        known: Option<&Validators>,
        look_up: &LookUp,
    ) -> Result<Fetched> {
        if let Some(file) = texture.file() {
            return Ok(Fetched::File {
                file: file.to_vec(),
                validators: Validators::default(),
            });
        }
        let (servers, url) = self.checked(texture)?;
        let fetcher = self.fetcher(servers, look_up);
        let sent = known.map(Validators::sendable).unwrap_or_default();
        let is_conditional = !sent.is_empty();
        let call = Call::get(Step::Texture, url.clone()).with_validators(sent);
        let fetched = fetcher.texture(url.as_str(), &call, |response| {
            read_response(response, is_conditional).map(Some)
        });
        Ok(fetched?.expect("a texture is found, or that is an error"))
    }

    fn texture_by_hash(&self, hash: &TextureHash, look_up: &LookUp) -> Result<Vec<u8>> {
        if let Some(file) = self.file_at_hand(hash) {
            return Ok(file);
        }
        let fetcher = self.fetcher(&self.game, look_up);
        let call = Call::get(Step::Texture, self.url_of_hash(hash.as_str()));
        let file = fetcher.texture(hash.as_str(), &call, |response| match response.status {
            // Some content networks refuse a file that does not exist.
            403 | 404 | 410 => Ok(None),
            _ => png(response).map(Some),
        });
        file?.ok_or_else(|| UpstreamError::TextureNotFound { hash: hash.clone() })
    }
}

/// Returns the answer to a request. Only a conditional request can have the answer that the file
/// has not changed.
fn read_response(mut response: Response, is_conditional: bool) -> Result<Fetched> {
    if response.status == 304 && is_conditional {
        return Ok(Fetched::Unchanged);
    }
    let validators = std::mem::take(&mut response.validators);
    let file = png(response)?;
    Ok(Fetched::File { file, validators })
}
