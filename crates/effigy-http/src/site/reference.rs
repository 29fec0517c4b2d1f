//! The reference at `/docs` and, for the URLs of other services, `/docs/families`: the OpenAPI document as
//! pages.

use std::sync::LazyLock;

use effigy_render::Size;
use serde_json::json;

use super::{page_params::views, template};
use crate::{
    openapi,
    respond::document::StaticDocument,
    routes::{DocPage, PICTURE_PARAMETERS},
};

/// The path whose parameters many others have as well.
const PICTURE: &str = "/v1/{view}/{player}";

static PAGES: LazyLock<[StaticDocument; 2]> =
    LazyLock::new(|| [DocPage::Main, DocPage::Families].map(page));

/// Returns a page of the reference.
pub(crate) fn reference(page: DocPage) -> &'static StaticDocument {
    &PAGES[page as usize]
}

fn page(page: DocPage) -> StaticDocument {
    let values = json!({
        "is_main": page == DocPage::Main,
        "api": *openapi::SOURCE,
        // Every service can draw each view of a preset head, also while Mojang does not answer.
        "views": views(Size::px(128)),
        "picture": PICTURE,
        "picture_parameters": PICTURE_PARAMETERS,
    });
    template::page("reference.html", values)
}

#[cfg(test)]
mod tests {
    use hyper::HeaderMap;

    use super::*;
    use crate::site::template::anchor;

    fn html(page: DocPage) -> String {
        let response = reference(page).response(&HeaderMap::new());
        String::from_utf8(response.body().bytes.to_vec()).unwrap()
    }

    #[test]
    fn every_path_is_on_one_page_once() {
        let pages = [DocPage::Main, DocPage::Families].map(html);
        assert!(pages.iter().all(|html| !html.contains("{{")));
        let paths = openapi::SOURCE["paths"].as_object().unwrap();
        for path in paths.keys() {
            let id = format!(" id=\"{}\"", anchor(path));
            let is_family = ["/crafatar/", "/minotar/", "/mc-heads/"]
                .iter()
                .any(|family| path.starts_with(family));
            let expected = [usize::from(!is_family), usize::from(is_family)];
            let ids = [0, 1].map(|page: usize| pages[page].matches(&id).count());
            assert_eq!(ids, expected, "{path}");
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
}
