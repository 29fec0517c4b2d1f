//! The document at `/openapi.json`.

use serde_json::{Map, Value, json};

use super::schemas::schemas;
use crate::routes::{Parameter, Reply, Route, RouteMethod, Schema, documented};

/// The description of the whole interface.
pub(crate) const ABOUT: &str = "Pictures of Minecraft players, Java and Bedrock, by URL. No key is needed, and \
    every site may use the responses. Every route that answers GET also answers HEAD. A `.png` at the end of a \
    segment of a path is ignored, and the fixed words of a path match in any letter case. The paths under \
    `/v1/` reject unknown query parameters; the others ignore them.";

/// The shapes of a UUID.
const UUID: &str = "^([0-9a-fA-F]{32}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$";

/// Returns the document.
pub(crate) fn document() -> Value {
    let mut paths = Map::new();
    for route in documented() {
        for path in route.pattern.paths() {
            let method = match route.method {
                RouteMethod::Get => "get",
                RouteMethod::Post => "post",
            };
            let operation = operation(route, &path);
            paths.insert(path, json!({ method: operation }));
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Effigy",
            "summary": "Pictures of Minecraft players",
            "description": ABOUT,
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": { "schemas": schemas() },
    })
}

/// A route with one of its paths, which may lack optional parameters.
fn operation(route: &Route, path: &str) -> Value {
    let parameters = route.parameters.iter().filter_map(|parameter| {
        let is_in_path = route.has_in_path(parameter);
        let is_here = !is_in_path || path.contains(&format!("{{{}}}", parameter.name));
        is_here.then(|| describe(parameter, is_in_path))
    });
    let mut operation = json!({
        "operationId": identifier(path),
        "tags": [route.tag],
        "summary": route.summary,
        "description": route.description,
        "parameters": parameters.collect::<Vec<_>>(),
        "responses": Map::from_iter(route.replies.iter().map(response)),
    });
    if route.method == RouteMethod::Post {
        let file = json!({ "schema": { "type": "string", "format": "binary" } });
        operation["requestBody"] = json!({
            "required": true,
            "description": "A skin: a PNG with 64 x 64 or 64 x 32 texels or a multiple, at most 1 MiB.",
            "content": { "image/png": file },
        });
    }
    operation
}

/// `/head/{input}/{size}` becomes `head_input_size`.
fn identifier(path: &str) -> String {
    let words = path.split(['/', '{', '}', '-', '.']);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("_")
}

fn describe(parameter: &Parameter, is_in_path: bool) -> Value {
    json!({
        "name": parameter.name,
        "in": if is_in_path { "path" } else { "query" },
        "required": is_in_path || parameter.is_required,
        "description": parameter.full_description(),
        "schema": schema(parameter.schema, is_in_path),
        "example": parameter.example,
    })
}

fn schema(schema: Schema, is_in_path: bool) -> Value {
    match schema {
        Schema::Text if is_in_path => json!({ "type": "string", "minLength": 1 }),
        Schema::Text => json!({ "type": "string" }),
        Schema::OneOf(values) => json!({ "type": "string", "enum": values }),
        Schema::UpTo(max) => json!({ "type": "integer", "minimum": 1, "maximum": max }),
        Schema::ZeroTo(max) => json!({ "type": "integer", "minimum": 0, "maximum": max }),
        Schema::Color => {
            json!({ "type": "string", "pattern": "^[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$" })
        }
        Schema::Degrees(max) => {
            json!({ "type": "number", "minimum": -f64::from(max), "maximum": max })
        }
        Schema::Uuid => json!({ "type": "string", "pattern": UUID }),
        Schema::Hash => json!({ "type": "string", "pattern": "^[0-9a-fA-F]{56,64}$" }),
    }
}

fn response(reply: &Reply) -> (String, Value) {
    let mut response = json!({ "description": reply.description });
    for (media_type, schema) in &reply.content {
        response["content"][media_type] = json!({ "schema": schema });
    }
    let text = json!({ "schema": { "type": "string" } });
    for header in reply.headers {
        response["headers"][header] = text.clone();
    }
    (reply.status.to_string(), response)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn operations_have_different_names() {
        let document = document();
        let paths = document["paths"].as_object().unwrap();
        let names: BTreeSet<String> = paths.keys().map(|path| identifier(path)).collect();
        assert_eq!(names.len(), paths.len());
        assert_eq!(identifier("/head/{input}/{size}"), "head_input_size");
    }

    #[test]
    fn no_status_of_a_route_is_documented_twice() {
        for route in documented() {
            let statuses: BTreeSet<u16> = route.replies.iter().map(|reply| reply.status).collect();
            assert_eq!(
                statuses.len(),
                route.replies.len(),
                "{}",
                route.pattern.text
            );
        }
    }
}
