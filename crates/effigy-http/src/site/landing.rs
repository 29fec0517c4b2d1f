//! The landing page at `/`: a player, and everything that a picture of one can be. It works as a plain
//! form; a script loads it in the background when a field changes.

use std::borrow::Cow;

use effigy_player::Edition;
use effigy_render::{Angle, Camera, ImageFormat};

use super::{
    assets::url,
    page_params::{PageParams, escaped},
    template::{self, escape, fill, find},
    views::{sharp, thumbnails, title, words_of_views_with},
};
use crate::{respond::reason::Missing, routes::view_name};

const PAGE: &str = include_str!("../../assets/templates/page.html");
const PLAYERS: &str = include_str!("../../assets/templates/players.html");
const PLAYER: &str = include_str!("../../assets/templates/player.html");

/// The players to try on a public service.
const SAMPLES: [&str; 6] = [
    "MHF_Steve",
    "MHF_Alex",
    "MHF_Creeper",
    "MHF_Zombie",
    "MHF_Skeleton",
    "MHF_Enderman",
];

/// The size of the picture of a built-in player.
const GUEST_SIZE: [u64; 2] = [192, 384];

/// The players that the landing page shows.
#[derive(Debug, Clone)]
pub struct Showcase {
    /// The player shown if the visitor has named none.
    pub first: &'static str,
    /// The players to try, in a list on the page.
    pub players: Vec<String>,
    /// `true` if there are few others.
    pub is_closed: bool,
}

impl Default for Showcase {
    fn default() -> Self {
        Self {
            first: "MHF_Steve",
            players: SAMPLES.map(str::to_owned).to_vec(),
            is_closed: false,
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
    let player = &params.player;
    let [yaw, pitch] = angles(params);
    let hidden = |is_hidden| if is_hidden { " hidden" } else { "" };
    let values = [
        ("script", &*url("page.js")),
        ("turning", &url("turn.js")),
        ("origin", around.origin),
        ("page", &params.page_url(player)),
        ("png", &params.picture_url(ImageFormat::Png)),
        ("player", player),
        ("mood", if is_found { "" } else { "bad" }),
        ("status", &status(params, subject)),
        ("instead", &params.page_url(instead.unwrap_or_default())),
        ("no_instead", hidden(instead.is_none())),
        ("players", &players(params, around.showcase)),
        ("picture", &picture),
        ("shown", &shown),
        (
            "sharp",
            &if is_found {
                sharp(&picture, params.spec.size.get())
            } else {
                String::new()
            },
        ),
        ("nobody", &url("nobody.svg")),
        ("preview", &params.preview_url()),
        ("alt", &alt),
        ("width", &width.to_string()),
        ("height", &height.to_string()),
        ("fixed", hidden(!is_found || !params.view.is_free())),
        ("views", &thumbnails(params, is_found)),
        ("size", params.chosen("size")),
        ("yaw", &yaw.to_string()),
        ("pitch", &pitch.to_string()),
        ("uploads", hidden(!around.has_previews)),
        ("no_picture", hidden(!is_found)),
        ("view", view_name(params.view)),
        ("format", params.format.as_str()),
        // Texts in the HTML snippet are escaped twice.
        (
            "url_in_html",
            &escape(&format!("{}{picture}", around.origin)),
        ),
        ("player_in_html", &escape(player)),
        ("player_in_markdown", &escape_markdown(player)),
        ("skin", &params.player_url("download")),
        ("profile", &params.player_url("v1/profile")),
    ];
    template::page(PAGE, &page_title(params), |name| {
        find(&values, name).or_else(|| field(params, name))
    })
}

/// Returns the value of a placeholder in a field: the views that have the parameter, the mark of a chosen
/// option as in `pose=walk`, or the option of a value that is not listed. A link may have any.
fn field<'a>(params: &PageParams, placeholder: &str) -> Option<Cow<'a, str>> {
    if let Some(name) = placeholder.strip_prefix("views of ") {
        return Some(words_of_views_with(name).into());
    }
    if let Some(name) = placeholder.strip_prefix("other ") {
        let value = params.chosen(name);
        let is_listed = PAGE.contains(&format!("{{{{{name}={value}}}}}"));
        let value = escape(value);
        let option = || format!("<option value=\"{value}\" selected>{value}</option>");
        return Some((!is_listed).then(option).unwrap_or_default().into());
    }
    let (name, value) = placeholder.split_once('=')?;
    let is_chosen = params.chosen(name) == value;
    Some(if is_chosen { " selected" } else { "" }.into())
}

/// Returns the positions of the sliders.
fn angles(params: &PageParams) -> [Angle; 2] {
    let angles = |camera| match camera {
        Camera::Orthographic { yaw, pitch } => Some([yaw, pitch]),
        _ => None,
    };
    let angles = angles(params.spec.camera).or_else(|| angles(Camera::DEFAULT));
    angles.unwrap_or_default()
}

fn escape_markdown(text: &str) -> String {
    let text = text.replace('\\', "\\\\");
    text.replace('[', "\\[").replace(']', "\\]")
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
        let link = params.page_url(player);
        let face = format!("/v1/face/{}?size=48&default=steve", escaped(player));
        let values = [("link", &*link), ("face", &face), ("player", player)];
        fill(PLAYER, |name| find(&values, name))
    };
    let items: String = showcase.players.iter().map(item).collect();
    let invitation = match showcase.is_closed {
        true => "Only built-in players work here. Try one:",
        false => "Try one of these:",
    };
    let values = [("items", &*items), ("invitation", invitation)];
    fill(PLAYERS, |name| find(&values, name))
}

#[cfg(test)]
mod tests {
    use effigy_render::View;

