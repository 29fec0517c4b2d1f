//! The reference at `/docs` and, for the URLs of other services, `/docs/families`: the OpenAPI document as
//! pages.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use effigy_render::{PictureSpec, Size};

use super::{
    template::{self, HTML, escape, find},
    views::VIEWS,
};
use crate::{
    openapi::{self, Component, Route},
    respond::document::StaticDocument,
    routes::{DocPage, PICTURE_PARAMETERS, view_name},
};

const PAGE: &str = include_str!("../../assets/templates/reference.html");
const LIMITS: &str = include_str!("../../assets/templates/limits.html");

/// The path whose parameters many others have as well.
const PICTURE: &str = "/v1/{view}/{player}";

const ABOUT_FAMILIES: &str = "URLs of other services work here under a prefix, so a page or a plugin needs only another \
    base URL: `https://crafatar.com/avatars/…` becomes `/crafatar/avatars/…` of this service. Effigy draws the pictures.";

static MAIN: LazyLock<StaticDocument> =
    LazyLock::new(|| StaticDocument::new(HTML, html(DocPage::Main)));
static FAMILIES: LazyLock<StaticDocument> =
    LazyLock::new(|| StaticDocument::new(HTML, html(DocPage::Families)));

/// Returns a page of the reference.
pub(crate) fn reference(page: DocPage) -> &'static StaticDocument {
    match page {
        DocPage::Main => &MAIN,
        DocPage::Families => &FAMILIES,
    }
}

