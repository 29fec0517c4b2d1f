//! What a path asks for.

use effigy_player::Edition;
use effigy_render::{ImageFormat, View};
use effigy_service::{Endpoint, PictureParams, SizeParameter, parse_facing, parse_layers};

use crate::{
    routes::families::FamilyPath,
    routes::path::segments,
    routes::v1::{V1Path, format_of, view_of},
    site::assets::Asset,
};

/// The word of the game in the preset list's path.
const GAME: &str = "minecraft";

/// What a path asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Route {
    /// The page that says what there is.
    Index,
    /// A file of that page.
    Asset(&'static Asset),
    /// A path of a service whose users move here.
    Family(FamilyPath),
    /// A path beyond the specification.
    V1(V1Path),
    /// The same of a skin that the request brings.
    V1Preview(View, ImageFormat),
    /// The interface for programs.
    OpenApi,
    /// The interface for people.
    Reference,
    /// A picture of a skin that the request brings; none where a direction is needed and missing.
    Preview(Option<PictureParams>),
    /// A picture of the player that the input names.
    Picture {
        /// The picture.
        picture: PictureParams,
        /// The cleaned input.
        input: String,
    },
    /// An isometric picture whose side is not named.
    BadDirection,
    /// The count of one edition.
    Count(Edition),
    /// Every count.
    Counts,
    /// The health report.
    Health,
    /// The preset list.
    Presets,
    /// The figures of this process.
    Metrics,
    /// A path with a malformed escape.
    Malformed,
    /// Nothing.
    NotFound,
}

/// The route of a URL's path.
pub(crate) fn route(path: &str) -> Route {
    // The request line may hold a bare host or `*` instead of a path.
    if !path.starts_with('/') {
        return Route::NotFound;
    }
    let Ok(segments) = segments(path) else {
        return Route::Malformed;
    };
    let segments: Vec<&str> = segments.iter().map(AsRef::as_ref).collect();
    find(&segments).unwrap_or(Route::NotFound)
}

fn find(segments: &[&str]) -> Option<Route> {
    match segments {
        [""] => Some(Route::Index),
        [word] if is(word, "openapi.json") => Some(Route::OpenApi),
        [word] if is(word, "docs") => Some(Route::Reference),
        [word] if is(word, "metrics") => Some(Route::Metrics),
        [word] => report(Endpoint::from_word(word)?),
        [game, list] if is(game, GAME) && is(list, "mhf") => Some(Route::Presets),
        [word, name] if is(word, "assets") => Asset::find(name).map(Route::Asset),
        [word, view, rest @ ..] if is(word, "preview") => preview(view, rest),
        [word, preview, view] if is(word, "v1") && is(preview, "preview") => {
            let (view, format) = format_of(view);
            view_of(view).map(|view| Route::V1Preview(view, format))
        }
        [word, rest @ ..] if is(word, "v1") => V1Path::find(rest).map(Route::V1),
        _ if let Some(path) = FamilyPath::find(segments) => Some(Route::Family(path)),
        // A picture needs somebody to show.
        [_, "", ..] => None,
        [word, input, rest @ ..] => picture(Endpoint::from_word(word)?, input, rest),
        [] => None,
    }
}

fn is(segment: &str, word: &str) -> bool {
    segment.eq_ignore_ascii_case(word)
}

fn report(endpoint: Endpoint) -> Option<Route> {
    match endpoint {
        Endpoint::AllStats => Some(Route::Count(Edition::Java)),
        Endpoint::AllStatsBedrock => Some(Route::Count(Edition::Bedrock)),
        Endpoint::AllStatsSorted => Some(Route::Counts),
        Endpoint::Health => Some(Route::Health),
        _ => None,
    }
}

fn picture(endpoint: Endpoint, input: &str, rest: &[&str]) -> Option<Route> {
    let parameters = Parameters::of(rest, longest(endpoint)?)?;
    let Some(picture) = parameters.picture(endpoint) else {
        return Some(Route::BadDirection);
    };
    Some(Route::Picture {
        picture,
        input: input.to_owned(),
    })
}

