//! The reference at `/docs` and, for the URLs of other services, `/docs/families`: the table of routes
//! as pages.

use std::{collections::BTreeMap, num::NonZeroU32};

use super::{
    controls::VIEWS,
    page_params::escaped,
    template::{self, escape, fill},
};
use crate::{
    openapi::ABOUT,
    routes::{
        DocPage, MAX_PADDING, MAX_PLAYERS, MAX_SIZE, Parameter, Route, RouteMethod, documented,
    },
};

const PAGE: &str = include_str!("../../assets/templates/reference.html");
const LIMITS: &str = include_str!("../../assets/templates/limits.html");

const ABOUT_FAMILIES: &str = "URLs of other services work here under a prefix, so a page or a plugin needs only another \
    base URL: `https://crafatar.com/avatars/…` becomes `/crafatar/avatars/…` of this service. Effigy draws the pictures.";

/// The size of the pictures of the views.
const SIZE: u32 = 128;

/// The settings of a server that the reference states.
#[derive(Debug)]
pub(crate) struct Stated<'a> {
    /// The player of the examples.
    pub(crate) player: &'a str,
    /// Scheme and host of the page, as the visitor knows them.
    pub(crate) origin: &'a str,
    pub(crate) max_size: Option<NonZeroU32>,
}

/// Returns a page of the reference.
pub(crate) fn reference(page: DocPage, stated: &Stated<'_>) -> String {
    let (title, about, views, limits) = match page {
        DocPage::Main => ("Reference", ABOUT, views(stated), limits(stated)),
        DocPage::Families => (
            "Other services' URLs",
            ABOUT_FAMILIES,
            String::new(),
            String::new(),
        ),
    };
    let routes: Vec<&Route> = documented()
        .filter(|route| route.page == Some(page))
        .collect();
    template::page(
        PAGE,
        &format!("{title}: Effigy"),
        &[
            ("heading", title),
            ("about", &prose(about)),
            ("contents", &contents(&routes)),
            ("views", &views),
            ("routes", &sections(&routes)),
            ("parameters", &parameters(&routes)),
            ("responses", &responses(&routes)),
            ("limits", &limits),
        ],
    )
}

/// Escapes a text and marks what is between backticks as code.
fn prose(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    let pieces = pieces.map(|(at, piece)| match at % 2 {
        0 => escape(piece),
        _ => format!("<code>{}</code>", escape(piece)),
    });
    pieces.collect()
}

/// `/head/{input}` becomes `head-input`.
fn anchor(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}

/// Returns the method, unless it is GET, and the path with its parameters marked.
fn path(route: &Route) -> String {
    let method = match route.method {
        RouteMethod::Get => "",
        RouteMethod::Post => "<b>POST</b> ",
    };
    let path = escape(route.pattern.text).replace("!}", "}");
    let path = path.replace('{', "<var>{").replace('}', "}</var>");
    format!("<code>{method}{path}</code>")
}

fn contents(routes: &[&Route]) -> String {
    let entry = |route: &&Route| {
        let (anchor, summary) = (anchor(route.pattern.text), route.summary);
        let path = path(route);
        format!("<li><a href=\"#{anchor}\">{path}</a> {summary}</li>\n")
    };
    routes.iter().map(entry).collect()
}

/// Returns a picture of each view, with the command that fetches it.
fn views(stated: &Stated<'_>) -> String {
    let (player, origin) = (escaped(stated.player), escape(stated.origin));
    let view = |(view, title): &(_, &str)| {
        let url = format!("/v1/{view}/{player}?size={SIZE}");
        format!(
            "<li><img src=\"{url}\" alt=\"{title}\" loading=\"lazy\"><b>{title}</b> \
             <code>curl -o {view}.png '{origin}{url}'</code></li>\n"
        )
    };
    let items: String = VIEWS.iter().map(view).collect();
    format!(
        "<section aria-labelledby=\"views\"><h2 id=\"views\">Views</h2>\n<ul class=\"gallery\">\n{items}\
         </ul></section>\n"
    )
}

fn sections(routes: &[&Route]) -> String {
    let section = |routes: &[&Route]| {
        let articles: String = routes.iter().map(|route| article(route)).collect();
        let (tag, anchor) = (routes[0].tag, anchor(routes[0].tag));
        format!(
            "<section aria-labelledby=\"{anchor}\"><h2 id=\"{anchor}\">{tag}</h2>\n{articles}</section>\n"
        )
    };
    let by_tag = routes.chunk_by(|one, next| one.tag == next.tag);
    by_tag.map(section).collect()
}

