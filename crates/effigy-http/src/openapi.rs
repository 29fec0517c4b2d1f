//! The OpenAPI document, which is also the source of the reference.
//!
//! `assets/openapi.json` has it in a shorter form: `{size?}` in a path may be left out, so that the route has
//! several paths, and an operation lists its parameters and responses by their names among the components.
//! The first three characters of a response's name are the status.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::respond::document::StaticDocument;

/// The document in its shorter form.
pub(crate) static SOURCE: LazyLock<Value> = LazyLock::new(|| {
    let source = include_str!("../assets/openapi.json");
    serde_json::from_str(source).expect("the file is JSON")
});

/// The document at `/openapi.json`.
pub(crate) static DOCUMENT: LazyLock<StaticDocument> =
    LazyLock::new(|| StaticDocument::new("application/json", document().to_string()));

/// A documented route.
#[derive(Debug, Clone, Copy)]
struct Route {
    /// The path with its parameters, as in `/head/{player}/{size?}`.
    path: &'static str,
    /// The method in lower case.
    method: &'static str,
    operation: &'static Value,
}

/// Returns all routes, in the order of the file.
fn routes() -> impl Iterator<Item = Route> {
    fields(&SOURCE["paths"]).flat_map(|(path, methods)| {
        fields(methods).map(move |(method, operation)| Route {
            path,
            method,
            operation,
        })
    })
}

impl Route {
    /// Returns the paths without and with each optional parameter, each with the names of those it has.
    fn paths(self) -> impl Iterator<Item = (String, Vec<&'static str>)> {
        let segments: Vec<&str> = self.path.split('/').collect();
        let required = segments.len() - self.path.matches("?}").count();
        (required..=segments.len()).map(move |count| {
            let path = segments[..count].join("/").replace("?}", "}");
            let optional = segments[required..count].iter();
            let names = optional.map(|segment| segment.trim_matches(['{', '?', '}']));
            (path, names.collect())
        })
    }

    /// Returns the operation at one of its paths.
    fn operation(self, path: &str, optional: &[&str]) -> Value {
        let reference = |place, id| json!({ "$ref": format!("#/components/{place}/{id}") });
        let is_here = |id: &&str| {
            let parameter = &SOURCE["components"]["parameters"][id];
            let place = format!("{{{}}}", text(&parameter["name"]));
            parameter["in"] == "query" || path.contains(&place)
        };
        let parameters = texts(&self.operation["parameters"]).filter(is_here);
        let responses = texts(&self.operation["responses"]);
        let responses = responses.map(|id| (id[..3].to_owned(), reference("responses", id)));
        let id = [&[text(&self.operation["operationId"])], optional].concat();
        let mut operation = self.operation.clone();
        operation["operationId"] = id.join("_").into();
        operation["parameters"] = parameters
            .map(|name| reference("parameters", name))
            .collect();
        operation["responses"] = responses.collect::<Map<_, _>>().into();
        operation
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

fn fields(value: &'static Value) -> impl Iterator<Item = (&'static str, &'static Value)> {
    let fields = value.as_object().into_iter().flatten();
    fields.map(|(name, field)| (name.as_str(), field))
}

fn texts(value: &'static Value) -> impl Iterator<Item = &'static str> {
    value.as_array().into_iter().flatten().map(text)
}

fn text(value: &'static Value) -> &'static str {
    value.as_str().unwrap_or_default()
}
