//! Files that callers can ask for, and the keys under which they are kept.

mod cape_size;
mod cost;
mod drawing_memory;
mod endpoint;
mod group_request;
pub(crate) mod key;
mod picture_params;
mod substitute;

use std::{borrow::Cow, sync::Arc};

use effigy_player::Model;
use effigy_render::Size;
use effigy_upstream::TextureHash;

pub use self::{
    cape_size::CapeSize,
    endpoint::Endpoint,
    group_request::GroupRequest,
    picture_params::PictureParams,
    substitute::{Substitute, SubstitutePlayer},
};
pub(crate) use self::{
    cost::DOCUMENT, drawing_memory::memory_of_picture, picture_params::AllowedSkin,
};
use crate::Client;

/// A request for one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRequest {
    /// The sender.
    pub client: Client,
    /// The file.
    pub spec: Arc<FileSpec>,
    /// Files that are returned instead if [`spec`](Self::spec) does not exist. The first one that
    /// exists is returned.
    pub alternatives: Vec<FileSpec>,
    /// The version that the request names (`v=`), as a hash. One that the player's record doesn't
    /// know asks for a check.
    pub version: Option<u64>,
    /// The player who is shown if the requested one is not available. In an outage of both, the
    /// built-in player is shown.
    pub substitute: Option<Substitute>,
}

/// A file: everything that decides its bytes, apart from what its players wear.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FileSpec {
    /// A picture of the player that the input names, or the unmodified texture. Beyond the
    /// specification, the input may be the hash of a texture.
    Picture(PictureParams, String),
    /// A picture of a texture, or the unmodified texture. Without a model, the texture tells it.
    Texture(PictureParams, TextureHash, Option<Model>),
    /// A picture of the texture at a URL, or the unmodified texture. The host must be one from
    /// which players' textures come. The texture is fetched for each request.
    TextureAt(PictureParams, String, Option<Model>),
    /// A picture of several players, or their positions in it.
    Group(GroupRequest),
    /// The profile of the player that the input names, in JSON.
    Profile(String),
    /// The profile of the Java player that the input names, in JSON as the session service signs
    /// it.
    SignedProfile(String),
    /// The cape of the player that the input names: a picture of this size, or the file as it was
    /// uploaded.
    Cape(String, Option<CapeSize>),
}

impl FileRequest {
    /// Returns the request with another sender.
    #[must_use]
    pub fn from_client(mut self, client: Client) -> Self {
        self.client = client;
        self
    }

    /// Returns the request with a version.
    #[must_use]
    pub fn with_version(mut self, version: Option<u64>) -> Self {
        self.version = version;
        self
    }
}

impl From<FileSpec> for FileRequest {
    fn from(spec: FileSpec) -> Self {
        Self {
            client: Client::SERVICE,
            spec: Arc::new(spec),
            alternatives: Vec::new(),
            version: None,
            substitute: None,
        }
    }
}

impl FileSpec {
    /// Returns the endpoint that names the file in metrics, logs and error messages.
    #[must_use]
    pub fn endpoint(&self) -> Endpoint {
        match self {
            Self::Picture(params, _) | Self::Texture(params, ..) => params.endpoint,
            Self::TextureAt(params, ..) => params.endpoint,
            Self::Group(group) => group.params().endpoint,
            Self::Profile(_) | Self::SignedProfile(_) => Endpoint::Profile,
            Self::Cape(..) => Endpoint::Cape,
        }
    }

    /// Returns the player as the caller named it, several with commas between them, or the name of
    /// the texture.
    #[must_use]
    pub fn input(&self) -> Cow<'_, str> {
        match self {
            Self::Picture(_, input) | Self::Cape(input, _) => input.into(),
            Self::Profile(input) | Self::SignedProfile(input) => input.into(),
            Self::Texture(_, hash, _) => hash.as_str().into(),
            Self::TextureAt(_, url, _) => url.into(),
            Self::Group(group) => group.players.join(",").into(),
        }
    }

    /// Returns the size of the picture, if the file is one.
    #[must_use]
    pub fn size(&self) -> Option<Size> {
        match self {
            Self::Picture(params, _) | Self::Texture(params, ..) => Some(params.spec?.size),
            Self::TextureAt(params, ..) => Some(params.spec?.size),
            Self::Group(group) => Some(group.spec.size),
            Self::Cape(_, size) => size.map(CapeSize::width),
            Self::Profile(_) | Self::SignedProfile(_) => None,
        }
    }
}

impl PictureParams {
    /// The request for this picture of the player that `input` names.
    #[must_use]
    pub fn of_player(self, input: impl Into<String>) -> FileRequest {
        FileSpec::Picture(self, input.into()).into()
    }

    /// The request for this picture of a texture, drawn on `model`. Without one, it is guessed.
    #[must_use]
    pub fn of_texture(self, hash: TextureHash, model: impl Into<Option<Model>>) -> FileRequest {
        FileSpec::Texture(self, hash, model.into()).into()
    }

    /// The request for this picture of the texture at a URL, drawn on `model`. Without one, it is
    /// guessed.
    #[must_use]
    pub fn of_texture_at(self, url: &str, model: impl Into<Option<Model>>) -> FileRequest {
        FileSpec::TextureAt(self, url.to_owned(), model.into()).into()
    }
}
