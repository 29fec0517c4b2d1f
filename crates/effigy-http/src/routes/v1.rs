//! What we offer beyond the specification, under `/v1/`: any view from any side, profiles, capes and
//! textures by their hash, with statuses that tell whose fault a failure is.

mod render_params;

use std::sync::Arc;

use effigy_render::{ImageFormat, View};
use effigy_service::{Fault, Image, PictureParams, Service, ServiceError};
use effigy_upstream::TextureHash;
use hyper::{HeaderMap, StatusCode};

use crate::{
    respond::answer::{Answer, error},
    respond::error::failed,
    respond::image::file_answer,
    routes::query::Query,
};

pub(crate) use render_params::{LARGEST, Wishes};

/// What follows the name of a player where the picture is to be scalable.
const EXTENSION: &str = ".svg";

/// A path under `/v1/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum V1Path {
    /// What is known of a player.
    Profile(String),
    /// A player's cape.
    Cape(String),
    /// A picture of a player.
    Player {
        /// What is seen.
        view: View,
        /// As what kind of file.
        format: ImageFormat,
        /// The player.
        input: String,
    },
    /// A texture: as it is, or a picture of it.
    Texture {
        /// What is seen, and as what kind of file; nothing for the file itself.
        view: Option<(View, ImageFormat)>,
        /// What names it, which may be none.
        hash: String,
    },
}

/// Why there is no answer.
enum Refusal {
    /// The request is not as it should be.
    Wish(&'static str),
    /// It is, and still.
    Failure(Arc<ServiceError>),
}

impl From<&'static str> for Refusal {
    fn from(reason: &'static str) -> Self {
        Self::Wish(reason)
    }
}

impl V1Path {
    /// The path with these segments after `/v1`.
    pub(crate) fn find(segments: &[&str]) -> Option<Self> {
        let (word, rest) = segments.split_first()?;
        let input = |input: &str| (!input.is_empty()).then(|| input.to_owned());
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("profile", [player]) => input(player).map(Self::Profile),
            ("cape", [player]) => input(player).map(Self::Cape),
            ("texture", [hash]) => Some(Self::Texture {
                view: None,
                hash: input(hash)?,
            }),
            ("texture", [hash, view]) => {
                let (view, format) = format_of(view);
                Some(Self::Texture {
                    view: Some((view_of(view)?, format)),
                    hash: input(hash)?,
                })
            }
            (view, [player]) => {
                let (player, format) = format_of(player);
                Some(Self::Player {
                    view: view_of(view)?,
                    format,
                    input: input(player)?,
                })
            }
            _ => None,
        }
    }

    /// The picture of a player that is asked for with this query, if it is one.
    pub(crate) fn picture(self, query: Option<&str>) -> Option<(PictureParams, String)> {
        let Self::Player {
            view,
            format,
            input,
        } = self
        else {
            return None;
        };
        let wishes = Wishes::of(&Query::parse(query)).ok()?;
        Some((wishes.picture(view, format).ok()?, input))
    }

    /// The answer to a client that asked with this query and these headers.
    pub(crate) async fn answer(
        &self,
        service: &Service,
        query: Option<&str>,
        request: &HeaderMap,
    ) -> Answer {
        match self.image(service, &Query::parse(query)).await {
            Ok(image) => file_answer(&image, service.now(), request),
            Err(Refusal::Wish(reason)) => error(StatusCode::BAD_REQUEST, reason),
            Err(Refusal::Failure(failure)) => failed(&failure, self.message(failure.fault())),
        }
    }

    async fn image(&self, service: &Service, query: &Query) -> Result<Image, Refusal> {
        let image = match self {
            Self::Profile(input) => service.profile(input).await,
            Self::Cape(input) => service.cape(input).await,
            Self::Player {
                view,
                format,
                input,
            } => {
                let picture = Wishes::of(query)?.picture(*view, *format)?;
                service.image(picture.of_player(input)).await
            }
            Self::Texture { view, hash } => {
                let wishes = Wishes::of(query)?;
                let picture = match *view {
                    Some((view, format)) => wishes.picture(view, format)?,
                    None => PictureParams::SKIN,
                };
                let hash = TextureHash::parse(hash).ok_or(render_params::NO_HASH)?;
                service.image(picture.of_texture(hash, wishes.model)).await
            }
        };
        image.map_err(Refusal::Failure)
    }

    /// What the caller is told of a failure.
    fn message(&self, fault: Fault) -> &'static str {
        match (fault, self) {
            (Fault::Request, _) => "Nobody can be called that, or no picture can be that large",
            (Fault::NotFound, Self::Cape(_)) => "No such player, or no cape",
            (Fault::NotFound, Self::Texture { .. }) => "No such texture",
            (Fault::NotFound, _) => "No such player",
            (Fault::Upstream, _) => "The services behind do not answer as they should",
            (Fault::Overloaded, _) => "Too much to do; come back soon",
            (Fault::Internal, _) => "Something went wrong here",
        }
    }
}

