//! The document at `/openapi.json` against the running service.

use fixtures::client::Reply;
use serde_json::Value;

use crate::support::{Server, uuid_of};

/// The component to which a reference leads, or the value itself.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap(),
        None => value,
    }
}

/// The example of a parameter, as a path or a query has it.
fn example_of(parameter: &Value) -> String {
    let example = &parameter["example"];
    match example.as_array() {
        Some(items) => {
            let items: Vec<&str> = items.iter().map(|item| item.as_str().unwrap()).collect();
            items.join(",")
        }
        None => example.as_str().unwrap().to_owned(),
    }
}

/// A path with the examples of its parameters, and of those that its query needs.
fn filled_in(document: &Value, template: &str, operation: &Value) -> String {
    let mut path = template.to_owned();
    for parameter in operation["parameters"].as_array().unwrap() {
        let parameter = resolved(document, parameter);
        if parameter["required"] != true {
            continue;
        }
        let name = parameter["name"].as_str().unwrap();
        let example = example_of(parameter);
        if parameter["in"] == "query" {
            path = format!("{path}?{name}={example}");
        } else {
            let placeholder = format!("{{{name}}}");
            assert!(path.contains(&placeholder), "{path} has no {name}");
            path = path.replace(&placeholder, &example);
        }
    }
    path
}

/// The path with a player who wears a cape, if it is about capes: the player of the examples wears
/// no cape.
fn with_cape(path: &str) -> String {
    if !path.contains("/cape") {
        return path.to_owned();
    }
    let by_name = path.replace("Notch", "Corvina");
    by_name.replace(uuid_of("Notch"), uuid_of("Corvina"))
}

/// The headers of responses that show a substitute, and of those to limited clients.
const SOMETIMES: [&str; 3] = ["X-Effigy-Substitute", "RateLimit-Policy", "RateLimit"];

/// Asserts that the document describes the status, the type and the headers of a response.
#[track_caller]
fn assert_documented(document: &Value, reply: &Reply, operation: &Value, path: &str) {
    let status = reply.status.to_string();
    let response = resolved(document, &operation["responses"][&status]);
    assert!(response.is_object(), "{path}: undocumented {status}");
    let Some(content) = response["content"].as_object() else {
        assert!(reply.body.is_empty(), "{path}");
        return;
    };
    let media_type = reply.header("content-type").unwrap();
    assert!(content.contains_key(media_type), "{path}: {media_type}");
    if let Some(headers) = response["headers"].as_object() {
        for name in headers.keys() {
            let is_present = reply.header(name).is_some();
            assert!(is_present || SOMETIMES.contains(&&**name), "{path}: {name}");
        }
    }
}

/// Each path of the document that can be asked for with GET, filled in, and its operation.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let mut operations = Vec::new();
    for (template, methods) in document["paths"].as_object().unwrap() {
        let operation = &methods["get"];
        if operation.is_object() {
            let path = with_cape(&filled_in(document, template, operation));
            operations.push((path, operation));
        }
    }
    assert!(operations.len() >= 24, "{}", operations.len());
    operations
}

#[test]
fn the_document_is_openapi_3_1() {
    let reply = Server::start().ok("/openapi.json");
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.json()["openapi"], "3.1.0");
}

#[test]
fn each_example_succeeds_as_documented() {
    let server = Server::start();
    let document = server.ok("/openapi.json").json();
    for (path, operation) in operations(&document) {
        assert_documented(&document, &server.ok(&path), operation, &path);
    }
}

#[test]
fn each_error_is_documented() {
    let server = Server::start();
    let document = server.ok("/openapi.json").json();
    // An unknown player, a player without a cape, and an invalid direction.
    let mistakes = [("Notch", "Nobody"), ("Corvina", "Notch"), ("/right", "/up")];
    for (path, operation) in operations(&document) {
        for (right, wrong) in mistakes {
            let path = path.replace(right, wrong);
            assert_documented(&document, &server.get(&path), operation, &path);
        }
    }
}
