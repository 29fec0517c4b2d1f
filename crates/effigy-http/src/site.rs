//! The pages for people, from templates, and the files that they load.

pub(crate) mod assets;
pub(crate) mod landing;

use std::{
    collections::BTreeMap,
    sync::{LazyLock, OnceLock},
};

use effigy_parameters::{Family, Output, Parameter, find, parameters};
use effigy_render::{NamedPose, PictureSpec, Size, View};
use minijinja::{Environment, UndefinedBehavior, Value, syntax::SyntaxConfig, value::Serde};
use serde_json::json;

use crate::{
    openapi,
    respond::document::StaticDocument,
    routes::{VIEWS, escaped},
};

/// The media type of pages.
const HTML: &str = "text/html; charset=utf-8";

macro_rules! templates {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../assets/templates/", $name)))),*]
    };
}

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

/// A page with links that are relative to its URL, because a proxy may serve all this below a path
/// of its own. It is made once for each depth of the URL.
#[derive(Debug)]
pub(crate) struct FixedPage {
    make: fn(&str) -> StaticDocument,
    by_depth: [OnceLock<StaticDocument>; MAX_DEPTH],
}

/// The depths for which a page has relative links. Links in deeper ones begin at the host.
const MAX_DEPTH: usize = 6;

impl FixedPage {
    const fn new(make: fn(&str) -> StaticDocument) -> Self {
        Self {
            make,
            by_depth: [const { OnceLock::new() }; MAX_DEPTH],
        }
    }

    /// Returns the page for the path of a URL.
    pub(crate) fn at(&self, path: &str) -> &StaticDocument {
        let depth = depth(path).min(MAX_DEPTH - 1);
        self.by_depth[depth].get_or_init(|| (self.make)(&root_at(depth)))
    }
}

/// Returns the number of folders in a path.
fn depth(path: &str) -> usize {
    path.matches('/').count().saturating_sub(1)
}

/// Returns the way from a page at a depth to the root, without a slash at its end.
fn root_at(depth: usize) -> String {
    match depth {
        0 => ".".to_owned(),
        _ if depth >= MAX_DEPTH - 1 => String::new(),
        _ => vec![".."; depth].join("/"),
    }
}

/// Returns the way from the page at a path to the root, without a slash at its end.
pub(crate) fn root_of(path: &str) -> String {
    root_at(depth(path))
}

/// The page for a URL that no route has.
pub(crate) static NOT_FOUND_PAGE: FixedPage =
    FixedPage::new(|root| page("not_found.html", json!({ "root": root })));

/// Returns a page: the template of that name with these values.
fn page(template: &str, values: serde_json::Value) -> StaticDocument {
    let template = TEMPLATES.get_template(template);
    let page = template.and_then(|template| template.render(Serde(values)));
    StaticDocument::new(HTML, page.expect("the template has its values"))
}

/// The reference: the OpenAPI document as pages, that of the own routes and that of the URLs of
/// other services.
pub(crate) static REFERENCE: FixedPage = FixedPage::new(|root| reference(true, root));
pub(crate) static FAMILIES: FixedPage = FixedPage::new(|root| reference(false, root));

fn reference(is_main: bool, root: &str) -> StaticDocument {
    let values = json!({
        "root": root,
        "is_main": is_main,
        "api": *openapi::SOURCE,
        // Every service can draw each view of a preset head, also while Mojang does not answer.
        "views": views(Size::px(128)),
        // Many other paths have its parameters as well.
        "picture": "/v1/{view}/{player}",
        "picture_parameters": names(|parameter| parameter.belongs_to(Output::Texture)),
        "attributes": names(is_attribute),
        "motions": motions(),
        "routes_of": routes_of_namesakes(is_main),
    });
    page("reference.html", values)
}

/// Returns the paths of one page that have a parameter, by the key of the parameter. Only parameters
/// that share their name with another one of the page are there.
fn routes_of_namesakes(is_main: bool) -> BTreeMap<String, Vec<String>> {
    let mut routes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, key) in parameters_of_routes(is_main) {
        let paths = routes.entry(key.to_owned()).or_default();
        if !paths.contains(path) {
            paths.push(path.clone());
        }
    }
    let name = |key: &str| &openapi::SOURCE["components"]["parameters"][key]["name"];
    let keys: Vec<String> = routes.keys().cloned().collect();
    routes.retain(|key, _| {
        let mut others = keys.iter().filter(|other| *other != key);
        others.any(|other| name(other) == name(key))
    });
    routes
}

/// Returns the parameters of the routes of one page: each path with the key of a parameter.
fn parameters_of_routes(is_main: bool) -> Vec<(&'static String, &'static str)> {
    let paths = openapi::SOURCE["paths"].as_object();
    let mut pairs = Vec::new();
    for (path, methods) in paths.into_iter().flatten() {
        let word = path.split('/').nth(1).unwrap_or_default();
        if Family::find(word).is_none() != is_main {
            continue;
        }
        for route in methods.as_object().into_iter().flatten() {
            let keys = route.1["parameters"].as_array();
            for key in keys.into_iter().flatten() {
                pairs.push((path, key.as_str().unwrap_or_default()));
            }
        }
    }
    pairs
}

