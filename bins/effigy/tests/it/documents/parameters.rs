//! Every parameter of the table is in every place where people look for it.

use effigy_parameters::{Control, Form, Kind, Output, Parameter, parameters};
use effigy_render::View;
use serde_json::Value;

use crate::support::{Server, run, text};

/// Returns the output of the program.
fn said(words: &str) -> String {
    let arguments: Vec<&str> = words.split(' ').collect();
    text(&run(&arguments).stdout)
}

/// Returns the names of the options that set a parameter.
fn options(parameter: &Parameter) -> Vec<String> {
    let name = parameter.name;
    let both = || vec![name.to_owned(), format!("no-{name}")];
    match (parameter.command_line.form, parameter.kind) {
        (Form::Absent, _) => Vec::new(),
        (Form::Words(_), Kind::Word(words, _)) => {
            words.iter().map(|&word| word.to_owned()).collect()
        }
        (Form::Switch(Some(_)) | Form::File { .. }, _) => both(),
        _ => vec![name.to_owned()],
    }
}

/// Returns a URL of the demo that has a parameter with its example.
fn url(parameter: &Parameter) -> String {
    let outputs = [
        (Output::Picture, "/v1/{view}/Gwendolin?"),
        (Output::Moving, "/v1/{view}/Gwendolin.apng?size=16&"),
        (Output::Group, "/v1/group?players=Gwendolin&"),
        (Output::Sheet, "/v1/sheet?players=Gwendolin&"),
    ];
    let output = outputs
        .iter()
        .find(|(output, _)| parameter.belongs_to(*output));
    let (_, path) = output.unwrap();
    let view = View::ALL
        .iter()
        .find(|view| parameter.affects(**view))
        .unwrap();
    let path = path.replace("{view}", view.as_str());
    let path = if parameter.required {
        "/v1/group?".to_owned()
    } else {
        path
    };
    let example = parameter
        .example
        .replace("Notch,MHF_Steve", "Gwendolin,Reynard");
    format!("{path}{}={example}", parameter.name)
}

#[test]
fn every_parameter_is_an_option_with_help() {
    let help = said("render --help");
    let manual = said("man render").replace("\\-", "-");
    let completions = said("completions bash");
    let mut count = 0;
    for parameter in parameters() {
        for option in options(parameter) {
            for place in [&help, &manual, &completions] {
                assert!(place.contains(&format!("--{option}")), "--{option}");
            }
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn every_parameter_is_understood_in_a_url() {
    let demo = Server::start_with(&["demo"]);
    for parameter in parameters() {
        let url = url(parameter);
        assert_eq!(demo.get(&url).status, 200, "{url}");
    }
}

#[test]
fn every_parameter_is_documented() {
    let demo = Server::start_with(&["demo"]);
    let document: Value = demo.get("/openapi.json").json();
    let components = &document["components"]["parameters"];
    let reference = String::from_utf8(demo.get("/docs").body.to_vec()).unwrap();
    for parameter in parameters() {
        let name = parameter.name;
        assert_eq!(components[name]["name"], name);
        let place = format!("id=\"parameter-{name}\"");
        assert!(reference.contains(&place), "{place}");
    }
}

#[test]
fn every_parameter_of_a_picture_is_an_attribute() {
    let demo = Server::start_with(&["demo"]);
    let element = String::from_utf8(demo.get("/v1/effigy-figure.js").body.to_vec()).unwrap();
    for parameter in parameters() {
        let is_of_one_player =
            parameter.belongs_to(Output::Picture) || parameter.belongs_to(Output::Moving);
        if is_of_one_player && parameter.name != "v" {
            let quoted = format!("\"{}\"", parameter.name);
            assert!(element.contains(&quoted), "{quoted}");
        }
    }
}

#[test]
fn every_parameter_with_a_control_is_on_the_page() {
    let demo = Server::start_with(&["demo"]);
    let page = String::from_utf8(demo.get("/").body.to_vec()).unwrap();
    let mut count = 0;
    for parameter in parameters() {
        if matches!(parameter.control, Control::Hidden) {
            continue;
        }
        let field = format!(" name=\"{}\"", parameter.name);
        assert!(page.contains(&field), "{field}");
        count += 1;
    }
    assert!(count > 10, "{count}");
}
