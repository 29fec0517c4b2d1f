//! The URLs of services whose users look for a home, each family under a prefix of its own.

mod crafatar;
mod mc_heads;
mod minotar;

use std::sync::Arc;

use effigy_player::Model;
use effigy_service::{Endpoint, Fault, Image, PictureParams, Service, ServiceError};
use effigy_upstream::TextureHash;
use hyper::{
    HeaderMap, StatusCode,
    header::{CACHE_CONTROL, HeaderValue, LOCATION},
};

use crate::{
    respond::answer::{Answer, empty, error, set},
    respond::error::failed,
    respond::image::{file_answer, picture_answer},
    routes::query::Query,
};

/// The preset who stands in for players whom nobody knows.
const STEVE: &str = "MHF_Steve";

/// A path of one of the families.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FamilyPath {
    family: Family,
    /// What follows the prefix.
    segments: Vec<String>,
}

/// A service whose URLs are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Crafatar,
    Minotar,
    McHeads,
}

/// What a URL of a family asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Ask {
    /// A picture.
    Picture {
        picture: PictureParams,
        input: String,
        /// Who is shown where there is no such player.
        otherwise: String,
    },
    /// A picture of a texture that is known by its hash.
    Texture {
        picture: PictureParams,
        hash: TextureHash,
        model: Model,
    },
    /// A player's cape.
    Cape(String),
    /// The same picture under another path.
    Moved(String),
    /// What that service refuses too.
    Refused(&'static str),
}

impl FamilyPath {
    /// The path of a family, where its first word is that of one.
    pub(crate) fn find(segments: &[&str]) -> Option<Self> {
        let (word, rest) = segments.split_first()?;
        let family = match word.to_ascii_lowercase().as_str() {
            "crafatar" => Family::Crafatar,
            "minotar" => Family::Minotar,
            "mc-heads" => Family::McHeads,
            _ => return None,
        };
        let segments = rest.iter().map(|segment| (*segment).to_owned()).collect();
        Some(Self { family, segments })
    }

    /// What is asked for, if anything.
    fn ask(&self, query: &Query) -> Option<Ask> {
        let segments: Vec<&str> = self.segments.iter().map(String::as_str).collect();
        match self.family {
            Family::Crafatar => crafatar::ask(&segments, query),
            Family::Minotar => minotar::ask(&segments),
            Family::McHeads => mc_heads::ask(&segments),
        }
    }

    /// The picture of a player that is asked for with this query, if it is one.
    pub(crate) fn picture(self, query: Option<&str>) -> Option<(PictureParams, String)> {
        match self.ask(&Query::parse(query))? {
            Ask::Picture { picture, input, .. } => Some((picture, input)),
            _ => None,
        }
    }

    /// The answer to a client that asked with this query and these headers.
    pub(crate) async fn answer(
        &self,
        service: &Service,
        query: Option<&str>,
        request: &HeaderMap,
    ) -> Answer {
        match self.ask(&Query::parse(query)) {
            None => error(StatusCode::NOT_FOUND, "Not found"),
            Some(Ask::Refused(reason)) => error(StatusCode::UNPROCESSABLE_ENTITY, reason),
            Some(Ask::Moved(path)) => moved(&path),
            Some(Ask::Picture {
                picture,
                input,
                otherwise,
            }) => match image(service, picture, &input, &otherwise).await {
                Ok(image) => picture_answer(picture, &input, &image, service.now(), request),
                Err(failure) => failed(&failure, picture.endpoint().error_message()),
            },
            Some(Ask::Texture {
                picture,
                hash,
                model,
            }) => {
                let input = hash.as_str();
                match service.image(picture.of_texture(hash.clone(), model)).await {
                    Ok(image) => picture_answer(picture, input, &image, service.now(), request),
                    Err(failure) => failed(&failure, picture.endpoint().error_message()),
                }
            }
            Some(Ask::Cape(input)) => match service.cape(&input).await {
                Ok(image) => file_answer(&image, service.now(), request),
                Err(failure) => failed(&failure, Endpoint::Cape.error_message()),
            },
        }
    }
}

/// The picture of the player, or of who is shown instead of nobody.
async fn image(
    service: &Service,
    picture: PictureParams,
    input: &str,
    otherwise: &str,
) -> Result<Image, Arc<ServiceError>> {
    let failure = match service.image(picture.of_player(input)).await {
        Ok(image) => return Ok(image),
        Err(failure) => failure,
    };
    match failure.fault() {
        // Nobody can be called that, or nobody is.
        Fault::Request | Fault::NotFound => service.image(picture.of_player(otherwise)).await,
        _ => Err(failure),
    }
}

fn moved(path: &str) -> Answer {
    let mut answer = empty(StatusCode::MOVED_PERMANENTLY);
    if let Ok(path) = HeaderValue::from_str(path) {
        answer.headers_mut().insert(LOCATION, path);
    }
    set(&mut answer, CACHE_CONTROL, "public, max-age=3600");
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts what paths of a family ask for.
    #[track_caller]
    pub(super) fn check(rows: &[(&str, Option<Ask>)]) {
        for (url, expected) in rows {
            let (path, query) = url.split_once('?').unwrap_or((url, ""));
            let segments = crate::routes::path::segments(path).unwrap();
            let segments: Vec<&str> = segments.iter().map(AsRef::as_ref).collect();
            let found = FamilyPath::find(&segments).unwrap();
            assert_eq!(found.ask(&Query::parse(Some(query))), *expected, "{url}");
        }
    }

    pub(super) fn shown(picture: PictureParams, input: &str) -> Option<Ask> {
        Some(Ask::Picture {
            picture,
            input: input.to_owned(),
            otherwise: STEVE.to_owned(),
        })
    }

    #[test]
    fn prefixes() {
        let rows: [(&[&str], Option<Family>); 6] = [
            (&["crafatar", "avatars", "x"], Some(Family::Crafatar)),
            (&["Minotar"], Some(Family::Minotar)),
            (&["MC-Heads", "x"], Some(Family::McHeads)),
            (&["mcheads", "x"], None),
            (&["head", "minotar"], None),
            (&[], None),
        ];
        for (segments, family) in rows {
            let found = FamilyPath::find(segments).map(|path| path.family);
            assert_eq!(found, family, "{segments:?}");
        }
    }
}
