//! The reference at `/docs` and, for the URLs of other services, `/docs/families`: the OpenAPI document as
//! pages.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use effigy_render::Size;
use serde_json::{Value, json};

use super::{page_params::views, template};
use crate::{
    openapi::{self, Component, Route},
    respond::file::StaticDocument,
    routes::{DocPage, PICTURE_PARAMETERS},
};

/// The path whose parameters many others have as well.
const PICTURE: &str = "/v1/{view}/{player}";

const ABOUT_FAMILIES: &str = "URLs of other services work here under a prefix, so a page or a plugin needs only another \
    base URL: `https://crafatar.com/avatars/…` becomes `/crafatar/avatars/…` of this service. Effigy draws the pictures.";

static PAGES: LazyLock<[StaticDocument; 2]> =
    LazyLock::new(|| [DocPage::Main, DocPage::Families].map(page));

/// Returns a page of the reference.
pub(crate) fn reference(page: DocPage) -> &'static StaticDocument {
    &PAGES[page as usize]
}

fn page(page: DocPage) -> StaticDocument {
    let (heading, about, views) = match page {
        // Every service can draw each view of a preset head, also while Mojang does not answer.
        DocPage::Main => ("Reference", openapi::about(), views(Size::px(128))),
        DocPage::Families => ("Migrating", ABOUT_FAMILIES, Value::Null),
    };
    let is_family = page == DocPage::Families;
    let routes = openapi::routes().filter(|route| route.is_of_family() == is_family);
    let routes: Vec<Route> = routes.collect();
    let mut explained = BTreeSet::new();
    let sections = routes.chunk_by(|one, next| one.tag() == next.tag());
    let section = |routes: &[Route]| {
        json!({
            "tag": routes[0].tag(),
            "routes": routes.iter().map(article).collect::<Value>(),
            "parameters": parameters(routes, &mut explained),
        })
    };
    template::page(
        "reference.html",
        json!({
            "heading": heading,
            "about": about,
            "views": views,
            "picture": PICTURE,
            "sections": sections.map(section).collect::<Value>(),
            "responses": responses(&routes),
        }),
    )
}

/// Returns a route, with its own parameters apart from those that it shares with a picture.
fn article(route: &Route) -> Value {
    let is_of_picture = |parameter: &Component| PICTURE_PARAMETERS.contains(&parameter.id);
    let is_like_picture = route.path != PICTURE && route.parameters().any(|p| is_of_picture(&p));
    let own = route.parameters();
    let own = own.filter(|parameter| !is_like_picture || !is_of_picture(parameter));
    let mut article = json!(route);
    article["parameters"] = json!(own.collect::<Vec<_>>());
    article["is_like_picture"] = is_like_picture.into();
    article["success"] = json!(
        route
            .responses()
            .find(|response| response.status() == "200")
    );
    article
}

/// Returns the meanings of the parameters that are not `explained` yet.
fn parameters(routes: &[Route], explained: &mut BTreeSet<&'static str>) -> Vec<Component> {
    let parameters = routes.iter().flat_map(|route| route.parameters());
    let by_name: BTreeMap<_, _> = parameters
        .filter(|parameter| !explained.contains(parameter.id))
        .map(|parameter| ((parameter.text("name"), parameter.id), parameter))
        .collect();
    explained.extend(by_name.keys().map(|(_, id)| *id));
    by_name.into_values().collect()
}

/// Returns all responses but 200, whose responses are those of the routes.
fn responses(routes: &[Route]) -> Vec<Component> {
    let responses = routes.iter().flat_map(|route| route.responses());
    let responses = responses.filter(|response| response.status() != "200");
    let by_id: BTreeMap<_, _> = responses.map(|response| (response.id, response)).collect();
    by_id.into_values().collect()
}

#[cfg(test)]
mod tests {
    use hyper::HeaderMap;

    use super::*;
    use crate::site::template::anchor;

    fn html(page: DocPage) -> String {
        let response = reference(page).response(&HeaderMap::new());
        String::from_utf8(response.body().bytes().unwrap().to_vec()).unwrap()
    }

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
}
