//! The landing page at `/`: every view of a player. It works as a plain form; a script updates the
//! pictures without reloading the page.

use effigy_render::{Facing, Layers, Light, NamedPose};
use percent_encoding::utf8_percent_encode;

use super::{
    assets::url,
    figure_params::FigureParams,
    page_params::{ESCAPED, PageParams, UrlForm, is_from_behind},
    template::{escape, fill},
};
use crate::routes::Query;

const PAGE: &str = include_str!("../../assets/page.html");
const CARD: &str = include_str!("../../assets/card.html");
const FIGURE: &str = include_str!("../../assets/figure.html");

/// The cards: the word in the path, the title, and the form of the URL.
const CARDS: [(&str, &str, UrlForm); 8] = [
    ("figure", "Figure", UrlForm::Figure),
    ("avatar", "Isometric body", UrlForm::Isometric),
    ("ioshead", "Isometric head", UrlForm::Isometric),
    ("head", "Face", UrlForm::Flat),
    ("player", "Flat body", UrlForm::Flat),
    ("bust", "Bust", UrlForm::V1),
    ("combo", "Face and body", UrlForm::V1),
    ("skin", "Skin", UrlForm::Skin),
];

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

/// Returns the page, which offers to upload a skin file if there are previews.
pub(crate) fn page(query: Query<'_>, showcase: &Showcase, has_previews: bool) -> String {
    let params = &PageParams::parse(query, showcase.first);
    let is_left = matches!(params.facing, Facing::Left | Facing::BackLeft);
    let cards: String = CARDS.iter().map(|row| card(params, *row)).collect();
    fill(
        PAGE,
        &[
            ("style", &url("page.css")),
            ("script", &url("page.js")),
            ("turning", &url("figure.js")),
            ("icon", &url("icon.svg")),
            ("version", env!("CARGO_PKG_VERSION")),
            ("player", &escape(&params.player)),
            ("size", &params.size.to_string()),
            ("left", checked(is_left)),
            ("right", checked(!is_left)),
            ("behind", checked(is_from_behind(params.facing))),
            ("hat", checked(params.layers == Layers::WithOverlay)),
            ("uploads", if has_previews { "" } else { " hidden" }),
            ("players", &players(showcase)),
            ("cards", &cards),
        ],
    )
}

fn card(params: &PageParams<'_>, (view, title, form): (&str, &str, UrlForm)) -> String {
    let label = title.to_lowercase();
    let controls = match form {
        UrlForm::Figure => figure_controls(&params.figure),
        _ => String::new(),
    };
    fill(
        CARD,
        &[
            ("view", view),
            ("title", title),
            ("label", &label),
            ("controls", &controls),
            ("path", &escape(&params.picture_url(view, form))),
            ("alt", &escape(&format!("{}: {label}", params.player))),
        ],
    )
}

fn checked(is_checked: bool) -> &'static str {
    if is_checked { " checked" } else { "" }
}

/// Returns the fields of the figure.
fn figure_controls(figure: &FigureParams) -> String {
    let option = |pose: NamedPose| {
        let selected = if pose == figure.pose { " selected" } else { "" };
        format!("<option{selected}>{pose}</option>")
    };
    fill(
        FIGURE,
        &[
            ("yaw", &figure.yaw.to_string()),
            ("pitch", &figure.pitch.to_string()),
            ("poses", &NamedPose::ALL.map(option).concat()),
            ("none", checked(figure.light == Light::None)),
            ("soft", checked(figure.light == Light::Soft)),
            ("game", checked(figure.light == Light::Game)),
            ("overlay", checked(figure.has_overlay)),
            ("base", checked(!figure.has_overlay)),
            ("cape", checked(figure.has_cape)),
            ("bare", checked(!figure.has_cape)),
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
        page(Query::new(Some(query)), showcase, true)
    }

    #[test]
    fn the_query_selects_the_pictures() {
        let rows: [(&str, &[&str]); 11] = [
            (
                "",
                &[
                    "/v1/figure/MHF_Steve?size=256",
                    "/avatar/MHF_Steve/right/256",
                    "/head/MHF_Steve/256/hat",
                ],
            ),
            (
                "player=Notch&yaw=-30&pitch=0&pose=walk&light=game&cape=false&overlay=false",
                &[
                    "/v1/figure/Notch?size=256&amp;yaw=-30&amp;pitch=0&amp;pose=walk&amp;light=game&amp;cape=false&amp;overlay=false",
                ],
            ),
            (
                "player=Notch&yaw=25&pitch=100&pose=dance&light=&cape=true",
                &["/v1/figure/Notch?size=256"],
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
