//! The interface as a page to read.

use std::fmt::Write;

use super::{ABOUT, Operation, operations::operations, parameters::Parameter};

use crate::{
    site::assets::address,
    site::template::{escape, fill},
};

const PAGE: &str = include_str!("../../assets/reference.html");

/// The whole page.
pub(super) fn page() -> String {
    fill(
        PAGE,
        &[
            ("style", &address("page.css")),
            ("icon", &address("icon.svg")),
            ("version", env!("CARGO_PKG_VERSION")),
            ("about", &prose(ABOUT)),
            ("contents", &contents()),
            ("operations", &sections()),
        ],
    )
}

/// Text with code between backticks.
fn prose(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    let pieces = pieces.map(|(at, piece)| match at % 2 {
        0 => escape(piece),
        _ => format!("<code>{}</code>", escape(piece)),
    });
    pieces.collect()
}

/// The headings, in their order.
fn tags() -> Vec<&'static str> {
    let mut tags: Vec<&str> = operations().map(|operation| operation.tag).collect();
    tags.dedup();
    tags
}

fn of_tag(tag: &str) -> impl Iterator<Item = &'static Operation> {
    operations().filter(move |operation| operation.tag == tag)
}

/// `/head/{input}` becomes `head-input`.
fn anchor(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}

fn contents() -> String {
    let mut html = String::new();
    for tag in tags() {
        // Writing to a text does not fail.
        let _ = write!(html, "<li><a href=\"#{}\">{tag}</a><ul>", anchor(tag));
        for operation in of_tag(tag) {
            let (anchor, summary) = (anchor(operation.path), operation.summary);
            let _ = write!(html, "<li><a href=\"#{anchor}\">{summary}</a></li>");
        }
        html.push_str("</ul></li>\n");
    }
    html
}

fn sections() -> String {
    let section = |tag: &str| {
        let operations: String = of_tag(tag).map(section_of).collect();
        let anchor = anchor(tag);
        format!(
            "<section aria-labelledby=\"{anchor}\"><h2 id=\"{anchor}\">{tag}</h2>\n{operations}</section>\n"
        )
    };
    tags().into_iter().map(section).collect()
}

fn section_of(operation: &Operation) -> String {
    let method = if operation.takes_skin { "POST" } else { "GET" };
    let (anchor, summary) = (anchor(operation.path), operation.summary);
    let forms: String = operation
        .paths()
        .iter()
        .map(|path| form(method, path))
        .collect();
    let description = prose(operation.description);
    let parameters = parameters(operation);
    let replies = replies(operation);
    format!(
        "<article class=\"operation\" aria-labelledby=\"{anchor}\">\n<h3 id=\"{anchor}\">{summary}</h3>\n\
         <ul class=\"forms\">{forms}</ul>\n<p>{description}</p>\n{parameters}{replies}</article>\n"
    )
}

/// A form of the path with its parameters set off.
fn form(method: &str, path: &str) -> String {
    let path = escape(path).replace('{', "<var>{").replace('}', "}</var>");
    format!("<li><code><b>{method}</b> {path}</code></li>")
}

fn parameters(operation: &Operation) -> String {
    let mut all = Operation::path_parameters(operation.path);
    all.extend(operation.query);
    if all.is_empty() {
        return String::new();
    }
    let row = |parameter: &Parameter| {
        let (name, description) = (parameter.name, prose(parameter.description));
        let place = if operation.query.contains(parameter) {
            "?"
        } else {
            ""
        };
        format!(
            "<tr><th scope=\"row\"><code>{place}{name}</code></th><td>{description}</td></tr>\n"
        )
    };
    let rows: String = all.iter().map(row).collect();
    table("Parameter", "Meaning", &rows)
}

fn replies(operation: &Operation) -> String {
    let replies = operation.replies.iter().flat_map(|reply| reply.responses());
    let mut rows = String::new();
    for reply in replies {
        let (status, description) = (reply.status, prose(reply.description));
        let media_types = reply.content.iter();
        let body: String = media_types
            .map(|(media_type, _)| format!(" <code>{media_type}</code>"))
            .collect();
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\"><code>{status}</code></th><td>{description}{body}</td></tr>"
        );
    }
    table("Status", "Answer", &rows)
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
    fn the_page_has_every_operation() {
        let page = page();
        assert!(!page.contains("{{"));
        for operation in operations() {
            for path in operation.paths() {
                assert!(
                    page.contains(&form("", path)["<li><code><b></b>".len()..]),
                    "{path}"
                );
            }
            assert!(page.contains(&format!("href=\"#{}\"", anchor(operation.path))));
        }
    }

    #[test]
    fn code_is_between_backticks() {
        assert_eq!(prose("a `<b>` & c"), "a <code>&lt;b&gt;</code> &amp; c");
    }
}