/// Returns the words of the poses that move.
fn motions() -> Vec<&'static str> {
    let moving = NamedPose::ALL.iter().filter(|pose| pose.is_moving());
    moving.map(|pose| pose.as_str()).collect()
}

/// Returns the names of some of the parameters.
fn names(is_included: impl Fn(&Parameter) -> bool) -> Vec<&'static str> {
    let included = parameters().filter(|parameter| is_included(parameter));
    included.map(|parameter| parameter.name).collect()
}

/// Returns `true` for a parameter that the element takes as an attribute without a meaning of its
/// own.
fn is_attribute(parameter: &Parameter) -> bool {
    let is_own = ["size", "yaw", "pitch", "v"].contains(&parameter.name);
    parameter.belongs_to(Output::Texture) && !is_own
}

/// Returns the names of the views that a parameter changes, for the script.
fn views_with(name: &str) -> String {
    let mut words = Vec::new();
    for (view, _) in VIEWS {
        if find(name).is_some_and(|parameter| parameter.affects(view)) {
            words.push(view.as_str());
        }
    }
    words.join(" ")
}

/// Returns the views for a page that shows a picture of each in this size.
fn views(size: Size) -> serde_json::Value {
    let view = |(view, title): (View, _)| {
        let spec = PictureSpec::new(view, size);
        json!({
            "name": view.as_str(),
            "title": title,
            "width": spec.width(),
            "height": spec.height(),
        })
    };
    VIEWS.into_iter().map(view).collect()
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

/// `/head/{player}` becomes `head-player`.
fn anchor(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}

#[cfg(test)]
mod tests {
    use hyper::HeaderMap;

    use super::*;

    fn html(page: &StaticDocument) -> String {
        let response = page.response(&HeaderMap::new());
        String::from_utf8(response.body().to_vec()).unwrap()
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(markdown("._A[b]"), ".\\_A\\[b\\]");
        // Text between backticks is code.
        let html = prose("\"a\" `<b>` & c").to_string();
        assert_eq!(html, "&quot;a&quot; <code>&lt;b&gt;</code> &amp; c");
    }

    #[test]
    fn every_path_is_on_one_page_once() {
        let pages = [REFERENCE.at("/docs"), FAMILIES.at("/docs/families")].map(html);
        assert!(pages.iter().all(|html| !html.contains("{{")));
        let paths = openapi::SOURCE["paths"].as_object().unwrap();
        for path in paths.keys() {
            let id = format!(" id=\"{}\"", anchor(path));
            let word = path.split('/').nth(1).unwrap();
            let is_family = Family::find(word).is_some();
            let expected = [usize::from(!is_family), usize::from(is_family)];
            let ids = [0, 1].map(|page: usize| pages[page].matches(&id).count());
            assert_eq!(ids, expected, "{path}");
        }
    }

    #[test]
    fn links_are_relative_to_the_path() {
        let rows = [
            ("/docs", "."),
            ("/docs/", ".."),
            ("/docs/families", ".."),
            ("/a/b/c/", "../../.."),
            ("/a/b/c/d/e/f/g", ""),
        ];
        for (path, root) in rows {
            assert_eq!(root_at(depth(path).min(MAX_DEPTH - 1)), root, "{path}");
            let html = html(NOT_FOUND_PAGE.at(path));
            assert!(html.contains(&format!("href=\"{root}/docs\"")), "{path}");
            assert!(html.contains(&format!("src=\"{root}/assets/")), "{path}");
        }
    }

    #[test]
    fn links_lead_to_one_place() {
        for page in [REFERENCE.at("/docs"), FAMILIES.at("/docs/families")] {
            let html = html(page);
            let links = html.split("href=\"#").skip(1);
            for link in links.map(|rest| rest.split('"').next().unwrap()) {
                let places = html.matches(&format!(" id=\"{link}\"")).count();
                assert_eq!(places, 1, "{link}");
            }
        }
    }

    #[test]
    fn parameters_of_one_name_say_their_routes() {
        let html = html(REFERENCE.at("/docs"));
        let text = |id: &str| {
            let start = format!("<div id=\"parameter-{id}\">");
            let (_, rest) = html.split_once(&start).unwrap();
            rest.split("</dd>").next().unwrap().to_owned()
        };
        assert!(text("moving-size").contains("Of <code>/v1/{view}/{player}.{format}</code>."));
        assert!(text("cape-size").contains("Of <code>/v1/cape/{player}</code>."));
        assert!(text("path-size").contains("<code>/head/{player}/{size?}/{option?}</code>"));
        assert!(!text("cape-size").contains("/v1/sheet"));
        assert!(text("view").contains("<code>/v1/sheet</code>"));
        // There is one pose.
        assert!(!text("pose").contains("Of <code>"), "{}", text("pose"));
    }

    #[test]
    fn every_view_is_on_the_page() {
        let is_on_the_page = |view: &View| VIEWS.iter().any(|(known, _)| known == view);
        assert!(View::ALL.iter().all(is_on_the_page));
    }
}
