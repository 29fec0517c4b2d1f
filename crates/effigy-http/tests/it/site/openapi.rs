//! The document at `/openapi.json` against the running service, and the reference at `/docs`.

use crate::support::Server;
use fixtures::client::Reply;
use serde_json::Value;

/// The component that a reference leads to.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let pointer = value["$ref"].as_str().map(|reference| &reference[1..]);
    pointer.map_or(value, |pointer| document.pointer(pointer).unwrap())
}

/// A path of the document with the example of each parameter in its place, and the required ones of the
/// query.
fn filled(document: &Value, path: &str, operation: &Value) -> String {
    let parameters = operation["parameters"].as_array().unwrap().iter();
    let parameters = parameters.map(|parameter| resolved(document, parameter));
    let required = parameters.filter(|parameter| parameter["required"] == true);
    required.fold(path.to_owned(), |path, parameter| {
        let name = parameter["name"].as_str().unwrap();
        let example = &parameter["example"];
        let example = match example.as_array() {
            Some(items) => items
                .iter()
                .map(|item| item.as_str().unwrap())
                .collect::<Vec<_>>()
                .join(","),
            None => example.as_str().unwrap().to_owned(),
        };
        if parameter["in"] == "query" {
            return format!("{path}?{name}={example}");
        }
        let name = format!("{{{name}}}");
        assert!(path.contains(&name), "{path} has no {name}");
        path.replace(&name, &example)
    })
}

/// The example of a player wears no cape; another one does.
fn with_cape(path: String) -> String {
    let caped = fixtures::player("Corvina");
    let uuid = fixtures::player("Notch").uuid().unwrap();
    if !path.contains("/cape") {
        return path;
    }
    let path = path.replace("Notch", caped.name);
    path.replace(uuid, caped.uuid().unwrap())
}

/// Asserts that the answer is one of those that the operation is said to have.
#[track_caller]
fn assert_documented(document: &Value, reply: &Reply, operation: &Value, path: &str) {
    let status = reply.status.to_string();
    let response = &operation["responses"][&status];
    let response = resolved(document, response);
    assert!(response.is_object(), "{path}: undocumented {status}");
    let Some(content) = response["content"].as_object() else {
        assert!(reply.body.is_empty(), "{path}");
        return;
    };
    let media_type = reply.header("content-type").unwrap();
    assert!(content.contains_key(media_type), "{path}: {media_type}");
    for header in response["headers"].as_object().into_iter().flatten() {
        assert!(reply.header(header.0).is_some(), "{path}: {}", header.0);
    }
}

#[test]
fn the_service_is_as_documented() {
    let server = Server::start();
    let document = server.get("/openapi.json");
    assert_eq!(document.status, 200);
    assert_eq!(document.header("content-type"), Some("application/json"));
    let document = document.json();
    assert_eq!(document["openapi"], "3.1.0");
    let mut asked = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let operation = &methods["get"];
        if !operation.is_object() {
            continue;
        }
        let path = with_cape(filled(&document, path, operation));
        let reply = server.get(&path);
        assert_eq!(reply.status, 200, "{path}");
        assert_documented(&document, &reply, operation, &path);
        // An unknown player, and an invalid direction.
        for (word, other) in [("Notch", "Nobody"), ("Corvina", "Notch"), ("/right", "/up")] {
            let path = path.replace(word, other);
            assert_documented(&document, &server.get(&path), operation, &path);
        }
        asked += 1;
    }
    assert!(asked >= 24, "{asked}");
}

#[test]
fn the_examples_of_the_reference_can_be_clicked() {
    let server = Server::start();
    let mut count = 0;
    for (page, root) in [("/docs", "."), ("/docs/families", "..")] {
        let html = String::from_utf8(server.get(page).body).unwrap();
        let start = format!("href=\"{root}/");
        let links = html.split(&start).skip(1);
        let paths = links.map(|rest| format!("/{}", rest.split('"').next().unwrap()));
        for path in paths.map(|path| path.replace("&amp;", "&")) {
            assert_eq!(server.get(&path).status, 200, "{page}: {path}");
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn the_page_names_files_that_exist() {
    let server = Server::start();
    let page = String::from_utf8(server.ok("/").body).unwrap();
    let mut files = 0;
    for address in page.split('"').filter(|text| text.starts_with("./assets/")) {
        server.ok(&address[1..]);
        files += 1;
    }
    assert!(files >= 4, "{files}");
}