fn article(route: &Route) -> String {
    let anchor = anchor(route.pattern.text);
    let (path, summary, description) = (path(route), route.summary, prose(route.description));
    let names = route.parameters.iter().map(|parameter| {
        let (anchor, name) = (anchor_of(parameter, route), parameter.name);
        format!("<a href=\"#{anchor}\">{name}</a>")
    });
    let names: Vec<String> = names.collect();
    let parameters = match names.is_empty() {
        true => String::new(),
        false => format!("Parameters: {}. ", names.join(", ")),
    };
    let replies = route.replies.iter().map(|reply| {
        let types = reply.content.iter().map(|(media_type, _)| *media_type);
        let types: Vec<&str> = types.filter(|_| reply.status < 300).collect();
        match types.is_empty() {
            true => reply.status.to_string(),
            false => format!(
                "{} <code>{}</code>",
                reply.status,
                types.join("</code>, <code>")
            ),
        }
    });
    let replies: Vec<String> = replies.collect();
    format!(
        "<article aria-labelledby=\"{anchor}\"><h3 id=\"{anchor}\">{path} {summary}</h3>\n<p>{description}</p>\n\
         <p class=\"hint\">{parameters}Responses: {}.</p></article>\n",
        replies.join(", ")
    )
}

/// Returns the place of a parameter in words.
fn place(parameter: &Parameter, route: &Route) -> &'static str {
    match (route.has_in_path(parameter), parameter.is_required) {
        (true, _) => "path",
        (false, true) => "query, required",
        (false, false) => "query",
    }
}

/// Returns the anchor of a parameter. Parameters of one name may have several meanings.
fn anchor_of(parameter: &Parameter, route: &Route) -> String {
    let place = place(parameter, route);
    let first = documented().find(|other| {
        let mut parameters = other.parameters.iter();
        parameters.any(|known| known.description == parameter.description)
    });
    let word = first.map_or("", |route| route.name);
    anchor(&format!("{} {place} {word}", parameter.name))
}

/// Returns the rows of all parameters, each meaning once.
fn parameters(routes: &[&Route]) -> String {
    let mut rows: Vec<(String, String)> = Vec::new();
    for route in routes {
        for parameter in &route.parameters {
            let anchor = anchor_of(parameter, route);
            if rows.iter().any(|(known, _)| *known == anchor) {
                continue;
            }
            let (name, place) = (parameter.name, place(parameter, route));
            let meaning = prose(&parameter.full_description());
            let row = format!(
                "<tr id=\"{anchor}\"><th scope=\"row\"><code>{name}</code></th><td>{place}</td><td>{meaning}</td></tr>\n"
            );
            rows.push((anchor, row));
        }
    }
    rows.sort();
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Returns the rows of all statuses, each with its meanings.
fn responses(routes: &[&Route]) -> String {
    let mut meanings: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for reply in routes.iter().flat_map(|route| &route.replies) {
        let known = meanings.entry(reply.status).or_default();
        if !known.contains(&reply.description) {
            known.push(reply.description);
        }
    }
    let row = |(status, meanings): (u16, Vec<&str>)| {
        let meanings = prose(&meanings.join(". "));
        format!("<tr><th scope=\"row\">{status}</th><td>{meanings}.</td></tr>\n")
    };
    meanings.into_iter().map(row).collect()
}

fn limits(stated: &Stated<'_>) -> String {
    let specified = match stated.max_size {
        Some(max) => format!("sizes up to {max}"),
        None => "any size".to_owned(),
    };
    fill(
        LIMITS,
        &[
            ("max_size", &MAX_SIZE.to_string()),
            ("max_padding", &MAX_PADDING.to_string()),
            ("max_players", &MAX_PLAYERS.to_string()),
            ("specified", &specified),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATED: Stated<'_> = Stated {
        player: "Notch",
        origin: "https://skins.example.org",
        max_size: None,
    };

    #[test]
    fn every_path_is_on_its_page_once() {
        for page in [DocPage::Main, DocPage::Families] {
            let html = reference(page, &STATED);
            assert!(!html.contains("{{"));
            for route in documented() {
                let anchor = anchor(route.pattern.text);
                let count = html.matches(&format!(" id=\"{anchor}\"")).count();
                let expected = usize::from(route.page == Some(page));
                assert_eq!(count, expected, "{anchor}");
                let links = html.matches(&format!("href=\"#{anchor}\"")).count();
                assert_eq!(links, expected, "{anchor}");
            }
        }
    }

    #[test]
    fn links_lead_to_rows() {
        let html = reference(DocPage::Main, &STATED);
        let links = html.split("href=\"#").skip(1);
        for link in links.map(|rest| rest.split('"').next().unwrap()) {
            let rows = html.matches(&format!(" id=\"{link}\"")).count();
            assert_eq!(rows, 1, "{link}");
        }
    }

    #[test]
    fn code_is_between_backticks() {
        assert_eq!(prose("a `<b>` & c"), "a <code>&lt;b&gt;</code> &amp; c");
    }
}
