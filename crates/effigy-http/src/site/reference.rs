//! The API reference at `/docs`: the table of routes as a page.

use super::{
    assets::url,
    template::{escape, fill},
};
use crate::{
    openapi::ABOUT,
    routes::{Parameter, Reply, Route, RouteMethod, documented},
};

const PAGE: &str = include_str!("../../assets/reference.html");

/// Returns the page.
pub(crate) fn page() -> String {
    fill(
        PAGE,
        &[
            ("style", &url("page.css")),
            ("icon", &url("icon.svg")),
            ("version", env!("CARGO_PKG_VERSION")),
            ("about", &prose(ABOUT)),
            ("contents", &contents()),
            ("operations", &operations()),
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

/// Returns the documented routes under each heading.
fn sections() -> impl Iterator<Item = &'static [Route]> {
    documented().chunk_by(|one, next| one.tag == next.tag)
}

/// `/head/{input}` becomes `head-input`.
fn anchor(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}

fn contents() -> String {
    let entry = |route: &Route| {
        let (anchor, summary) = (anchor(route.pattern.text), route.summary);
        format!("<li><a href=\"#{anchor}\">{summary}</a></li>")
    };
    let section = |routes: &[Route]| {
        let entries: String = routes.iter().map(entry).collect();
        let (tag, anchor) = (routes[0].tag, anchor(routes[0].tag));
        format!("<li><a href=\"#{anchor}\">{tag}</a><ul>{entries}</ul></li>\n")
    };
    sections().map(section).collect()
}

fn operations() -> String {
    let section = |routes: &[Route]| {
        let articles: String = routes.iter().map(article).collect();
        let (tag, anchor) = (routes[0].tag, anchor(routes[0].tag));
        format!(
            "<section aria-labelledby=\"{anchor}\"><h2 id=\"{anchor}\">{tag}</h2>\n{articles}</section>\n"
        )
    };
    sections().map(section).collect()
}

fn article(route: &Route) -> String {
    let (anchor, summary) = (anchor(route.pattern.text), route.summary);
    let paths = route.pattern.paths();
    let forms: String = paths.iter().map(|path| form(route.method, path)).collect();
    let description = prose(route.description);
    let (parameters, responses) = (parameters(route), responses(route));
    format!(
        "<article class=\"operation\" aria-labelledby=\"{anchor}\">\n<h3 id=\"{anchor}\">{summary}</h3>\n\
         <ul class=\"forms\">{forms}</ul>\n<p>{description}</p>\n{parameters}{responses}</article>\n"
    )
}

/// A path with its parameters marked.
fn form(method: RouteMethod, path: &str) -> String {
    let method = match method {
        RouteMethod::Get => "GET",
        RouteMethod::Post => "POST",
    };
    let path = escape(path).replace('{', "<var>{").replace('}', "}</var>");
    format!("<li><code><b>{method}</b> {path}</code></li>")
}

fn parameters(route: &Route) -> String {
    if route.parameters.is_empty() {
        return String::new();
    }
    let row = |parameter: &Parameter| {
        let mark = match route.has_in_path(parameter) {
            true => "",
            false => "?",
        };
        let head = format!("{mark}{}", parameter.name);
        row(&head, &prose(&parameter.full_description()))
    };
    let rows = route.parameters.iter().map(row).collect::<String>();
    table("Parameter", "Meaning", &rows)
}

fn responses(route: &Route) -> String {
    let row = |reply: &Reply| {
        let media_types = reply.content.iter();
        let media_types = media_types.map(|(name, _)| format!(" <code>{name}</code>"));
        let text = prose(reply.description) + &media_types.collect::<String>();
        row(&reply.status.to_string(), &text)
    };
    let rows = route.replies.iter().map(row).collect::<String>();
    table("Status", "Response", &rows)
}

fn row(head: &str, text: &str) -> String {
    format!("<tr><th scope=\"row\"><code>{head}</code></th><td>{text}</td></tr>\n")
}

fn table(first: &str, second: &str, rows: &str) -> String {
    format!(
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">{first}</th>\
         <th scope=\"col\">{second}</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_every_path() {
        let page = page();
        assert!(!page.contains("{{"));
        for route in documented() {
            for path in route.pattern.paths() {
                assert!(page.contains(&form(route.method, &path)), "{path}");
            }
            let anchor = anchor(route.pattern.text);
            assert_eq!(page.matches(&format!(" id=\"{anchor}\"")).count(), 1);
            assert!(page.contains(&format!("href=\"#{anchor}\"")));
        }
    }

    #[test]
    fn code_is_between_backticks() {
        assert_eq!(prose("a `<b>` & c"), "a <code>&lt;b&gt;</code> &amp; c");
    }
}
