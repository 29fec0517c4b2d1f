//! The page at `/`: every picture of a player at once. It works as a plain form; a script on top
//! of it makes it live.

use bytes::Bytes;
use effigy_render::{Facing, Layers};
use effigy_service::{SizeParameter, parse_facing, parse_layers};
use hyper::HeaderMap;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{
    respond::answer::Answer,
    respond::document::fresh,
    routes::query::Query,
    site::assets::address,
    site::template::{escape, fill},
};

const PAGE: &str = include_str!("../../assets/page.html");
const CARD: &str = include_str!("../../assets/card.html");

/// The width of the pictures until the visitor says otherwise.
const DEFAULT_SIZE: u32 = 256;

/// The widest picture that the page offers. An address may ask for more.
const LARGEST_SIZE: u32 = 1024;

/// What need not be escaped in a segment of a path. RFC 3986, "Unreserved Characters".
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The pictures, in the order in which they are shown: the word of the path, what the card is
/// called, and what the parameters are.
const VIEWS: [(&str, &str, Parameters); 7] = [
    ("avatar", "Isometric body", Parameters::Isometric),
    ("ioshead", "Isometric head", Parameters::Isometric),
    ("head", "Face", Parameters::Flat),
    ("player", "Flat body", Parameters::Flat),
    ("bust", "Bust", Parameters::Beyond),
    ("combo", "Face and body", Parameters::Beyond),
    ("skin", "Skin", Parameters::None),
];

/// What follows the player in a picture's path.
#[derive(Debug, Clone, Copy)]
enum Parameters {
    None,
    Flat,
    Isometric,
    /// The view is to be had under `/v1/` alone.
    Beyond,
}

/// Whom the page shows at first, and whom it offers.
#[derive(Debug, Clone)]
pub struct Showcase {
    /// The player shown to a visitor who has named none.
    pub first: &'static str,
    /// Every player there is, where that is known: in the demo.
    pub players: Vec<String>,
}

impl Default for Showcase {
    fn default() -> Self {
        Self {
            first: "MHF_Steve",
            players: Vec::new(),
        }
    }
}

/// What the visitor asked for.
#[derive(Debug)]
struct Wishes<'a> {
    player: &'a str,
    size: u32,
    facing: Facing,
    layers: Layers,
}

impl<'a> Wishes<'a> {
    fn of(query: &'a Query, showcase: &Showcase) -> Self {
        let player = query.get("player").map(str::trim);
        // An unticked box is not sent, so only the first look can be with the hat by itself.
        let layers = match player {
            None => Layers::WithOverlay,
            Some(_) => parse_layers(query.get("hat")),
        };
        let size = SizeParameter::parse(query.get("size"));
        Self {
            player: player
                .filter(|name| !name.is_empty())
                .unwrap_or(showcase.first),
            size: size.pixels_or(DEFAULT_SIZE, LARGEST_SIZE),
            facing: facing(query),
            layers,
        }
    }

    /// The path of one picture.
    fn path(&self, view: &str, parameters: Parameters) -> String {
        let player = utf8_percent_encode(self.player, ESCAPED);
        let size = self.size;
        let overlay = self.layers == Layers::WithOverlay;
        match (parameters, self.layers, self.facing) {
            (Parameters::None, ..) => format!("/{view}/{player}"),
            (Parameters::Flat, Layers::Base, _) => format!("/{view}/{player}/{size}"),
            (Parameters::Flat, Layers::WithOverlay, _) => format!("/{view}/{player}/{size}/hat"),
            (Parameters::Isometric, _, Facing::Left) => format!("/{view}/{player}/left/{size}"),
            (Parameters::Isometric, _, Facing::Right) => format!("/{view}/{player}/right/{size}"),
            // These paths know no back.
            (Parameters::Isometric, _, Facing::BackLeft) => {
                format!("/v1/{view}/{player}?size={size}&facing=back-left")
            }
            (Parameters::Isometric, _, Facing::BackRight) => {
                format!("/v1/{view}/{player}?size={size}&facing=back-right")
            }
            (Parameters::Beyond, ..) => {
                format!("/v1/{view}/{player}?size={size}&overlay={overlay}")
            }
        }
    }
}

/// The side of the isometric pictures.
fn facing(query: &Query) -> Facing {
    let towards = parse_facing(query.get("direction")).unwrap_or(Facing::Right);
    match (query.get("behind"), towards) {
        (Some("behind"), Facing::Left) => Facing::BackLeft,
        (Some("behind"), _) => Facing::BackRight,
        _ => towards,
    }
}

/// The page for a query, to a client that sent `request`.
pub(crate) fn page(query: Option<&str>, showcase: &Showcase, request: &HeaderMap) -> Answer {
    let query = Query::parse(query);
    let page = written(&Wishes::of(&query, showcase), showcase);
    fresh("text/html; charset=utf-8", Bytes::from(page), request)
}

