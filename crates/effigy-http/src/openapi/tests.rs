//! Tests that the document agrees with the routes and the parsers.

use std::collections::BTreeSet;

use effigy_parameters::{Kind, find, parameters};
use effigy_render::View;
use effigy_service::{FileSpec, PictureParams};

use super::*;
use crate::routes::{Methods, Operation, ParsedRequest, tests::parse};

/// A parameter among the components.
#[derive(Clone, Copy)]
struct Parameter {
    id: &'static str,
    value: &'static Value,
}

impl Parameter {
    fn new(id: &'static str) -> Self {
        let value = &SOURCE["components"]["parameters"][id];
        Self { id, value }
    }

    fn name(self) -> &'static str {
        text(&self.value["name"])
    }

    fn is_in_query(self) -> bool {
        self.value["in"] == "query"
    }
}

impl Route {
    fn parameters(self) -> impl Iterator<Item = Parameter> {
        self.parameter_keys().map(Parameter::new)
    }
}

/// Returns a value as it is written in a URL.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Returns the values that the schema of a parameter lists.
fn listed_values(parameter: Parameter) -> Vec<String> {
    let mut schema = &parameter.value["schema"];
    if let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference.strip_prefix('#').unwrap();
        schema = SOURCE.pointer(pointer).unwrap();
    }
    match schema["enum"].as_array() {
        Some(values) => values.iter().map(plain).collect(),
        None => Vec::new(),
    }
}

/// Returns a URL with the examples of all parameters in the path, and of the required ones in the
/// query.
fn example(route: Route, path: &str, view: View) -> String {
    let mut url = path.to_owned();
    for parameter in route.parameters() {
        let value = match parameter.id {
            "path-view" => view.to_string(),
            _ => plain(&parameter.value["example"]),
        };
        if !parameter.is_in_query() {
            url = url.replace(&format!("{{{}}}", parameter.name()), &value);
        } else if parameter.value["required"] == true {
            url = format!("{url}?{}={value}", parameter.name());
        }
    }
    if route.parameters().any(|parameter| parameter.id == "view") {
        return with(&url, "view", view.as_str());
    }
    url
}

/// Returns a URL with a parameter in its query, which replaces the last one if that has the name.
fn with(url: &str, name: &str, value: &str) -> String {
    let start = match url.split_once(&format!("&{name}=")) {
        Some((start, last)) => {
            assert!(!last.contains('&'), "{url}");
            start
        }
        None => url,
    };
    let mark = if start.contains('?') { '&' } else { '?' };
    format!("{start}{mark}{name}={value}")
}

/// Returns `true` for the path of a skin file with a width, which only pictures have.
fn is_file_with_width(url: &str) -> bool {
    let is_file = url.contains("/skin/") || url.contains("/download/");
    is_file && url.ends_with("/100")
}

/// Returns the views whose pictures have a parameter.
fn views_with(route: Route, parameter: Parameter) -> impl Iterator<Item = View> {
    let is_group = route.path.starts_with("/v1/group");
    let is_of_table = route.path.starts_with("/v1/");
    View::ALL.iter().copied().filter(move |view| {
        if is_group && *view != View::Figure {
            return false;
        }
        match find(parameter.name()) {
            Some(known) if is_of_table => known.accepts(*view),
            _ => true,
        }
    })
}

fn picture(request: &ParsedRequest) -> Option<PictureParams> {
    match request.operation.as_ref().expect("the URL is valid") {
        Operation::File(request) => match &*request.spec {
            FileSpec::Picture(params, _) | FileSpec::Texture(params, ..) => Some(*params),
            FileSpec::Group(group) => Some(group.params()),
            _ => None,
        },
        Operation::Preview { params, .. } => Some(*params),
        _ => None,
    }
}

/// Returns the URLs of a path with each documented value of a parameter.
fn urls_with(route: Route, path: &str, parameter: Parameter) -> Vec<String> {
    let view = views_with(route, parameter).next();
    let view = view.unwrap_or_else(|| panic!("{path}: no view has {}", parameter.id));
    // The example of the path has the parameter already.
    if parameter.is_in_query() && parameter.value["required"] == true {
        return vec![example(route, path, view)];
    }
    let place = format!("{{{}}}", parameter.name());
    let mut values = listed_values(parameter);
    values.push(plain(&parameter.value["example"]));
    let url = |value: String| {
        if parameter.is_in_query() {
            with(&example(route, path, view), parameter.name(), &value)
        } else {
            example(route, &path.replace(&place, &value), view)
        }
    };
    values.into_iter().map(url).collect()
}