/// The picture of a skin that the request brings: the path of the same picture of a player, without
/// the player.
fn preview(view: &str, rest: &[&str]) -> Option<Route> {
    let endpoint = Endpoint::from_word(view)?;
    // The texture as it is needs no drawing.
    let longest = longest(endpoint).filter(|longest| *longest > 0)?;
    let parameters = Parameters::of(rest, longest)?;
    Some(Route::Preview(parameters.picture(endpoint)))
}

/// How many segments may follow the input; nothing where the endpoint takes none.
fn longest(endpoint: Endpoint) -> Option<usize> {
    match endpoint {
        Endpoint::Head
        | Endpoint::Player
        | Endpoint::Avatar
        | Endpoint::Ioshead
        | Endpoint::Iosbody => Some(2),
        Endpoint::Skin | Endpoint::Download => Some(0),
        _ => None,
    }
}

/// The two segments that may follow an input. Their meaning is the endpoint's.
struct Parameters<'a> {
    first: Option<&'a str>,
    second: Option<&'a str>,
}

impl<'a> Parameters<'a> {
    fn of(rest: &[&'a str], longest: usize) -> Option<Self> {
        let (first, second) = (rest.first().copied(), rest.get(1).copied());
        (rest.len() <= longest).then_some(Self { first, second })
    }

    /// The picture; nothing where a direction is needed and there is none.
    fn picture(&self, endpoint: Endpoint) -> Option<PictureParams> {
        Some(match endpoint {
            Endpoint::Head => {
                PictureParams::head(SizeParameter::parse(self.first), parse_layers(self.second))
            }
            Endpoint::Player => {
                PictureParams::player(SizeParameter::parse(self.first), parse_layers(self.second))
            }
            Endpoint::Avatar => {
                PictureParams::avatar(SizeParameter::parse(self.second), parse_facing(self.first)?)
            }
            Endpoint::Ioshead => {
                PictureParams::ioshead(SizeParameter::parse(self.second), parse_facing(self.first)?)
            }
            Endpoint::Iosbody => {
                PictureParams::iosbody(SizeParameter::parse(self.second), parse_facing(self.first)?)
            }
            Endpoint::Skin => PictureParams::SKIN,
            _ => PictureParams::DOWNLOAD,
        })
    }
}

#[cfg(test)]
mod tests {
    use effigy_render::{Facing, Layers};

    use super::*;

    fn picture(picture: PictureParams, input: &str) -> Route {
        let input = input.to_owned();
        Route::Picture { picture, input }
    }

    fn head(layers: Layers, size: u32) -> PictureParams {
        let size = SizeParameter::pixels(size);
        PictureParams::head(size, layers)
    }

    fn check(rows: &[(&str, Route)]) {
        for (path, expected) in rows {
            assert_eq!(route(path), *expected, "{path}");
        }
    }

    #[test]
    fn flat_views() {
        let player = PictureParams::player(SizeParameter::pixels(64), Layers::WithOverlay);
        check(&[
            ("/head/Notch", picture(head(Layers::Base, 0), "Notch")),
            ("/head/Notch/64", picture(head(Layers::Base, 64), "Notch")),
            (
                "/head/Notch/64/hat",
                picture(head(Layers::WithOverlay, 64), "Notch"),
            ),
            (
                "/head/Notch//hat",
                picture(head(Layers::WithOverlay, 0), "Notch"),
            ),
            (
                "/head/Notch/big/hat",
                picture(head(Layers::WithOverlay, 0), "Notch"),
            ),
            ("/head/Notch/hat", picture(head(Layers::Base, 0), "Notch")),
            (
                "/head/Notch/64/helm",
                picture(head(Layers::Base, 64), "Notch"),
            ),
            ("/HEAD/Notch.png", picture(head(Layers::Base, 0), "Notch")),
            ("/head/a%2Fb/64", picture(head(Layers::Base, 64), "a/b")),
            ("/player/Notch/64/hat", picture(player, "Notch")),
        ]);
    }

