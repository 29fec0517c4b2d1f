//! The landing page at `/`: a player, and everything that a picture of one can be. It works as a plain
//! form; a script loads it in the background when a field changes.

use effigy_player::Edition;
use effigy_render::{ImageFormat, View};

use super::{
    assets::url,
    controls::{VIEWS, controls, thumbnails},
    page_params::{PageParams, escaped},
    snippets::Snippets,
    template::{self, escape},
};
use crate::respond::reason::Missing;

const PAGE: &str = include_str!("../../assets/templates/page.html");

/// The size of the picture of a built-in player.
const GUEST_SIZE: [u64; 2] = [192, 384];

/// The players that the landing page shows.
#[derive(Debug, Clone)]
pub struct Showcase {
    /// The player shown if the visitor has named none.
    pub first: &'static str,
    /// The players in a list on the page. A public service has none.
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

/// The outcome of looking up the player of the page.
#[derive(Debug)]
pub(crate) enum Subject {
    Found {
        edition: Edition,
        has_skin: bool,
    },
    /// There is no such player.
    Missing(Missing),
    /// The player is not known, for this reason.
    Unknown(&'static str),
}

/// The page around the picture.
#[derive(Debug)]
pub(crate) struct Surroundings<'a> {
    pub(crate) showcase: &'a Showcase,
    /// `true` if the server draws skin files.
    pub(crate) has_previews: bool,
    /// Scheme and host of the page, as the visitor knows them.
    pub(crate) origin: &'a str,
}

/// Returns the page.
pub(crate) fn page(params: &PageParams, subject: &Subject, around: &Surroundings<'_>) -> String {
    let picture = params.picture_url(params.format);
    let is_found = matches!(subject, Subject::Found { .. });
    let (shown, [width, height], alt) = match subject {
        Subject::Found { .. } => (
            picture.clone(),
            [params.spec.width(), params.spec.height()],
            format!("{}: {}", params.player, title(params.view).to_lowercase()),
        ),
        Subject::Missing(_) => (url("nobody.svg"), GUEST_SIZE, "No such player".to_owned()),
        Subject::Unknown(_) => (url("guest.svg"), GUEST_SIZE, "A built-in player".to_owned()),
    };
    let instead = match subject {
        Subject::Missing(missing) => missing.instead.as_deref(),
        _ => None,
    };
    let page_url = params.page_url(&params.player);
    let snippets = Snippets {
        url: &format!("{}{picture}", around.origin),
        player: &params.player,
        width,
        height,
    };
    let hidden = |is_hidden| if is_hidden { " hidden" } else { "" };
    let format = params.format;
    template::page(
        PAGE,
        &escape(&page_title(params)),
        &[
            ("script", &url("page.js")),
            ("turning", &url("turn.js")),
            ("origin", &escape(around.origin)),
            ("page", &escape(&page_url)),
            ("png", &escape(&params.picture_url(ImageFormat::Png))),
            ("player", &escape(&params.player)),
            ("mood", if is_found { "" } else { "bad" }),
            ("status", &escape(&status(params, subject))),
            (
                "instead",
                &escape(&params.page_url(instead.unwrap_or_default())),
            ),
            ("no_instead", hidden(instead.is_none())),
            ("players", &players(params, around.showcase)),
            ("picture", &escape(&picture)),
            ("shown", &escape(&shown)),
            ("preview", &escape(&params.preview_url())),
            ("alt", &escape(&alt)),
            ("width", &width.to_string()),
            ("height", &height.to_string()),
            ("fixed", hidden(!is_found || !params.view.is_free())),
            ("views", &thumbnails(params, is_found)),
            ("size", &escape(params.chosen("size").unwrap_or_default())),
            ("controls", &controls(params)),
            ("uploads", hidden(!around.has_previews)),
            ("no_picture", hidden(!is_found)),
            ("html", &escape(&snippets.html())),
            ("markdown", &escape(&snippets.markdown())),
            ("bbcode", &escape(&snippets.bbcode())),
            (
                "file",
                &escape(&format!("{}-{}.{format}", params.player, params.view)),
            ),
            ("skin", &escape(&params.player_url("download"))),
            ("profile", &escape(&params.player_url("v1/profile"))),
        ],
    )
}

fn title(view: View) -> &'static str {
    let mut views = VIEWS.iter();
    views
        .find(|(known, _)| *known == view)
        .map_or("", |(_, title)| title)
}

