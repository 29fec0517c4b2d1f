//! The landing page at `/`: every view of a player. It works as a plain form; a script updates the
//! pictures without reloading the page.

use std::borrow::Cow;

use effigy_render::{Facing, Layers};
use effigy_service::{SizeParameter, parse_facing, parse_layers};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{
    assets::url,
    template::{escape, fill},
};
use crate::routes::Query;

const PAGE: &str = include_str!("../../assets/page.html");
const CARD: &str = include_str!("../../assets/card.html");

/// The size of the pictures if the query has none.
const DEFAULT_SIZE: u32 = 256;

/// The largest size that the page offers.
const MAX_SIZE: u32 = 1024;

/// The characters that are escaped in a segment of a path: all but unreserved ones. RFC 3986, 2.3.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The cards: the word in the path, the title, and the form of the URL.
const CARDS: [(&str, &str, UrlForm); 7] = [
    ("avatar", "Isometric body", UrlForm::Isometric),
    ("ioshead", "Isometric head", UrlForm::Isometric),
    ("head", "Face", UrlForm::Flat),
    ("player", "Flat body", UrlForm::Flat),
    ("bust", "Bust", UrlForm::V1),
    ("combo", "Face and body", UrlForm::V1),
    ("skin", "Skin", UrlForm::Skin),
];

/// The form of a picture's URL.
#[derive(Debug, Clone, Copy)]
enum UrlForm {
    /// `/{view}/{player}`
    Skin,
    /// `/{view}/{player}/{size}/hat`
    Flat,
    /// `/{view}/{player}/{direction}/{size}`
    Isometric,
    /// `/v1/{view}/{player}`
    V1,
}

/// The players that the landing page shows.
#[derive(Debug, Clone)]
pub struct Showcase {
    /// The player shown if the visitor has named none.
    pub first: &'static str,
    /// The players in a list on the page. The demo lists all its players; a public service has none.
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

/// The parameters in the query of the page.
#[derive(Debug)]
struct PageParams<'a> {
    player: Cow<'a, str>,
    size: u32,
    facing: Facing,
    layers: Layers,
}

impl<'a> PageParams<'a> {
    fn parse(query: Query<'a>, first: &'a str) -> Self {
        let player = query.get("player");
        // Browsers do not send unchecked boxes, so the box is checked by default only on the first visit.
        let layers = match player {
            None => Layers::WithOverlay,
            Some(_) => parse_layers(query.get("hat").as_deref()),
        };
        let player = player.map(|name| name.trim().to_owned());
        Self {
            player: player
                .filter(|name| !name.is_empty())
                .map_or(first.into(), Cow::Owned),
            size: match SizeParameter::parse(query.get("size").as_deref()) {
                SizeParameter::Default => DEFAULT_SIZE,
                SizeParameter::Given(size) => size.get().min(MAX_SIZE),
                SizeParameter::TooLarge => MAX_SIZE,
            },
            facing: facing(query),
            layers,
        }
    }

    /// Returns the URL of a picture.
    fn picture_url(&self, view: &str, form: UrlForm) -> String {
        let player = utf8_percent_encode(&self.player, ESCAPED);
        let (size, facing) = (self.size, self.facing);
        let has_overlay = self.layers == Layers::WithOverlay;
        match form {
            UrlForm::Skin => format!("/{view}/{player}"),
            UrlForm::Flat if has_overlay => format!("/{view}/{player}/{size}/hat"),
            UrlForm::Flat => format!("/{view}/{player}/{size}"),
            UrlForm::Isometric if is_from_behind(facing) => {
                format!("/v1/{view}/{player}?size={size}&facing={facing}")
            }
            UrlForm::Isometric => format!("/{view}/{player}/{facing}/{size}"),
            UrlForm::V1 => format!("/v1/{view}/{player}?size={size}&overlay={has_overlay}"),
        }
    }
}

fn facing(query: Query<'_>) -> Facing {
    let facing = parse_facing(query.get("direction").as_deref()).unwrap_or_default();
    match (query.get("behind").as_deref(), facing) {
        (Some("behind"), Facing::Left) => Facing::BackLeft,
        (Some("behind"), _) => Facing::BackRight,
        _ => facing,
    }
}

fn is_from_behind(facing: Facing) -> bool {
    matches!(facing, Facing::BackLeft | Facing::BackRight)
}

/// Returns the page.
pub(crate) fn page(query: Query<'_>, showcase: &Showcase) -> String {
    let params = &PageParams::parse(query, showcase.first);
    let checked = |is_checked| if is_checked { " checked" } else { "" };
    let is_left = matches!(params.facing, Facing::Left | Facing::BackLeft);
    let cards: String = CARDS.iter().map(|row| card(params, *row)).collect();
    fill(
        PAGE,
        &[
            ("style", &url("page.css")),
            ("script", &url("page.js")),
            ("icon", &url("icon.svg")),
            ("version", env!("CARGO_PKG_VERSION")),
            ("player", &escape(&params.player)),
            ("size", &params.size.to_string()),
            ("left", checked(is_left)),
            ("right", checked(!is_left)),
            ("behind", checked(is_from_behind(params.facing))),
            ("hat", checked(params.layers == Layers::WithOverlay)),
            ("players", &players(showcase)),
            ("cards", &cards),
        ],
    )
}

fn card(params: &PageParams<'_>, (view, title, form): (&str, &str, UrlForm)) -> String {
    let label = title.to_lowercase();
    fill(
        CARD,
        &[
            ("view", view),
            ("title", title),
            ("label", &label),
            ("path", &escape(&params.picture_url(view, form))),
            ("alt", &escape(&format!("{}: {label}", params.player))),
        ],
    )
}

/// Returns the list of players.
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
        "<p class=\"demo\" id=\"demo\">This is the demo. It knows only these players and the preset \
         heads.</p>\n<ul class=\"players\" aria-labelledby=\"demo\">\n{items}</ul>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(query: &str, showcase: &Showcase) -> String {
        page(Query::new(Some(query)), showcase)
    }

    #[test]
    fn the_query_selects_the_pictures() {
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
    fn input_is_escaped() {
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
