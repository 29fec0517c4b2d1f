//! The document agrees with the router and the parsers.

use effigy_parameters::{PARAMETERS, applies_to};
use effigy_player::Model;
use effigy_render::{Facing, Light, NamedPose, Shape, View};
use effigy_service::{FileSpec, PictureParams};

use super::*;
use crate::routes::{Operation, ParsedRequest, tests::parse};

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
        texts(&self.operation["parameters"]).map(Parameter::new)
    }
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the schema of a parameter, and the values that it lists.
fn schema(parameter: Parameter) -> (&'static Value, Vec<String>) {
    let schema = &parameter.value["schema"];
    let reference = schema["$ref"].as_str();
    let name = reference.and_then(|reference| reference.rsplit('/').next());
    let words = &name.map_or(schema, |name| &SOURCE["components"]["schemas"][name])["enum"];
    let words = words.as_array().into_iter().flatten().map(plain);
    (schema, words.collect())
}

/// Returns a path with the examples of its parameters, and with those that the query must have.
fn example(route: Route, path: &str, view: View) -> String {
    let mut url = path.to_owned();
    for parameter in route.parameters() {
        let value = match parameter.id {
            "view" => view.to_string(),
            _ => plain(&parameter.value["example"]),
        };
        if !parameter.is_in_query() {
            url = url.replace(&format!("{{{}}}", parameter.name()), &value);
        } else if parameter.value["required"] == true {
            url = format!("{url}?{}={value}", parameter.name());
        }
    }
    let mut parameters = route.parameters();
    if parameters.any(|parameter| parameter.id == "sheet-view") {
        return with(&url, "view", view.as_str());
    }
    url
}

/// Returns a URL with a value instead of the one of that name, if it has one.
fn with(url: &str, name: &str, value: &str) -> String {
    if let Some((start, rest)) = url.split_once(&format!("&{name}=")) {
        let rest = rest
            .split_once('&')
            .map_or(String::new(), |(_, rest)| format!("&{rest}"));
        return with(&format!("{start}{rest}"), name, value);
    }
    let mark = if url.contains('?') { '&' } else { '?' };
    format!("{url}{mark}{name}={value}")
}

/// Skin files have no width.
fn is_file_with_width(url: &str) -> bool {
    let is_file = url.contains("/skin/") || url.contains("/download/");
    is_file && url.ends_with("/100")
}

/// Returns the views whose pictures have a parameter.
fn views_with(route: Route, parameter: Parameter) -> impl Iterator<Item = View> {
    let is_group = route.path.starts_with("/v1/group");
    View::ALL.iter().copied().filter(move |view| {
        let is_picture = route.path.starts_with("/v1/") && PARAMETERS.contains(&parameter.id);
        (!is_picture || applies_to(parameter.id, *view)) && (!is_group || *view == View::Figure)
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

#[test]
fn every_documented_path_is_parsed_with_every_documented_value() {
    for route in routes() {
        for (path, _) in route.paths() {
            let url = example(route, &path, View::Figure);
            let mut urls = vec![url.clone()];
            for parameter in route.parameters() {
                let (schema, values) = schema(parameter);
                let Some(view) = views_with(route, parameter).next() else {
                    panic!("{url}: no view has {}", parameter.id);
                };
                let place = format!("{{{}}}", parameter.name());
                let values = values
                    .into_iter()
                    .chain([plain(&parameter.value["example"])]);
                urls.extend(values.map(|value| match parameter.is_in_query() {
                    // It has them already.
                    true if parameter.value["required"] == true => example(route, &path, view),
                    true => with(&example(route, &path, view), parameter.name(), &value),
                    false => example(route, &path.replace(&place, &value), view),
                }));
                // The example of a sheet has a view already.
                let has_default = schema["default"] != Value::Null && parameter.id != "sheet-view";
                for view in views_with(route, parameter).filter(|_| has_default) {
                    let url = example(route, &path, view);
                    let given = with(&url, parameter.name(), &plain(&schema["default"]));
                    assert_eq!(picture(&parse(&given)), picture(&parse(&url)), "{given}");
                }
            }
            for url in urls.into_iter().filter(|url| !is_file_with_width(url)) {
                let request = parse(&url);
                assert!(request.operation.is_ok(), "{url}: {:?}", request.operation);
                let id = text(&route.operation["operationId"]);
                assert!(
                    id.starts_with(request.name),
                    "{url} has the name {}",
                    request.name
                );
                let is_post = request.methods().contains("POST");
                assert_eq!(is_post, route.method == "post", "{url}");
            }
        }
    }
}

/// A value that a type has and the document lacks is one that nobody finds.
#[test]
fn every_parameter_and_word_of_the_program_is_documented() {
    let words = |id| schema(Parameter::new(id)).1;
    let others = ["head", "player", "ioshead", "avatar", "iosbody"];
    let views = View::WORDS.iter().copied().chain(others);
    assert!(words("view").iter().eq(views.clone()));
    assert!(words("sheet-view").iter().eq(views));
    assert_eq!(words("facing"), Facing::WORDS);
    assert_eq!(words("pose"), NamedPose::WORDS);
    assert_eq!(words("light"), Light::WORDS);
    assert_eq!(words("shape"), Shape::WORDS);
    assert_eq!(words("model"), Model::WORDS);
    for id in PARAMETERS {
        let description = text(&Parameter::new(id).value["description"]);
        let only = description.split_once("Only for ").map(|(_, views)| views);
        let only = only.map(|views| views.split('`').skip(1).step_by(2).collect::<Vec<_>>());
        let documented = only.unwrap_or_else(|| View::WORDS.to_vec());
        for view in View::ALL {
            let is_documented = documented.contains(&view.as_str());
            assert_eq!(is_documented, applies_to(id, *view), "{id} {view}");
        }
    }
}

#[test]
fn references_lead_to_components() {
    let document = document();
    for reference in document.to_string().split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
}
