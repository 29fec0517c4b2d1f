//! The pages for people, from templates, and the files that they load.

pub(crate) mod assets;
pub(crate) mod landing;
mod reference;
mod templates;

use std::sync::OnceLock;

use serde_json::json;

use self::{
    reference::{RoutesOf, reference},
    templates::page,
};
use crate::respond::document::StaticDocument;

/// The page for a URL that no route has.
pub(crate) static NOT_FOUND_PAGE: FixedPage =
    FixedPage::new(|root| page("not_found.html", json!({ "root": root })));

/// The reference of our own routes.
pub(crate) static REFERENCE: FixedPage = FixedPage::new(|root| reference(RoutesOf::Effigy, root));

/// The reference of the URLs of other services.
pub(crate) static FAMILIES: FixedPage = FixedPage::new(|root| reference(RoutesOf::Families, root));

/// The number of depths for which a page has relative links. Deeper pages have links that begin at
/// the root of the host.
const MAX_DEPTH: usize = 6;

/// A page that is the same for all visitors. Its links are relative, because a proxy may serve all
/// pages below a path of its own, so the page is made once for each depth of its URL.
#[derive(Debug)]
pub(crate) struct FixedPage {
    make: fn(&str) -> StaticDocument,
    by_depth: [OnceLock<StaticDocument>; MAX_DEPTH],
}

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

/// Returns the relative URL of the root for the page at a path, without a slash at its end.
pub(crate) fn root_of(path: &str) -> String {
    root_at(depth(path))
}

/// Returns the number of folders in a path.
fn depth(path: &str) -> usize {
    path.matches('/').count().saturating_sub(1)
}

/// Returns the relative URL of the root for a page at a depth, without a slash at its end.
fn root_at(depth: usize) -> String {
    if depth == 0 {
        return ".".to_owned();
    }
    if depth >= MAX_DEPTH - 1 {
        return String::new();
    }
    vec![".."; depth].join("/")
}

#[cfg(test)]
mod tests {
    use effigy_parameters::Family;
    use hyper::HeaderMap;

    use super::{templates::anchor, *};
    use crate::openapi;

    fn html(page: &StaticDocument) -> String {
        let response = page.response(&HeaderMap::new());
        String::from_utf8(response.body().to_vec()).unwrap()
    }

    #[test]
    fn every_documented_path_is_on_one_page() {
        let reference = html(REFERENCE.at("/docs"));
        let families = html(FAMILIES.at("/docs/families"));
        let paths = openapi::SOURCE["paths"].as_object().unwrap();
        for path in paths.keys() {
            let id = format!(" id=\"{}\"", anchor(path));
            let word = path.split('/').nth(1).unwrap();
            let (own, other) = if Family::find(word).is_some() {
                (&families, &reference)
            } else {
                (&reference, &families)
            };
            assert_eq!(own.matches(&id).count(), 1, "{path}");
            assert_eq!(other.matches(&id).count(), 0, "{path}");
        }
    }

    #[test]
    fn templates_are_filled_in() {
        for page in [REFERENCE.at("/docs"), FAMILIES.at("/docs/families")] {
            assert!(!html(page).contains("{{"));
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
            assert_eq!(root_of(path), root, "{path}");
            let html = html(NOT_FOUND_PAGE.at(path));
            assert!(html.contains(&format!("href=\"{root}/docs\"")), "{path}");
            assert!(html.contains(&format!("src=\"{root}/assets/")), "{path}");
        }
    }

    #[test]
    fn links_within_a_page_lead_to_one_place() {
        for page in [REFERENCE.at("/docs"), FAMILIES.at("/docs/families")] {
            let html = html(page);
            for rest in html.split("href=\"#").skip(1) {
                let (id, _) = rest.split_once('"').unwrap();
                let places = html.matches(&format!(" id=\"{id}\"")).count();
                assert_eq!(places, 1, "{id}");
            }
        }
    }

    /// Returns the explanation of a parameter on the page of the reference.
    fn explanation(id: &str) -> String {
        let html = html(REFERENCE.at("/docs"));
        let start = format!("<div id=\"parameter-{id}\">");
        let (_, rest) = html.split_once(&start).unwrap();
        let (text, _) = rest.split_once("</dd>").unwrap();
        text.to_owned()
    }

    #[test]
    fn parameters_of_one_name_list_their_routes() {
        let moving = "Of <code>/v1/{view}/{player}.{format}</code>.";
        assert!(explanation("moving-size").contains(moving));
        let cape = "Of <code>/v1/cape/{player}</code>.";
        assert!(explanation("cape-size").contains(cape));
        let specified = "<code>/head/{player}/{size?}/{option?}</code>";
        assert!(explanation("path-size").contains(specified));
        assert!(explanation("view").contains("<code>/v1/sheet</code>"));
    }

    #[test]
    fn parameter_with_a_name_of_its_own_lists_no_routes() {
        assert!(!explanation("pose").contains("Of <code>"));
    }
}
