//! Requests whose path and query have been parsed.

use effigy_parameters::Family;
use effigy_player::{Edition, Model};
use effigy_render::Size;
use effigy_service::{FileRequest, PictureParams, Substitute};
use hyper::Method;

use super::rejection::Parsed;

/// The players with the game's own default skins.
pub(crate) const STEVE: &str = "MHF_Steve";
pub(super) const ALEX: &str = "MHF_Alex";

/// A request whose path and query have been parsed. Its handler and its cache key follow from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParsedRequest {
    /// The name of the route in the metrics.
    pub(crate) name: &'static str,
    pub(crate) methods: Methods,
    pub(crate) surface: Surface,
    /// The operation, or why the request is rejected.
    pub(crate) operation: Parsed<Operation>,
}

impl ParsedRequest {
    /// A request for a route that is read.
    pub(super) const fn get(
        name: &'static str,
        surface: Surface,
        operation: Parsed<Operation>,
    ) -> Self {
        Self {
            name,
            methods: Methods::Get,
            surface,
            operation,
        }
    }

    /// A request for a route that takes a body or changes something.
    pub(super) const fn post(
        name: &'static str,
        surface: Surface,
        operation: Parsed<Operation>,
    ) -> Self {
        Self {
            name,
            methods: Methods::Post,
            surface,
            operation,
        }
    }
}

/// The methods of a route, in addition to OPTIONS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Methods {
    /// GET and HEAD.
    Get,
    /// POST.
    Post,
}

impl Methods {
    /// Returns all methods of the route, as the header `Allow` lists them.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET, HEAD, OPTIONS",
            Self::Post => "POST, OPTIONS",
        }
    }

    /// Returns `true` if the route has the method.
    pub(crate) fn include(self, method: &Method) -> bool {
        self.as_str().split(", ").any(|known| method == known)
    }
}

/// The group of routes that a path belongs to, which decides the shape of its errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Surface {
    /// A specified route whose failures all have status 500 and this message. Its errors have no
    /// code. Spec, "Errors" and "Error body".
    Specified(&'static str),
    /// The list of presets, or a path without a prefix that no route has. Its rejections have no
    /// code either.
    Unprefixed,
    /// Another route of our own: under `/v1/`, a preview, or a page. Its errors have a code.
    Own,
    /// A URL of another service. Its errors have a code, and some look as that service's do.
    Family(Family),
}

/// An operation of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Operation {
    /// A file of the service.
    File(FileRequest),
    /// A picture of the skin file in the request's body.
    Preview {
        params: PictureParams,
        /// The model, or `None` to guess it from the skin.
        model: Option<Model>,
    },
    /// A picture of the skin file in the request's body, or in a form there.
    Form {
        params: PictureParams,
        model: Option<Model>,
    },
    /// The profile of a player, in the form of another service.
    FamilyProfile(ProfileForm, String),
    /// The profiles of several players.
    Profiles(Vec<String>),
    /// A check of a player's skin and cape.
    Refresh(String),
    /// A permanent redirect to a URL that is relative to the request's.
    Redirect(String),
    /// The number of pictures drawn of the players of one edition.
    Count(Edition),
    /// The numbers of both editions.
    Counts,
    Health,
    /// The probe that succeeds while the process answers.
    Live,
    /// The probe that fails during shutdown.
    Ready,
    Metrics,
    LandingPage,
    /// A file of the pages.
    Asset(String),
    /// The reference of our own routes.
    Reference,
    /// The reference of the URLs of other services.
    Families,
    OpenApi,
}

impl Operation {
    pub(super) fn file(request: impl Into<FileRequest>) -> Self {
        Self::File(request.into())
    }

    /// A picture of a player, or of the substitute.
    pub(super) fn picture(params: PictureParams, player: &str, other: Option<Substitute>) -> Self {
        let mut request = params.of_player(player);
        request.substitute = other;
        Self::File(request)
    }

    /// The profile of a player in the form of another service.
    pub(super) fn profile(form: ProfileForm, player: &str) -> Self {
        Self::FamilyProfile(form, player.to_owned())
    }

    /// Returns the size of the picture, if the operation has one.
    pub(crate) fn size(&self) -> Option<Size> {
        match self {
            Self::File(request) => request.spec.size(),
            Self::Preview { params, .. } | Self::Form { params, .. } => {
                params.spec.map(|spec| spec.size)
            }
            _ => None,
        }
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
