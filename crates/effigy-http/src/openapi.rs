//! The OpenAPI document, which is also the source of the reference.
//!
//! `assets/openapi.json` is a shorter form of it:
//!
//! - `{size?}` in a path may be left out, and `{head|player}` is one of these words. Such a route
//!   has several paths.
//! - An operation with an `output` has the parameters of that output, from the table of parameters.
//! - The codes of errors are missing, and come from the enum.
//! - An operation lists its parameters and responses by their keys in the components. The first
//!   three characters of a response's key are the status.

mod parameters;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::respond::{code::ErrorCode, document::StaticDocument};

/// The document in its shorter form, with the parameters of the table.
pub(crate) static SOURCE: LazyLock<Value> = LazyLock::new(|| {
    let file = include_str!("../assets/openapi.json");
    let mut source: Value = serde_json::from_str(file).expect("the file is JSON");
    let mut components = source["components"].take();
    parameters::add_components(&mut components);
    components["schemas"]["ErrorCode"] = error_code();
    let paths = source["paths"].as_object_mut().expect("the file has paths");
    for methods in paths.values_mut() {
        let operations = methods.as_object_mut().expect("a path has methods");
        for operation in operations.values_mut() {
            parameters::add_to_operation(operation, &components);
        }
    }
    source["components"] = components;
    source
});

/// Returns the schema of the codes of errors.
fn error_code() -> Value {
    json!({
        "type": "string",
        "description": "The cause, for programs. Paths without a prefix that answer GET don't have it.",
        "enum": ErrorCode::WORDS,
    })
}

/// The document at `/openapi.json`.
pub(crate) static DOCUMENT: LazyLock<StaticDocument> =
    LazyLock::new(|| StaticDocument::new("application/json", document().to_string()));

/// Returns the document in the form of the standard.
fn document() -> Value {
    let mut paths = Map::new();
    for route in routes() {
        for path in route.paths() {
            let operation = route.operation(&path);
            paths.insert(path.path, json!({ route.method: operation }));
        }
    }
    let mut document = SOURCE.clone();
    document["paths"] = paths.into();
    document["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    document
}

/// Returns all routes, in the order of the file.
pub(crate) fn routes() -> Vec<Route> {
    let mut routes = Vec::new();
    for (path, methods) in fields(&SOURCE["paths"]) {
        for (method, operation) in fields(methods) {
            routes.push(Route {
                path,
                method,
                operation,
            });
        }
    }
    routes
}

/// A documented route.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    /// The path with its parameters, as in `/head/{player}/{size?}`.
    pub(crate) path: &'static str,
    /// The method in lower case.
    method: &'static str,
    operation: &'static Value,
}

impl Route {
    /// Returns the keys of the parameters in the components.
    pub(crate) fn parameter_keys(self) -> impl Iterator<Item = &'static str> {
        texts(&self.operation["parameters"])
    }

    /// Returns the paths with each of the words, without and with each optional parameter.
    fn paths(self) -> Vec<RoutePath> {
        let mut complete = Vec::new();
        let mut paths = vec![RoutePath::default()];
        for segment in self.path.split('/').skip(1) {
            let name = segment.trim_matches(['{', '?', '}']);
            if segment.ends_with("?}") {
                // The paths so far end here, or go on.
                complete.append(&mut paths.clone());
                for path in &mut paths {
                    path.push_different(&format!("{{{name}}}"), name);
                }
            } else if name.contains('|') {
                paths = with_each_word(&paths, name);
            } else {
                for path in &mut paths {
                    path.push(segment);
                }
            }
        }
        complete.append(&mut paths);
        complete
    }

    /// Returns the operation at one of the paths.
    fn operation(self, path: &RoutePath) -> Value {
        let mut parameters = Vec::new();
        for key in self.parameter_keys() {
            if path.has_parameter(key) {
                parameters.push(reference("parameters", key));
            }
        }
        let mut responses = Map::new();
        for key in texts(&self.operation["responses"]) {
            let status = &key[..3];
            responses.insert(status.to_owned(), reference("responses", key));
        }
        let mut id = text(&self.operation["operationId"]).to_owned();
        for difference in &path.differences {
            id = id + "-" + difference;
        }
        let mut operation = self.operation.clone();
        operation["operationId"] = id.into();
        operation["parameters"] = parameters.into();
        operation["responses"] = responses.into();
        operation
    }
}

/// One of the paths of a route.
#[derive(Debug, Clone, Default)]
struct RoutePath {
    path: String,
    /// The words and the optional parameters by which the path differs from the others of the
    /// route.
    differences: Vec<&'static str>,
}

impl RoutePath {
    fn push(&mut self, segment: &str) {
        self.path += "/";
        self.path += segment;
    }

    /// Adds a segment that the other paths of the route don't have.
    fn push_different(&mut self, segment: &str, difference: &'static str) {
        self.push(segment);
        self.differences.push(difference);
    }

    /// Returns `true` if the parameter with this key is in the query, or in this path.
    fn has_parameter(&self, key: &str) -> bool {
        let parameter = &SOURCE["components"]["parameters"][key];
        let place = format!("{{{}}}", text(&parameter["name"]));
        parameter["in"] == "query" || self.path.contains(&place)
    }
}

/// Returns all paths with the first word of `head|player`, then with the second one.
fn with_each_word(paths: &[RoutePath], words: &'static str) -> Vec<RoutePath> {
    let mut all = Vec::new();
    for word in words.split('|') {
        for path in paths {
            let mut with_word = path.clone();
            with_word.push_different(word, word);
            all.push(with_word);
        }
    }
    all
}

/// Returns a reference to a component.
fn reference(kind: &str, key: &str) -> Value {
    json!({ "$ref": format!("#/components/{kind}/{key}") })
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
