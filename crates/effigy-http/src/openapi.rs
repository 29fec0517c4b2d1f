//! The OpenAPI document, which is also the source of the reference.
//!
//! `assets/openapi.json` has it in a shorter form: `{size?}` in a path may be left out, so that the route has
//! several paths, and an operation lists its parameters and responses by their names among the components.
//! The first three characters of a response's name are the status.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::respond::file::StaticDocument;

/// The document in its shorter form.
static SOURCE: LazyLock<Value> = LazyLock::new(|| {
    let source = include_str!("../assets/openapi.json");
    serde_json::from_str(source).expect("the file is JSON")
});

/// The document at `/openapi.json`.
pub(crate) static DOCUMENT: LazyLock<StaticDocument> =
    LazyLock::new(|| StaticDocument::new("application/json", document().to_string()));

/// A documented route.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Route {
    /// The path with its parameters, as in `/head/{player}/{size?}`.
    pub(crate) path: &'static str,
    /// The method in lower case.
    pub(crate) method: &'static str,
    #[serde(flatten)]
    operation: &'static Value,
}

/// A parameter or a response of a route.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Component {
    /// Its name among the components.
    pub(crate) id: &'static str,
    #[serde(flatten)]
    value: &'static Value,
}

/// Returns all routes, in the order of the file.
pub(crate) fn routes() -> impl Iterator<Item = Route> {
    fields(&SOURCE["paths"]).flat_map(|(path, methods)| {
        fields(methods).map(move |(method, operation)| Route {
            path,
            method,
            operation,
        })
    })
}

/// Returns the description of the whole interface.
pub(crate) fn about() -> &'static str {
    text(&SOURCE["info"]["description"])
}

impl Route {
    pub(crate) fn tag(self) -> &'static str {
        text(&self.operation["tags"][0])
    }

    /// Returns `true` for the URLs of another service.
    pub(crate) fn is_of_family(self) -> bool {
        let mut tags = SOURCE["tags"].as_array().into_iter().flatten();
        tags.any(|tag| tag["name"] == self.tag() && tag["x-page"] == "families")
    }

    /// Returns the text of a field, such as the summary.
    pub(crate) fn text(self, field: &str) -> &'static str {
        text(&self.operation[field])
    }

    pub(crate) fn parameters(self) -> impl Iterator<Item = Component> {
        components("parameters", &self.operation["parameters"])
    }

    pub(crate) fn responses(self) -> impl Iterator<Item = Component> {
        components("responses", &self.operation["responses"])
    }

    /// Returns the paths without and with each optional parameter, each with the names of those it has.
    fn paths(self) -> impl Iterator<Item = (String, Vec<&'static str>)> {
        let segments: Vec<&str> = self.path.split('/').collect();
        let required = segments.len() - self.path.matches("?}").count();
        (required..=segments.len()).map(move |count| {
            let optional = segments[required..count].iter();
            let names = optional.map(|segment| segment.trim_matches(['{', '?', '}']));
            (
                segments[..count].join("/").replace("?}", "}"),
                names.collect(),
            )
        })
    }

    /// Returns the operation at one of its paths.
    fn operation(self, path: &str, optional: &[&str]) -> Value {
        let reference =
            |place: &str, id: &str| json!({ "$ref": format!("#/components/{place}/{id}") });
        let is_here = |parameter: &Component| {
            parameter.is_in_query() || path.contains(&format!("{{{}}}", parameter.text("name")))
        };
        let parameters = self.parameters().filter(is_here);
        let parameters = parameters.map(|parameter| reference("parameters", parameter.id));
        let responses = self.responses();
        let responses = responses.map(|response| {
            let status = response.status().to_owned();
            (status, reference("responses", response.id))
        });
        let id = [&[self.text("operationId")], optional].concat();
        let mut operation = self.operation.clone();
        operation["operationId"] = id.join("_").into();
        operation["parameters"] = parameters.collect();
        operation["responses"] = responses.collect::<Map<_, _>>().into();
        operation
    }
}

impl Component {
    /// Returns the text of a field, such as the name of a parameter.
    pub(crate) fn text(self, field: &str) -> &'static str {
        text(&self.value[field])
    }

    pub(crate) fn is_in_query(self) -> bool {
        self.text("in") == "query"
    }

    /// Returns the status of a response.
    pub(crate) fn status(self) -> &'static str {
        &self.id[..3]
    }
}

/// Returns the document in the form that the standard has.
fn document() -> Value {
    let paths = routes().flat_map(|route| {
        route.paths().map(move |(path, optional)| {
            let operation = route.operation(&path, &optional);
            (path, json!({ route.method: operation }))
        })
    });
    let mut document = SOURCE.clone();
    document["paths"] = paths.collect::<Map<_, _>>().into();
    document["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    document
}

/// Returns the components of these names. A test checks that there are components with them.
fn components(place: &'static str, ids: &'static Value) -> impl Iterator<Item = Component> {
    let ids = ids.as_array().into_iter().flatten().map(text);
    ids.map(move |id| Component {
        id,
        value: &SOURCE["components"][place][id],
    })
}

fn fields(value: &'static Value) -> impl Iterator<Item = (&'static str, &'static Value)> {
    let fields = value.as_object().into_iter().flatten();
    fields.map(|(name, value)| (name.as_str(), value))
}

fn text(value: &'static Value) -> &'static str {
    value.as_str().unwrap_or_default()
}
