//! The products of the service: each is a function from a request to its file.

mod cape;
mod default_skin;
mod draw;
mod failure_log;
mod group;
mod group_member;
mod in_order;
mod picture;
mod preview;
mod profile;
mod refresh;
mod signed_profile;
mod specified;
mod substitute;
mod texture;

use effigy_upstream::TextureHash;

pub use self::refresh::Refreshed;
pub(crate) use self::{failure_log::log_failure, in_order::run_in_order};
use crate::{FileRequest, FileSpec, ServedFile, error::Result, flow::Flow};

impl Flow {
    /// Returns a file if its player needs no check and it is in memory. It neither waits nor calls.
    pub(crate) fn cached(&self, request: &FileRequest) -> Option<ServedFile> {
        let version = request.version;
        match &*request.spec {
            FileSpec::Picture(params, input) if params.is_specified() => {
                self.cached_specified(params, input)
            }
            FileSpec::Picture(params, input) => match TextureHash::parse(input) {
                Some(hash) => self.cached_texture(params, &hash, None),
                None => self.cached_picture(params, input, version),
            },
            FileSpec::Texture(params, hash, model) => self.cached_texture(params, hash, *model),
            FileSpec::Profile(input) => self.cached_profile(input, version),
            FileSpec::TextureAt(..) | FileSpec::Group(_) | FileSpec::Cape(..) => None,
            FileSpec::SignedProfile(_) => None,
        }
    }

    /// Returns a file, wherever it is from.
    pub(crate) async fn file(&self, request: &FileRequest) -> Result<ServedFile> {
        let version = request.version;
        match &*request.spec {
            FileSpec::Picture(params, input) if params.is_specified() => {
                self.specified(*params, input).await
            }
            FileSpec::Picture(params, input) => match TextureHash::parse(input) {
                Some(hash) => self.texture(params, &hash, None).await,
                None => self.picture_of_player(params, input, version).await,
            },
            FileSpec::Texture(params, hash, model) => self.texture(params, hash, *model).await,
            FileSpec::TextureAt(params, url, model) => {
                let shown = self.texture_at(params, url, *model).await;
                shown.map_err(|error| error.of_texture_at())
            }
            FileSpec::Group(group) => self.group(group, version).await,
            FileSpec::Profile(input) => self.profile(input, version).await,
            FileSpec::SignedProfile(input) => self.signed_profile(input, version).await,
            FileSpec::Cape(input, size) => self.cape(input, *size, version).await,
        }
    }
}