fn written(wishes: &Wishes<'_>, showcase: &Showcase) -> String {
    let checked = |yes| if yes { " checked" } else { "" };
    let is_left = matches!(wishes.facing, Facing::Left | Facing::BackLeft);
    let is_behind = matches!(wishes.facing, Facing::BackLeft | Facing::BackRight);
    let cards: String = VIEWS.iter().map(|view| card(wishes, *view)).collect();
    fill(
        PAGE,
        &[
            ("style", &address("page.css")),
            ("script", &address("page.js")),
            ("icon", &address("icon.svg")),
            ("version", env!("CARGO_PKG_VERSION")),
            ("player", &escape(wishes.player)),
            ("size", &wishes.size.to_string()),
            ("left", checked(is_left)),
            ("right", checked(!is_left)),
            ("behind", checked(is_behind)),
            ("hat", checked(wishes.layers == Layers::WithOverlay)),
            ("players", &players(showcase)),
            ("cards", &cards),
        ],
    )
}

fn card(wishes: &Wishes<'_>, (view, title, parameters): (&str, &str, Parameters)) -> String {
    let label = title.to_lowercase();
    fill(
        CARD,
        &[
            ("view", view),
            ("title", title),
            ("label", &label),
            ("path", &escape(&wishes.path(view, parameters))),
            ("alt", &escape(&format!("{}: {label}", wishes.player))),
        ],
    )
}

/// The list of the players, where there is one.
fn players(showcase: &Showcase) -> String {
    if showcase.players.is_empty() {
        return String::new();
    }
    let item = |name: &String| {
        let query = utf8_percent_encode(name, ESCAPED);
        let name = escape(name);
        format!("  <li><a href=\"/?player={query}\">{name}</a></li>\n")
    };
    let items: String = showcase.players.iter().map(item).collect();
    format!(
        "<p class=\"demo\" id=\"demo\">This is the demo. It knows these drawn players, the preset heads, \
         and nobody else.</p>\n<ul class=\"players\" aria-labelledby=\"demo\">\n{items}</ul>\n"
    )
}

#[cfg(test)]
mod tests {
    use hyper::StatusCode;

    use super::*;

    fn html(query: &str, showcase: &Showcase) -> String {
        let answer = page(Some(query), showcase, &HeaderMap::new());
        assert_eq!(answer.status(), StatusCode::OK);
        String::from_utf8(answer.body().bytes().to_vec()).unwrap()
    }

    #[test]
    fn a_query_becomes_the_paths_of_pictures() {
        let rows: [(&str, &[&str]); 9] = [
            (
                "",
                &["/avatar/MHF_Steve/right/256", "/head/MHF_Steve/256/hat"],
            ),
            (
                "player=&size=",
                &["/player/MHF_Steve/256", "/skin/MHF_Steve"],
            ),
            (
                "player=Notch&size=64&direction=left&hat=hat",
                &[
                    "/avatar/Notch/left/64",
                    "/ioshead/Notch/left/64",
                    "/head/Notch/64/hat",
                    "/player/Notch/64/hat",
                    "/v1/bust/Notch?size=64&amp;overlay=true",
                    "/skin/Notch",
                ],
            ),
            (
                "player=Notch&size=64&direction=left&behind=behind",
                &[
                    "/v1/avatar/Notch?size=64&amp;facing=back-left",
                    "/v1/ioshead/Notch?size=64&amp;facing=back-left",
                    "/head/Notch/64",
                    "/v1/bust/Notch?size=64&amp;overlay=false",
                ],
            ),
            ("player=.Two+Words", &["/head/.Two%20Words/256"]),
            ("player=a%2Fb", &["/head/a%2Fb/256"]),
            ("player=Notch&size=99999", &["/head/Notch/1024"]),
            (
                "player=Notch&size=-1&direction=up",
                &["/avatar/Notch/right/256"],
            ),
            ("player=%22%3E%3Cimg%3E", &["/head/%22%3E%3Cimg%3E/256"]),
        ];
        for (query, paths) in rows {
            let html = html(query, &Showcase::default());
            for path in paths {
                let source = format!("<img src=\"{path}\"");
                assert!(html.contains(&source), "{query}: {path}");
            }
        }
    }

    #[test]
    fn what_a_visitor_types_stays_text() {
        let html = html(
            "player=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
            &Showcase::default(),
        );
        assert!(!html.contains("<script>"), "{html}");
        assert!(html.contains("value=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\""));
    }

    #[test]
    fn the_demo_lists_its_players() {
        let showcase = Showcase {
            first: "Gwendolin",
            players: vec!["Gwendolin".to_owned(), ".Two Words".to_owned()],
        };
        let html = html("", &showcase);
        assert!(html.contains("<a href=\"/?player=.Two%20Words\">.Two Words</a>"));
        assert!(html.contains("/avatar/Gwendolin/right/256"));
        assert!(!self::html("", &Showcase::default()).contains("demo"));
    }
}