fn page_title(params: &PageParams) -> String {
    match params.is_first {
        true => "Effigy: Minecraft players as pictures".to_owned(),
        false => format!(
            "{}: {} by Effigy",
            params.player,
            title(params.view).to_lowercase()
        ),
    }
}

fn status(params: &PageParams, subject: &Subject) -> String {
    match subject {
        Subject::Found { edition, has_skin } => {
            let edition = match edition {
                Edition::Java => "Java",
                Edition::Bedrock => "Bedrock",
            };
            let skin = if *has_skin {
                ""
            } else {
                ", who has set no skin"
            };
            format!("Showing {} ({edition}){skin}.", params.player)
        }
        Subject::Missing(missing) => missing.message.clone(),
        Subject::Unknown(reason) => format!("{reason}. The page shows a built-in player instead."),
    }
}

/// Returns the list of players, each with a face.
fn players(params: &PageParams, showcase: &Showcase) -> String {
    if showcase.players.is_empty() {
        return String::new();
    }
    let item = |player: &String| {
        let link = escape(&params.page_url(player));
        let face = escape(&format!("/v1/head/{}?size=48", escaped(player)));
        let player = escape(player);
        format!(
            "        <li><a href=\"{link}\"><img src=\"{face}\" alt=\"\" width=\"24\" height=\"24\" fetchpriority=\"low\">{player}</a></li>\n"
        )
    };
    let items: String = showcase.players.iter().map(item).collect();
    format!(
        "    <div class=\"cast\">\n      <p class=\"hint\" id=\"demo\">This is the demo. It knows these players, \
         some others and the preset heads.</p>\n      <ul class=\"players\" aria-labelledby=\"demo\">\n{items}\
         \x20     </ul>\n    </div>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::Query;

    const FOUND: Subject = Subject::Found {
        edition: Edition::Java,
        has_skin: true,
    };

    fn html(query: &str, subject: &Subject, showcase: &Showcase) -> String {
        let around = Surroundings {
            showcase,
            has_previews: true,
            origin: "http://skins.example.org",
        };
        page(
            &PageParams::parse(Query::new(Some(query)), showcase.first),
            subject,
            &around,
        )
    }

    #[test]
    fn the_page_shows_the_picture_of_its_query() {
        let html = html(
            "player=.Two+Words&view=avatar&facing=back-left",
            &FOUND,
            &Showcase::default(),
        );
        assert!(!html.contains("{{"), "{html}");
        let url = "/v1/avatar/.Two%20Words?size=192&amp;facing=back-left";
        assert!(html.contains(&format!("src=\"{url}\"")));
        assert!(html.contains(&format!("content=\"http://skins.example.org{url}\"")));
        assert!(html.contains("![.Two Words](http://skins.example.org/v1/avatar/"));
        assert!(html.contains("&lt;img src=&quot;http://skins.example.org/v1/avatar/"));
        assert!(html.contains("width=\"192\" height=\"392\""));
    }

    #[test]
    fn a_missing_player_has_no_pictures() {
        let missing = Subject::Missing(Missing {
            message: "Nobody & none".to_owned(),
            instead: Some(".a".to_owned()),
        });
        let unknown = Subject::Unknown("Mojang sleeps");
        for (subject, status) in [
            (missing, "Nobody &amp; none"),
            (
                unknown,
                "Mojang sleeps. The page shows a built-in player instead.",
            ),
        ] {
            let html = html("player=a&view=cube", &subject, &Showcase::default());
            assert!(html.contains(status), "{html}");
            assert!(!html.contains("<img src=\"/v1/"), "{html}");
            assert_eq!(
                html.contains("href=\"/?player=.a&amp;view=cube\">"),
                matches!(subject, Subject::Missing(_))
            );
        }
    }

    #[test]
    fn input_is_escaped() {
        let query = "player=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&background=%22%3E%3Cscript%3E";
        let html = html(query, &FOUND, &Showcase::default());
        assert!(!html.contains("><script>"), "{html}");
        assert!(html.contains("value=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\""));
    }

    #[test]
    fn the_demo_lists_its_players() {
        let showcase = Showcase {
            first: "Gwendolin",
            players: vec!["Gwendolin".to_owned(), ".Two Words".to_owned()],
        };
        let demo = html("size=64", &FOUND, &showcase);
        assert!(demo.contains("<a href=\"/?player=.Two%20Words&amp;size=64\">"));
        assert!(demo.contains("src=\"/v1/figure/Gwendolin?size=64\""));
        assert!(!html("", &FOUND, &Showcase::default()).contains("demo"));
    }
}
