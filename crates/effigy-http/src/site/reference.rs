//! The pages of the reference, which are made from the OpenAPI document.

use std::collections::BTreeMap;

use effigy_parameters::{Family, Output, Parameter, parameters};
use effigy_render::{NamedPose, Size};
use serde_json::{Value, json};

use super::templates::{page, views};
use crate::{openapi, respond::document::StaticDocument};

/// The routes that a page of the reference documents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RoutesOf {
    Effigy,
    /// The services whose URLs work here.
    Families,
}

/// Returns a page of the reference. `root` is the relative URL of the root.
pub(super) fn reference(routes_of: RoutesOf, root: &str) -> StaticDocument {
    let values = json!({
        "root": root,
        "is_main": routes_of == RoutesOf::Effigy,
        "api": *openapi::SOURCE,
        // The pictures show a preset head, which every service can draw, also during an outage.
        "views": views(Size::px(128)),
        // Many other paths have all parameters of this one.
        "picture": "/v1/{view}/{player}",
        "picture_parameters": names(|parameter| parameter.belongs_to(Output::Texture)),
        "attributes": names(is_attribute),
        "motions": motions(),
        "routes_of": routes_of_namesakes(routes_of),
    });
    page("reference.html", values)
}

/// Returns the names of some of the parameters.
fn names(is_included: impl Fn(&Parameter) -> bool) -> Vec<&'static str> {
    let included = parameters().filter(|parameter| is_included(parameter));
    included.map(|parameter| parameter.name).collect()
}

/// Returns `true` for a parameter that is also an attribute of the element. Attributes with a
/// meaning of their own are explained on the page itself.
fn is_attribute(parameter: &Parameter) -> bool {
    let has_own_meaning = ["size", "yaw", "pitch", "v"].contains(&parameter.name);
    parameter.belongs_to(Output::Texture) && !has_own_meaning
}

/// Returns the words of the poses that move.
fn motions() -> Vec<&'static str> {
    let moving = NamedPose::ALL.iter().filter(|pose| pose.is_moving());
    moving.map(|pose| pose.as_str()).collect()
}

/// Returns the paths that have a parameter, by the key of the parameter. Only parameters that share
/// their name with another one of the page are listed.
fn routes_of_namesakes(routes_of: RoutesOf) -> BTreeMap<String, Vec<&'static str>> {
    let mut routes: BTreeMap<String, Vec<&'static str>> = BTreeMap::new();
    for PathParameter { path, key } in path_parameters(routes_of) {
        let paths = routes.entry(key.to_owned()).or_default();
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let keys: Vec<String> = routes.keys().cloned().collect();
    routes.retain(|key, _| {
        let mut others = keys.iter().filter(|other| *other != key);
        others.any(|other| name_of(other) == name_of(key))
    });
    routes
}

/// Returns the name of a parameter with this key in the document.
fn name_of(key: &str) -> &'static Value {
    &openapi::SOURCE["components"]["parameters"][key]["name"]
}

/// A path that has a parameter.
struct PathParameter {
    path: &'static str,
    /// The key of the parameter in the document.
    key: &'static str,
}

fn path_parameters(routes_of: RoutesOf) -> Vec<PathParameter> {
    let mut found = Vec::new();
    for route in openapi::routes() {
        let word = route.path.split('/').nth(1).unwrap_or_default();
        let is_family = Family::find(word).is_some();
        if is_family == (routes_of == RoutesOf::Families) {
            for key in route.parameter_keys() {
                found.push(PathParameter {
                    path: route.path,
                    key,
                });
            }
        }
    }
    found
}
