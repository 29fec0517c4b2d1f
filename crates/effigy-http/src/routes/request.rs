//! Requests whose path and query have been parsed.

use effigy_parameters::Family;
use effigy_player::{Edition, Model};
use effigy_render::Size;
use effigy_service::{FileRequest, PictureParams, Substitute};

use super::rejection::Parsed;

/// The players with the game's own default skins.
pub(crate) const STEVE: &str = "MHF_Steve";
pub(super) const ALEX: &str = "MHF_Alex";

/// The thing that a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Operation {
    /// A file of the service.
    File(FileRequest),
    /// A picture of the skin file in the request's body.
    Preview {
        params: PictureParams,
        /// The model, or none if it is to be guessed.
        model: Option<Model>,
    },
    /// A picture of the skin file in the request's body, or in a form there.
    Form {
        params: PictureParams,
        model: Option<Model>,
    },
    /// The profile of the player that the input names, in the form of another service.
    FamilyProfile(ProfileForm, String),
    /// The profiles of the players that these inputs name.
    Profiles(Vec<String>),
    /// A check of this player.
    Refresh(String),
    /// A permanent redirect to this URL, relative to that of the request.
    Redirect(String),
    Count(Edition),
    Counts,
    Health,
    /// The probes: the process answers, and it is not shutting down.
    Live,
    Ready,
    Metrics,
    LandingPage,
    /// A file of the pages.
    Asset(String),
    /// The reference of the service's own routes, and of the URLs of other services.
    Reference,
    Families,
    OpenApi,
}

impl Operation {
    pub(super) fn file(request: impl Into<FileRequest>) -> Self {
        Self::File(request.into())
    }

    /// The profile of a player in the form of another service.
    pub(super) fn profile(form: ProfileForm, player: &str) -> Self {
        Self::FamilyProfile(form, player.to_owned())
    }

    /// Returns the size of the picture, if it is one.
    pub(crate) fn size(&self) -> Option<Size> {
        match self {
            Self::File(request) => request.spec.size(),
            Self::Preview { params, .. } | Self::Form { params, .. } => {
                params.spec.map(|spec| spec.size)
            }
            _ => None,
        }
    }

    /// A picture of a player, or of the substitute.
    pub(super) fn picture(params: PictureParams, player: &str, other: Option<Substitute>) -> Self {
        let mut request = params.of_player(player);
        request.substitute = other;
        Self::File(request)
    }
}

/// A form in which another service gives the profile of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProfileForm {
    /// The JSON of the session server, and an empty answer for a missing player.
    Session,
    /// The JSON of the session server with its signature.
    SignedSession,
    /// The JSON of the session server, and Crafthead's error.
    Crafthead,
    /// The name and the UUID, as MCHeads gives them.
    User,
    /// The JSON of PlayerDB.
    PlayerDb,
    /// The JSON of Ashcon's API.
    Ashcon,
    /// The JSON of Starlight.
    Starlight,
    /// The UUID in plain text, with dashes.
    DashedUuid,
    /// The UUID in plain text, without dashes.
    PlainUuid,
}

/// A request whose path and query have been parsed. The cache key and the handler follow from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParsedRequest {
    /// The name of the route in the metrics.
    pub(crate) name: &'static str,
    /// The message of every failure, with status 500, on a specified path. Spec, "Errors". Others have those of the reason.
    pub(crate) failure: Option<&'static str>,
    /// `true` if errors have a message alone. Spec, "Error body". Others have a code as well.
    pub(crate) has_plain_errors: bool,
    /// The family of the path, if another service has such paths.
    pub(crate) family: Option<Family>,
    /// The operation, or why the request is rejected.
    pub(crate) operation: Parsed<Operation>,
}
