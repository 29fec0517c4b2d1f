//! The parameters of the table, which must be in every place where people look for them.

use effigy_parameters::{Control, Form, Kind, Output, Parameter, parameters};
use effigy_render::View;
use serde_json::Value;

use crate::support::{Server, run, text};

/// Returns what the program prints.
fn printed(words: &str) -> String {
    let arguments: Vec<&str> = words.split(' ').collect();
    text(&run(&arguments).stdout)
}

/// Returns the names of the options that set a parameter.
fn options(parameter: &Parameter) -> Vec<String> {
    let name = parameter.name;
    match (parameter.command_line.form, parameter.kind) {
        (Form::Absent, _) => Vec::new(),
        (Form::Words(_), Kind::Word(words, _)) => {
            words.iter().map(|&word| word.to_owned()).collect()
        }
        (Form::Switch(Some(_)) | Form::File { .. }, _) => {
            vec![name.to_owned(), format!("no-{name}")]
        }
        _ => vec![name.to_owned()],
    }
}

/// Returns a URL of the demo that has a parameter with its example.
fn url(parameter: &Parameter) -> String {
    let mut views = View::ALL.iter();
    let view = views.find(|view| parameter.affects(**view)).unwrap();
    let start = if parameter.required {
        "/v1/group?".to_owned()
    } else if parameter.belongs_to(Output::Picture) {
        format!("/v1/{view}/Gwendolin?")
    } else if parameter.belongs_to(Output::Moving) {
        format!("/v1/{view}/Gwendolin.apng?size=16&")
    } else if parameter.belongs_to(Output::Group) {
        "/v1/group?players=Gwendolin&".to_owned()
    } else {
        "/v1/sheet?players=Gwendolin&".to_owned()
    };
    // The demo doesn't know the players of the example.
    let example = parameter.example;
    let example = example.replace("Notch,MHF_Steve", "Gwendolin,Reynard");
    format!("{start}{}={example}", parameter.name)
}

#[test]
fn parameters_are_options_with_help() {
    let help = printed("render --help");
    let manual = printed("man render").replace("\\-", "-");
    let completions = printed("completions bash");
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
fn parameters_are_understood_in_urls() {
    let demo = Server::start_with(&["demo"]);
    for parameter in parameters() {
        let url = url(parameter);
        assert_eq!(demo.get(&url).status, 200, "{url}");
    }
}

#[test]
fn parameters_are_in_the_reference() {
    let demo = Server::start_with(&["demo"]);
    let document: Value = demo.get("/openapi.json").json();
    let components = &document["components"]["parameters"];
    let reference = text(&demo.get("/docs").body);
    for parameter in parameters() {
        let name = parameter.name;
        assert_eq!(components[name]["name"], name);
        let place = format!("id=\"parameter-{name}\"");
        assert!(reference.contains(&place), "{place}");
    }
}

#[test]
fn parameters_of_pictures_are_attributes() {
    let demo = Server::start_with(&["demo"]);
    let element = text(&demo.get("/v1/effigy-figure.js").body);
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
fn parameters_with_a_control_are_on_the_page() {
    let demo = Server::start_with(&["demo"]);
    let page = text(&demo.get("/").body);
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