fn html(page: DocPage) -> String {
    let (heading, about, views, limits) = match page {
        DocPage::Main => ("Reference", openapi::about(), views(), LIMITS),
        DocPage::Families => ("Migrating", ABOUT_FAMILIES, String::new(), ""),
    };
    let is_family = page == DocPage::Families;
    let routes = openapi::routes().filter(|route| route.is_of_family() == is_family);
    let routes: Vec<Route> = routes.collect();
    let mut explained = BTreeSet::new();
    let sections = routes.chunk_by(|one, next| one.tag() == next.tag());
    let sections: String = sections
        .enumerate()
        .map(|(number, routes)| section(routes, number == 0, &mut explained))
        .collect();
    let values = [
        ("heading", heading),
        ("about", &*prose(about)),
        ("views", &views),
        ("routes", &sections),
        ("responses", &responses(&routes)),
        ("limits", limits),
    ];
    template::page(PAGE, &format!("{heading}: Effigy"), |name| {
        find(&values, name)
    })
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

/// `/head/{player}` becomes `head-player`.
fn anchor(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}

/// Returns the method, unless it is GET, and the path with its parameters marked.
fn path(route: &Route) -> String {
    let method = match route.method {
        "get" => String::new(),
        method => format!("<b>{}</b> ", method.to_uppercase()),
    };
    let path = route.path.replace('{', "<var>{").replace('}', "}</var>");
    format!("<code>{method}{path}</code>")
}

/// Returns a picture of each view, which every service can draw.
fn views() -> String {
    let view = |(view, title): &(_, &str)| {
        let name = view_name(*view);
        let spec = PictureSpec::new(*view, Size::px(128));
        let (url, width, height) = (format!("/v1/{name}/MHF_Steve"), spec.width(), spec.height());
        format!(
            "<li><a href=\"{url}\"><img src=\"{url}\" alt=\"\" width=\"{width}\" height=\"{height}\">\
             <code>{name}</code> {title}</a></li>\n"
        )
    };
    let items: String = VIEWS.iter().map(view).collect();
    format!(
        "<section aria-labelledby=\"views\"><h2 id=\"views\">Views</h2>\n<ul class=\"gallery\">\n{items}\
         </ul></section>\n"
    )
}

/// Returns the routes of one tag in a part that a link to its content opens, with the parameters that are not `explained` yet.
fn section(routes: &[Route], is_open: bool, explained: &mut BTreeSet<&'static str>) -> String {
    let articles: String = routes.iter().map(article).collect();
    let tag = routes[0].tag();
    let parameters = parameters(routes, explained);
    let anchor = anchor(tag);
    let open = if is_open { " open" } else { "" };
    format!(
        "<details class=\"routes\"{open}><summary><h2>{tag}</h2></summary>\n<div id=\"{anchor}\">{articles}\
         <dl class=\"parameters\">\n{parameters}</dl></div></details>\n"
    )
}

fn article(route: &Route) -> String {
    let anchor = anchor(route.path);
    let (path, summary) = (path(route), route.text("summary"));
    let description = prose(route.text("description"));
    let is_of_picture = |parameter: &Component| PICTURE_PARAMETERS.contains(&parameter.id);
    let is_like_picture = route.path != PICTURE && route.parameters().any(|p| is_of_picture(&p));
    let names = route.parameters();
    let names = names.filter(|parameter| !is_like_picture || !is_of_picture(parameter));
    let names = names.map(|parameter| {
        let name = parameter.text("name");
        format!("<a href=\"#{}\">{name}</a>", parameter_anchor(&parameter))
    });
    let of_picture = format!(
        "<a href=\"#{}\">those of a picture</a>",
        self::anchor(PICTURE)
    );
    let names: Vec<String> = names.chain(is_like_picture.then_some(of_picture)).collect();
    let parameters = match names.is_empty() {
        true => String::new(),
        false => format!("Parameters: {}. ", names.join(", ")),
    };
    let success = route
        .responses()
        .filter(|response| response.status() == "200");
    let media_types: Vec<&str> = success
        .flat_map(|response| response.media_types())
        .collect();
    let media_types = media_types.join("</code> or <code>");
    format!(
        "<article aria-labelledby=\"{anchor}\"><h3 id=\"{anchor}\">{path} {summary}</h3>\n<p>{description}</p>\n\
         <p class=\"hint\">{parameters}Response: <code>{media_types}</code>.</p></article>\n"
    )
}

/// Returns the anchor of a parameter. Parameters of one name may have several meanings.
fn parameter_anchor(parameter: &Component) -> String {
    format!("parameter-{}", parameter.id)
}

/// Returns the meanings of the parameters that are not `explained` yet.
fn parameters(routes: &[Route], explained: &mut BTreeSet<&'static str>) -> String {
    let parameters = routes.iter().flat_map(|route| route.parameters());
    let by_name: BTreeMap<_, _> = parameters
        .filter(|parameter| !explained.contains(parameter.id))
        .map(|parameter| ((parameter.text("name"), parameter.id), parameter))
        .collect();
    explained.extend(by_name.keys().map(|(_, id)| *id));
    let row = |((name, _), parameter): ((&str, &str), Component)| {
        let anchor = parameter_anchor(&parameter);
        let place = match (parameter.is_in_query(), parameter.is_required()) {
            (false, _) => " in the path",
            (true, true) => " (required)",
            (true, false) => "",
        };
        let meaning = prose(parameter.text("description"));
        format!(
            "<div id=\"{anchor}\"><dt><code>{name}</code>{place}</dt><dd>{meaning}</dd></div>\n"
        )
    };
    by_name.into_iter().map(row).collect()
}

/// Returns the rows of all statuses but 200, whose responses are those of the routes.
fn responses(routes: &[Route]) -> String {
    let responses = routes
        .iter()
        .flat_map(|route| route.responses())
        .map(|response| (response.id, response));
    let responses: BTreeMap<_, _> = responses
        .filter(|(_, response)| response.status() != "200")
        .collect();
    let row = |response: &Component| {
        let (status, meaning) = (response.status(), prose(response.text("description")));
        format!("<div><dt>{status}</dt><dd>{meaning}.</dd></div>\n")
    };
    responses.values().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_is_on_its_page_once() {
        for page in [DocPage::Main, DocPage::Families] {
            let html = html(page);
            assert!(!html.contains("{{"));
            for route in openapi::routes() {
                let anchor = anchor(route.path);
                let is_family = page == DocPage::Families;
                let expected = usize::from(route.is_of_family() == is_family);
                let ids = html.matches(&format!(" id=\"{anchor}\"")).count();
                assert_eq!(ids, expected, "{anchor}");
            }
        }
    }

    #[test]
    fn links_lead_to_one_place() {
        for page in [DocPage::Main, DocPage::Families] {
            let html = html(page);
            let links = html.split("href=\"#").skip(1);
            for link in links.map(|rest| rest.split('"').next().unwrap()) {
                let places = html.matches(&format!(" id=\"{link}\"")).count();
                assert_eq!(places, 1, "{link}");
            }
        }
    }

    #[test]
    fn code_is_between_backticks() {
        assert_eq!(prose("a `<b>` & c"), "a <code>&lt;b&gt;</code> &amp; c");
    }
}
