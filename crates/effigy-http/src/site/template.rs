//! Templates of HTML.

use std::sync::LazyLock;

use minijinja::{Environment, UndefinedBehavior, Value, syntax::SyntaxConfig, value::Serde};
use serde::Serialize;

use super::{assets, page_params::views_with};
use crate::{respond::document::StaticDocument, routes::escaped};

/// The media type of pages.
const HTML: &str = "text/html; charset=utf-8";

macro_rules! templates {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../assets/templates/", $name)))),*]
    };
}

static TEMPLATES: LazyLock<Environment<'_>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    let mut syntax = SyntaxConfig::builder();
    let syntax = syntax.trim_blocks(true).lstrip_blocks(true).build();
    templates.set_syntax(syntax.expect("the delimiters are the usual ones"));
    // The library's own way escapes slashes too, of which URLs are full.
    templates.set_formatter(|out, _, value| match value.as_str() {
        Some(text) if !value.is_safe() => Ok(out.write_str(&escape(text))?),
        _ => Ok(write!(out, "{value}")?),
    });
    templates.add_global("version", env!("CARGO_PKG_VERSION"));
    templates.add_function("asset", assets::url);
    templates.add_function("views_with", views_with);
    templates.add_filter("anchor", anchor);
    templates.add_filter("escape", escape);
    templates.add_filter("prose", prose);
    templates.add_filter("url", |text: &str| escaped(text));
    for (name, source) in templates!("foot.html" "head.html" "limits.html" "not_found.html" "page.html" "reference.html" "top.html")
    {
        let added = templates.add_template(name, source);
        added.expect("the template is well-formed");
    }
    templates
});

/// The page for a URL that no route has.
pub(crate) static NOT_FOUND_PAGE: LazyLock<StaticDocument> =
    LazyLock::new(|| page("not_found.html", ()));

/// Returns a page: the template of that name with these values.
pub(super) fn page(template: &str, values: impl Serialize) -> StaticDocument {
    let template = TEMPLATES.get_template(template);
    let page = template.and_then(|template| template.render(Serde(values)));
    StaticDocument::new(HTML, page.expect("the template has its values"))
}

/// Escapes a text for an element or an attribute in double quotes.
fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// Marks what is between backticks as code.
fn prose(text: &str) -> Value {
    let pieces = text.split('`').enumerate();
    let pieces = pieces.map(|(at, piece)| match at % 2 {
        0 => escape(piece),
        _ => format!("<code>{}</code>", escape(piece)),
    });
    Value::from_safe_string(pieces.collect())
}

/// `/head/{player}` becomes `head-player`.
pub(super) fn anchor(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        let escaped = escape("<script>alert(\"&'\")</script>");
        assert_eq!(
            escaped,
            "&lt;script&gt;alert(&quot;&amp;'&quot;)&lt;/script&gt;"
        );
    }

    #[test]
    fn code_is_between_backticks() {
        let html = prose("a `<b>` & c").to_string();
        assert_eq!(html, "a <code>&lt;b&gt;</code> &amp; c");
    }
}