    #[test]
    fn isometric_views() {
        let size = SizeParameter::pixels(64);
        let (left, right) = (Facing::Left, Facing::Right);
        check(&[
            (
                "/avatar/Notch/left/64",
                picture(PictureParams::avatar(size, left), "Notch"),
            ),
            (
                "/ioshead/Notch/right/64.png",
                picture(PictureParams::ioshead(size, right), "Notch"),
            ),
            (
                "/iosbody/Notch/LEFT/64/",
                picture(PictureParams::iosbody(size, left), "Notch"),
            ),
            (
                "/iosbody/Notch/right.png",
                picture(
                    PictureParams::iosbody(SizeParameter::Default, right),
                    "Notch",
                ),
            ),
        ]);
    }

    #[test]
    fn a_missing_or_other_direction_is_a_bad_one() {
        for word in ["avatar", "ioshead", "iosbody"] {
            for rest in ["", "/", "/front", "/64", "/up/64", "//64", "/.png"] {
                let path = format!("/{word}/Notch{rest}");
                assert_eq!(route(&path), Route::BadDirection, "{path}");
            }
        }
    }

    #[test]
    fn previews_have_the_paths_of_pictures_without_the_player() {
        let left = PictureParams::avatar(SizeParameter::pixels(64), Facing::Left);
        check(&[
            ("/preview/head", Route::Preview(Some(head(Layers::Base, 0)))),
            (
                "/preview/head/64/hat",
                Route::Preview(Some(head(Layers::WithOverlay, 64))),
            ),
            ("/Preview/Avatar/left/64.png", Route::Preview(Some(left))),
            ("/preview/avatar", Route::Preview(None)),
            ("/preview/avatar/64", Route::Preview(None)),
        ]);
    }

    #[test]
    fn files_of_the_page() {
        let found = |name| Route::Asset(Asset::find(name).unwrap());
        check(&[
            ("/assets/page.css", found("page.css")),
            ("/assets/icon.svg", found("icon.svg")),
        ]);
    }

    #[test]
    fn the_rest() {
        check(&[
            ("/", Route::Index),
            ("/skin/Notch", picture(PictureParams::SKIN, "Notch")),
            (
                "/download/Notch.png",
                picture(PictureParams::DOWNLOAD, "Notch"),
            ),
            ("/minecraft/mhf", Route::Presets),
            ("/Minecraft/MHF/", Route::Presets),
            ("/allstats", Route::Count(Edition::Java)),
            ("/allstatsbedrock", Route::Count(Edition::Bedrock)),
            ("/allstatsSorted", Route::Counts),
            ("/ALLSTATSSORTED", Route::Counts),
            ("/health", Route::Health),
            ("/health/", Route::Health),
            (
                "/v1/Bust/Notch.png",
                Route::V1(V1Path::Player {
                    view: View::Bust,
                    format: ImageFormat::Png,
                    input: "Notch".to_owned(),
                }),
            ),
            (
                "/v1/preview/bust",
                Route::V1Preview(View::Bust, ImageFormat::Png),
            ),
            (
                "/v1/preview/bust.svg",
                Route::V1Preview(View::Bust, ImageFormat::Svg),
            ),
            ("/openapi.json", Route::OpenApi),
            ("/docs", Route::Reference),
            ("/metrics", Route::Metrics),
            ("/head/%zz", Route::Malformed),
            ("/nowhere/%zz", Route::Malformed),
        ]);
    }

    #[test]
    fn nothing_else_is_found() {
        let rows = [
            "/nowhere",
            "/head",
            "/head/",
            "/head//",
            "/head//64",
            "/head/.png",
            "/head/Notch/64/hat/more",
            "/avatar/Notch/left/64/more",
            "/avatar",
            "/skin",
            "/skin/Notch/64",
            "/download/Notch/64",
            "/minecraft",
            "/minecraft/mhf/more",
            "/minecraft/heads",
            "/allstats/java",
            "/health/now",
            "/assets",
            "/assets/page",
            "/assets/page.css/more",
            "/preview",
            "/preview/skin",
            "/preview/download",
            "/preview/health",
            "/preview/head/64/hat/more",
            "/v1",
            "/v1/bust",
            "/v1/preview",
            "/v1/preview/skin",
            "//head/Notch",
            "",
            "*",
            "head",
        ];
        for path in rows {
            assert_eq!(route(path), Route::NotFound, "{path}");
        }
    }
}
