//! Files that callers can ask for, and the keys under which they are kept.

pub(crate) mod group;
pub(crate) mod key;
pub(crate) mod picture;

use std::{borrow::Cow, sync::Arc};

use effigy_player::Model;
use effigy_render::{PictureSpec, Size};
use effigy_upstream::TextureHash;

use self::{
    group::GroupRequest,
    picture::{Endpoint, PictureParams},
};

/// A request for one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRequest {
    /// The file.
    pub spec: Arc<FileSpec>,
    /// `true` if a player is not looked up again within
    /// [`ServiceConfig::player_ttl`](crate::ServiceConfig::player_ttl).
    pub reuses_players: bool,
    /// The player whose picture is returned if the requested one is not available. In an outage of both it is the
    /// built-in player's.
    pub substitute: Option<Substitute>,
}

/// A file: everything that decides its bytes, apart from what its players wear.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FileSpec {
    /// A picture of the player that the input names, or the unmodified texture.
    Picture(PictureParams, String),
    /// A picture of a texture on a model, or the unmodified texture.
    Texture(PictureParams, TextureHash, Model),
    /// A picture of several players, or their places.
    Group(GroupRequest),
    /// The profile of the player that the input names, in JSON.
    Profile(String),
    /// The cape of the player that the input names: a picture of it of this width, or the file as it was uploaded.
    Cape(String, Option<Size>),
}

/// The player who is shown instead of a requested one who does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Substitute {
    /// The player's name or identifier.
    pub player: Cow<'static, str>,
    /// `true` if the substitute is shown during an outage too.
    pub in_outage: bool,
}

impl FileRequest {
    /// Returns the same request, which reuses players.
    #[must_use]
    pub fn reusing_players(mut self) -> Self {
        self.reuses_players = true;
        self
    }
}

impl From<FileSpec> for FileRequest {
    fn from(spec: FileSpec) -> Self {
        Self {
            spec: Arc::new(spec),
            reuses_players: false,
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
            Self::Group(group) => group.params().endpoint,
            Self::Profile(_) => Endpoint::Profile,
            Self::Cape(..) => Endpoint::Cape,
        }
    }

    /// Returns the player as the caller named it, several with commas between them, or the name of the texture.
    #[must_use]
    pub fn input(&self) -> Cow<'_, str> {
        match self {
            Self::Picture(_, input) | Self::Profile(input) | Self::Cape(input, _) => input.into(),
            Self::Texture(_, hash, _) => hash.as_str().into(),
            Self::Group(group) => group.players.join(",").into(),
        }
    }

    /// Returns the parameters for the renderer, if it draws the file.
    #[must_use]
    pub fn picture(&self) -> Option<PictureSpec> {
        match self {
            Self::Picture(params, _) | Self::Texture(params, ..) => params.spec,
            Self::Group(group) => Some(group.spec),
            Self::Profile(_) | Self::Cape(..) => None,
        }
    }

    /// Returns the inputs of all players that the file shows.
    pub(crate) fn players(&self) -> impl Iterator<Item = &str> + Clone {
        let (several, one): (&[String], _) = match self {
            Self::Picture(_, input) | Self::Profile(input) | Self::Cape(input, _) => {
                (&[], Some(input))
            }
            Self::Group(group) => (&group.players, group.substitute.as_ref()),
            Self::Texture(..) => (&[], None),
        };
        several.iter().chain(one).map(String::as_str)
    }
}