#[test]
fn every_documented_value_is_parsed() {
    for route in routes() {
        for path in route.paths() {
            let mut urls = vec![example(route, &path.path, View::Figure)];
            for parameter in route.parameters() {
                urls.extend(urls_with(route, &path.path, parameter));
            }
            for url in urls.into_iter().filter(|url| !is_file_with_width(url)) {
                let request = parse(&url);
                assert!(request.operation.is_ok(), "{url}: {:?}", request.operation);
                let id = text(&route.operation["operationId"]);
                let name = request.name.replace("allstatsSorted", "allstats-sorted");
                assert!(id.starts_with(&name), "{url} has the name {name}");
                let documented = match route.method {
                    "post" => Methods::Post,
                    _ => Methods::Get,
                };
                assert_eq!(request.methods, documented, "{url}");
            }
        }
    }
}

#[test]
fn a_documented_default_changes_nothing() {
    for route in routes() {
        for path in route.paths() {
            for parameter in route.parameters() {
                let default = &parameter.value["schema"]["default"];
                // The example of a sheet has a view already.
                if default.is_null() || parameter.id == "view" {
                    continue;
                }
                for view in views_with(route, parameter) {
                    let url = example(route, &path.path, view);
                    let given = with(&url, parameter.name(), &plain(default));
                    assert_eq!(picture(&parse(&given)), picture(&parse(&url)), "{given}");
                }
            }
        }
    }
}

#[test]
fn every_view_is_documented() {
    let others = ["head", "player", "ioshead", "avatar", "iosbody"];
    let views = View::WORDS.iter().copied().chain(others);
    let views: Vec<&str> = views.collect();
    for id in ["path-view", "view"] {
        assert_eq!(listed_values(Parameter::new(id)), views, "{id}");
    }
}

#[test]
fn every_parameter_of_the_table_has_a_route() {
    let document = document();
    let text = document["paths"].to_string();
    for parameter in parameters() {
        let reference = format!("\"#/components/parameters/{}\"", parameter.name);
        assert!(text.contains(&reference), "{}", parameter.name);
        let component = &document["components"]["parameters"][parameter.name];
        assert_eq!(component["description"], parameter.description());
    }
}

#[test]
fn words_are_named_schemas() {
    for parameter in parameters() {
        let Kind::Word(words, _) = parameter.kind else {
            continue;
        };
        let component = Parameter::new(parameter.name);
        let reference = &component.value["schema"]["$ref"];
        assert!(reference.is_string(), "{}", parameter.name);
        assert_eq!(listed_values(component), words, "{}", parameter.name);
    }
}

#[test]
fn lists_are_separated_by_commas() {
    let players = &document()["components"]["parameters"]["players"];
    assert_eq!(players["schema"]["type"], "array");
    assert_eq!(players["style"], "form");
    assert_eq!(players["explode"], false);
    assert_eq!(players["required"], true);
}

/// Returns a path without the names of its parameters.
fn without_names(path: &str) -> String {
    let mut pieces = path.split('{');
    let mut template = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (_, rest) = piece.split_once('}').unwrap();
        template = template + "{}" + rest;
    }
    template
}

/// Two templates that differ only by the names of their parameters are the same path.
#[test]
fn paths_and_operation_ids_differ() {
    let document = document();
    let mut templates = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let template = without_names(path);
        assert!(templates.insert(template), "{path}");
        for operation in methods.as_object().unwrap().values() {
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id.to_owned()), "{id}");
            let is_kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(id.chars().all(is_kebab), "{id}");
        }
    }
}

/// Returns the paths of a route, each with the differences that its operation id names.
fn paths_of(template: &'static str) -> Vec<(String, Vec<&'static str>)> {
    let route = Route {
        path: template,
        method: "get",
        operation: &Value::Null,
    };
    let mut paths = Vec::new();
    for path in route.paths() {
        paths.push((path.path, path.differences));
    }
    paths
}

#[test]
fn optional_parameter_makes_two_paths() {
    let expected = [
        ("/head/{player}".to_owned(), vec![]),
        ("/head/{player}/{size}".to_owned(), vec!["size"]),
    ];
    assert_eq!(paths_of("/head/{player}/{size?}"), expected);
}

#[test]
fn each_alternative_word_makes_a_path() {
    let expected = [
        ("/a/b".to_owned(), vec!["b"]),
        ("/a/c".to_owned(), vec!["c"]),
        ("/a/b/{d}".to_owned(), vec!["b", "d"]),
        ("/a/c/{d}".to_owned(), vec!["c", "d"]),
    ];
    assert_eq!(paths_of("/a/{b|c}/{d?}"), expected);
}

#[test]
fn references_lead_to_components() {
    let document = document();
    for reference in document.to_string().split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
}