    use super::*;
    use crate::routes::{Query, picture_spec};

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
            &PageParams::parse(&Query::parse_lossy(Some(query)), showcase.first),
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
        let url = "/v1/isobody/.Two%20Words?size=192&amp;facing=back-left";
        assert!(html.contains(&format!("src=\"{url}\"")));
        assert!(html.contains(&format!("content=\"http://skins.example.org{url}\"")));
        assert!(html.contains("![.Two Words](http://skins.example.org/v1/isobody/"));
        assert!(html.contains("&lt;img src=&quot;http://skins.example.org/v1/isobody/"));
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
            assert!(!html.contains("src=\"/v1/figure"), "{html}");
            assert!(!html.contains("src=\"/v1/cube"), "{html}");
            assert_eq!(
                html.contains("href=\"/?player=.a&amp;view=cube\">"),
                matches!(subject, Subject::Missing(_))
            );
        }
    }

    #[test]
    fn every_option_is_a_value_of_its_parameter() {
        let options = PAGE
            .split(" value=\"")
            .filter_map(|rest| rest.split_once("{{")?.1.split_once("}}"));
        let options = options.filter_map(|(placeholder, _)| placeholder.split_once('='));
        let mut count = 0;
        for (name, value) in options.filter(|(name, value)| *name != "format" && !value.is_empty())
        {
            let query = format!("{name}={value}");
            let accepts = |view| picture_spec(view, &Query::parse_lossy(Some(&query))).is_ok();
            assert!(View::ALL.iter().copied().any(accepts), "{query}");
            count += 1;
        }
        assert!(count > 20, "{count}");
    }

    #[test]
    fn a_value_that_is_not_listed_stays_chosen() {
        let query = "player=a&background=123456&pose=sit&format=svg";
        let html = html(query, &FOUND, &Showcase::default());
        assert!(html.contains("<option value=\"123456\" selected>123456</option>"));
        assert!(html.contains("<option value=\"sit\" selected>Sit</option>"));
        assert!(html.contains("<option value=\"svg\" selected>SVG</option>"));
        assert_eq!(
            html.matches(" selected>").count(),
            PAGE.matches("<select").count() - 1
        );
        assert!(html.contains("data-views=\"figure portrait cube\""));
    }

    #[test]
    fn a_name_is_escaped_in_each_syntax() {
        let html = html(
            "player=[%22a%5C]&view=head&size=8&overlay=false",
            &FOUND,
            &Showcase::default(),
        );
        let url = "/v1/face/%5B%22a%5C%5D?size=8&amp;overlay=false";
        assert!(html.contains("alt=&quot;[&amp;quot;a\\]&quot;&gt;"));
        assert!(html.contains(&format!(
            "![\\[&quot;a\\\\\\]](http://skins.example.org{url})"
        )));
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
            is_closed: true,
            players: vec!["Gwendolin".to_owned(), ".Two Words".to_owned()],
        };
        let demo = html("size=64", &FOUND, &showcase);
        assert!(demo.contains("<a href=\"/?player=.Two%20Words&amp;size=64\">"));
        assert!(demo.contains("src=\"/v1/figure/Gwendolin?size=64\""));
        assert!(!html("", &FOUND, &Showcase::default()).contains("demo"));
    }
}
