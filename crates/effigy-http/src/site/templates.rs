//! The templates of the pages, and the functions that they call.

use std::sync::LazyLock;

use effigy_parameters::find;
use effigy_render::{PictureSpec, Size};
use minijinja::{Environment, UndefinedBehavior, Value, syntax::SyntaxConfig, value::Serde};
use serde_json::json;

use super::assets;
use crate::{
    respond::document::StaticDocument,
    routes::{VIEWS, escaped},
};

macro_rules! templates {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../assets/templates/", $name)))),*]
    };
}

/// The templates by their names.
static TEMPLATES: LazyLock<Environment<'_>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    let mut syntax = SyntaxConfig::builder();
    let syntax = syntax.trim_blocks(true).lstrip_blocks(true).build();
    templates.set_syntax(syntax.expect("the delimiters are the usual ones"));
    // The library's own formatter escapes slashes too, and URLs are full of them.
    templates.set_formatter(|out, _, value| match value.as_str() {
        Some(text) if !value.is_safe() => Ok(out.write_str(&escape(text))?),
        _ => Ok(write!(out, "{value}")?),
    });
    templates.add_global("version", env!("CARGO_PKG_VERSION"));
    templates.add_function("asset", assets::url);
    templates.add_function("views_with", views_with);
    templates.add_filter("anchor", anchor);
    templates.add_filter("escape", escape);
    templates.add_filter("markdown", markdown);
    templates.add_filter("prose", prose);
    templates.add_filter("url", |text: &str| escaped(text));
    let sources = templates!(
        "foot.html" "head.html" "limits.html" "not_found.html" "page.html" "reference.html"
        "top.html"
    );
    for (name, source) in sources {
        let added = templates.add_template(name, source);
        added.expect("the template is well-formed");
    }
    templates
});

/// Returns a page: a template with these values.
pub(super) fn page(template: &str, values: serde_json::Value) -> StaticDocument {
    let template = TEMPLATES.get_template(template);
    let page = template.and_then(|template| template.render(Serde(values)));
    let html = page.expect("the template has its values");
    StaticDocument::new("text/html; charset=utf-8", html)
}

/// Returns the views for a page that shows a picture of each in this size.
pub(super) fn views(size: Size) -> serde_json::Value {
    let mut views = Vec::new();
    for (view, title) in VIEWS {
        let spec = PictureSpec::new(view, size);
        views.push(json!({
            "name": view.as_str(),
            "title": title,
            "width": spec.width(),
            "height": spec.height(),
        }));
    }
    views.into()
}

/// Returns the names of the views that a parameter changes, with spaces between them.
fn views_with(name: &str) -> String {
    let mut words = Vec::new();
    for (view, _) in VIEWS {
        if find(name).is_some_and(|parameter| parameter.affects(view)) {
            words.push(view.as_str());
        }
    }
    words.join(" ")
}

/// Returns the id of a section: `/head/{player}` becomes `head-player`.
pub(super) fn anchor(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}

/// Escapes a text for an element or an attribute in double quotes.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Escapes a text for Markdown.
fn markdown(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if "\\[]_*`<>~".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// Escapes a text for an element, and marks the parts between backticks as code.
fn prose(text: &str) -> Value {
    let mut html = String::new();
    for (at, piece) in text.split('`').enumerate() {
        let is_code = at % 2 == 1;
        if is_code {
            html.push_str(&format!("<code>{}</code>", escape(piece)));
        } else {
            html.push_str(&escape(piece));
        }
    }
    Value::from_safe_string(html)
}

#[cfg(test)]
mod tests {
    use effigy_render::View;

    use super::*;

    #[test]
    fn markdown_is_escaped() {
        assert_eq!(markdown("._A[b]"), ".\\_A\\[b\\]");
    }

    #[test]
    fn text_between_backticks_is_code() {
        let html = prose("\"a\" `<b>` & c").to_string();
        assert_eq!(html, "&quot;a&quot; <code>&lt;b&gt;</code> &amp; c");
    }

    #[test]
    fn every_view_is_on_the_pages() {
        for view in View::ALL {
            assert!(VIEWS.iter().any(|(known, _)| known == view), "{view}");
        }
    }
}
