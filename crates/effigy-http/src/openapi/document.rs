//! The interface as an OpenAPI 3.1 document.

use serde_json::{Map, Value, json};

use super::{
    ABOUT, Operation,
    bodies::{Response, schemas},
    operations::operations,
    parameters::Parameter,
};

/// The whole document.
pub(super) fn document() -> Value {
    let mut paths = Map::new();
    for operation in operations() {
        for path in operation.paths() {
            let method = if operation.takes_skin { "post" } else { "get" };
            paths.insert(
                path.to_owned(),
                json!({ method: described(operation, path) }),
            );
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Effigy",
            "summary": "Minecraft players as pictures",
            "description": ABOUT,
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": { "schemas": schemas() },
    })
}

fn described(operation: &Operation, path: &str) -> Value {
    let in_path = Operation::path_parameters(path);
    let in_path = in_path
        .iter()
        .map(|parameter| parameter_of("path", parameter));
    let in_query = operation
        .query
        .iter()
        .map(|parameter| parameter_of("query", parameter));
    let mut described = json!({
        "operationId": identifier(path),
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "parameters": in_path.chain(in_query).collect::<Vec<_>>(),
        "responses": responses(operation),
    });
    if operation.takes_skin {
        let file = json!({ "schema": { "type": "string", "format": "binary" } });
        described["requestBody"] = json!({
            "required": true,
            "description": "A skin: a PNG of 64 x 64 or 64 x 32 texels or a multiple, at most 1 MiB.",
            "content": { "image/png": file },
        });
    }
    described
}

/// `/head/{input}/{size}` becomes `head_input_size`.
fn identifier(path: &str) -> String {
    let words = path.split(['/', '{', '}', '-', '.']);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("_")
}

fn parameter_of(place: &str, parameter: &Parameter) -> Value {
    json!({
        "name": parameter.name,
        "in": place,
        "required": place == "path",
        "description": parameter.description,
        "schema": parameter.schema.json(place == "path"),
        "example": parameter.example,
    })
}

fn responses(operation: &Operation) -> Map<String, Value> {
    let replies = operation.replies.iter().flat_map(|reply| reply.responses());
    replies
        .map(|reply| (reply.status.to_string(), response(&reply)))
        .collect()
}

fn response(reply: &Response) -> Value {
    let mut response = json!({ "description": reply.description });
    for (media_type, schema) in &reply.content {
        response["content"][media_type] = json!({ "schema": schema });
    }
    if !reply.headers.is_empty() {
        let text = json!({ "schema": { "type": "string" } });
        let headers: Map<String, Value> = reply
            .headers
            .iter()
            .map(|name| ((*name).to_owned(), text.clone()))
            .collect();
        response["headers"] = Value::Object(headers);
    }
    response
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use effigy_service::Endpoint;

    use super::*;
    use crate::routes::route::{Route, route};

    /// The paths of the document, with the example of each parameter in its place.
    fn examples() -> Vec<String> {
        let fill = |path: &str| {
            let parameters = Operation::path_parameters(path);
            parameters.iter().fold(path.to_owned(), |path, parameter| {
                path.replace(&format!("{{{}}}", parameter.name), parameter.example)
            })
        };
        let paths = operations().flat_map(Operation::paths);
        paths.map(fill).collect()
    }

    /// What kind of route it is. A new kind has to be put here, and into the document.
    fn kind(route: &Route) -> &'static str {
        match route {
            Route::Picture { .. } => "picture",
            Route::Preview(_) => "preview",
            Route::Count(_) => "count",
            Route::Counts => "counts",
            Route::Health => "health",
            Route::Presets => "presets",
            Route::Metrics => "metrics",
            Route::Family(_) => "family",
            Route::V1(_) => "v1",
            Route::V1Preview(..) => "v1 preview",
            Route::Index
            | Route::Asset(_)
            | Route::OpenApi
            | Route::Reference
            | Route::BadDirection
            | Route::Malformed
            | Route::NotFound => "no operation",
        }
    }

    #[test]
    fn every_path_is_a_route_and_every_route_has_a_path() {
        let mut kinds = BTreeSet::new();
        for path in examples() {
            assert!(
                !path.contains('{'),
                "{path}: a parameter without an example"
            );
            let route = route(&path);
            assert_ne!(kind(&route), "no operation", "{path}: {route:?}");
            kinds.insert(kind(&route));
        }
        let known = [
            "count",
            "counts",
            "family",
            "health",
            "metrics",
            "picture",
            "presets",
            "preview",
            "v1",
            "v1 preview",
        ];
        assert_eq!(kinds, BTreeSet::from(known));
    }

    #[test]
    fn every_endpoint_is_there_with_its_message() {
        let mut endpoints = Vec::new();
        for operation in operations() {
            let word = operation.path.split('/').nth(1).unwrap();
            let Some(endpoint) = Endpoint::from_word(word) else {
                continue;
            };
            endpoints.push(word);
            let replies = Value::Object(responses(operation)).to_string();
            let message = json!(endpoint.error_message()).to_string();
            assert!(word == "health" || replies.contains(&message), "{word}");
        }
        assert_eq!(endpoints.len(), 11, "{endpoints:?}");
    }

    #[test]
    fn operations_have_names_of_their_own() {
        let document = document();
        let paths = document["paths"].as_object().unwrap();
        let names: BTreeSet<String> = paths.keys().map(|path| identifier(path)).collect();
        assert_eq!(names.len(), paths.len());
        assert_eq!(identifier("/head/{input}/{size}"), "head_input_size");
    }
}
