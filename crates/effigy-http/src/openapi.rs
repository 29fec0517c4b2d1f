//! The OpenAPI document, which is also the source of the reference.
//!
//! `assets/openapi.json` has it in a shorter form:
//!
//! - `{size?}` in a path may be left out, and `{head|player}` is one of these words. Such a route
//!   has several paths.
//! - The parameters of an `output` are those of the table.
//! - The codes of errors are those of the enum.
//! - An operation lists its parameters and responses by their names among the components. The first
//!   three characters of a response's name are the status.

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
        "description": "The cause, for programs. The paths without a prefix don't have it.",
        "enum": ErrorCode::WORDS,
    })
}

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

/// One of the paths of a route.
#[derive(Debug, Clone)]
struct RoutePath {
    path: String,
    /// The words and the optional parameters by which the path differs from the others of the
    /// route.
    differences: Vec<&'static str>,
}

impl Route {
    /// Returns the paths with each of the words, without and with each optional parameter.
    fn paths(self) -> Vec<RoutePath> {
        let mut paths = vec![RoutePath {
            path: String::new(),
            differences: Vec::new(),
        }];
        let mut complete = Vec::new();
        for segment in self.path.split('/').skip(1) {
            let name = segment.trim_matches(['{', '?', '}']);
            if segment.ends_with("?}") {
                // The paths so far end here, or go on.
                complete.append(&mut paths.clone());
                extend(&mut paths, &format!("{{{name}}}"), Some(name));
            } else if name.contains('|') {
                let mut all = Vec::new();
                for word in name.split('|') {
                    let mut of_word = paths.clone();
                    extend(&mut of_word, word, Some(word));
                    all.append(&mut of_word);
                }
                paths = all;
            } else {
                extend(&mut paths, segment, None);
            }
        }
        complete.append(&mut paths);
        complete
    }

    /// Returns the operation at one of its paths.
    fn operation(self, path: &RoutePath) -> Value {
        let reference = |place, id| json!({ "$ref": format!("#/components/{place}/{id}") });
        let is_here = |id: &&str| {
            let parameter = &SOURCE["components"]["parameters"][id];
            let place = format!("{{{}}}", text(&parameter["name"]));
            parameter["in"] == "query" || path.path.contains(&place)
        };
        let parameters = texts(&self.operation["parameters"]).filter(is_here);
        let responses = texts(&self.operation["responses"]);
        let responses = responses.map(|id| (id[..3].to_owned(), reference("responses", id)));
        let words = [&[text(&self.operation["operationId"])], &*path.differences].concat();
        let mut operation = self.operation.clone();
        operation["operationId"] = words.join("-").into();
        operation["parameters"] = parameters.map(|id| reference("parameters", id)).collect();
        operation["responses"] = responses.collect::<Map<_, _>>().into();
        operation
    }
}

/// Adds a segment to paths.
fn extend(paths: &mut [RoutePath], segment: &str, difference: Option<&'static str>) {
    for path in paths {
        path.path += "/";
        path.path += segment;
        path.differences.extend(difference);
    }
}

/// Returns the document in the form that the standard has.
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