/// The view of a word, in any letter case.
pub(crate) fn view_of(word: &str) -> Option<View> {
    word.to_ascii_lowercase().parse().ok()
}

/// The last segment of a path without its extension, and the kind of file that this means.
pub(crate) fn format_of(segment: &str) -> (&str, ImageFormat) {
    let stem = segment.len().saturating_sub(EXTENSION.len());
    match segment.split_at_checked(stem) {
        Some((stem, end)) if end.eq_ignore_ascii_case(EXTENSION) => (stem, ImageFormat::Svg),
        _ => (segment, ImageFormat::Png),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions() {
        let rows = [
            ("Notch", ("Notch", ImageFormat::Png)),
            ("Notch.svg", ("Notch", ImageFormat::Svg)),
            ("Notch.SVG", ("Notch", ImageFormat::Svg)),
            (".Tag.svg", (".Tag", ImageFormat::Svg)),
            ("Notch.svg.svg", ("Notch.svg", ImageFormat::Svg)),
            ("Notch.jpg", ("Notch.jpg", ImageFormat::Png)),
            (".svg", ("", ImageFormat::Svg)),
            ("svg", ("svg", ImageFormat::Png)),
            ("aé名", ("aé名", ImageFormat::Png)),
            ("", ("", ImageFormat::Png)),
        ];
        for (segment, expected) in rows {
            assert_eq!(format_of(segment), expected, "{segment}");
        }
    }

    #[test]
    fn paths() {
        let player = |view, input: &str| {
            let (format, input) = (ImageFormat::Png, input.to_owned());
            Some(V1Path::Player {
                view,
                format,
                input,
            })
        };
        let texture = |view, hash: &str| {
            let hash = hash.to_owned();
            Some(V1Path::Texture { view, hash })
        };
        let rows: [(&[&str], Option<V1Path>); 17] = [
            (
                &["profile", "Notch"],
                Some(V1Path::Profile("Notch".to_owned())),
            ),
            (&["Cape", ".Tag"], Some(V1Path::Cape(".Tag".to_owned()))),
            (&["bust", "Notch"], player(View::Bust, "Notch")),
            (&["AVATAR", "Notch"], player(View::IsometricBody, "Notch")),
            // Nothing after `texture` is a player.
            (&["texture", "Notch"], texture(None, "Notch")),
            (
                &["texture", "ab", "head"],
                texture(Some((View::Head, ImageFormat::Png)), "ab"),
            ),
            (
                &["texture", "ab", "bust.svg"],
                texture(Some((View::Bust, ImageFormat::Svg)), "ab"),
            ),
            (&["head", ".svg"], None),
            (&["texture", "ab", "back"], None),
            (&["texture", "ab", "head", "64"], None),
            (&["iosbody", "Notch"], None),
            (&["head", ""], None),
            (&["head"], None),
            (&["head", "Notch", "64"], None),
            (&["profile", ""], None),
            (&["nothing", "Notch"], None),
            (&[], None),
        ];
        for (segments, expected) in rows {
            assert_eq!(V1Path::find(segments), expected, "{segments:?}");
        }
    }
}
