//! Tests of the form: its choices, and its hidden inputs.

use effigy_parameters::{Control, Output, find, parameters};

use super::*;

#[test]
fn parameters_without_a_field_are_hidden_inputs() {
    let query = "pose=walk&torso=90,0,5&cape=true&elytra=true&phase=0.5";
    let parts = [
        "<input type=\"hidden\" name=\"torso\" value=\"90,0,5\">",
        "<input type=\"hidden\" name=\"elytra\" value=\"true\">",
        "<input type=\"hidden\" name=\"phase\" value=\"0.5\">",
    ];
    let html = assert_shows(query, &parts);
    assert_eq!(html.matches("type=\"hidden\"").count(), 3);
}

/// Returns the names and values of the choices on a page: radio buttons and the options of lists.
fn choices(html: &str) -> Vec<(&str, &str)> {
    let mut choices = Vec::new();
    for radio in html.split("type=\"radio\"").skip(1) {
        if let Some(name) = attribute(radio, "name")
            && let Some(value) = attribute(radio, "value")
        {
            choices.push((name, value));
        }
    }
    for rest in html.split("<select").skip(1) {
        let (select, _) = rest.split_once("</select>").unwrap();
        let Some(name) = attribute(select, "name") else {
            continue;
        };
        for option in select.split("<option").skip(1) {
            choices.push((name, attribute(option, "value").unwrap()));
        }
    }
    choices
}

#[test]
fn every_choice_is_a_valid_value() {
    let html = assert_shows("", &[]);
    let mut count = 0;
    for (name, value) in choices(&html) {
        // Empty values are defaults.
        if matches!(name, "format" | "view" | "tab") || value.is_empty() {
            continue;
        }
        let parameter = find(name).unwrap_or_else(|| panic!("no parameter {name}"));
        let parsed = parameter.parse(value, &LIMITS);
        assert!(parsed.is_ok(), "{name}={value}");
        count += 1;
    }
    assert!(count > 25, "{count}");
}

#[test]
fn every_parameter_has_a_field_or_a_hidden_input() {
    for parameter in parameters().filter(|parameter| parameter.belongs_to(Output::Picture)) {
        let name = parameter.name;
        // These change no picture.
        if ["default", "v"].contains(&name) {
            continue;
        }
        let mut views = View::ALL.iter();
        let view = views.find(|view| parameter.affects(**view)).unwrap();
        // Some parameters change only a pose that moves, or an outline.
        let query = format!(
            "player=a&view={view}&pose=walk&outline=123456&{name}={}",
            parameter.example
        );
        let html = assert_shows(&query, &[&format!(" name=\"{name}\"")]);
        let is_hidden = html.contains(&format!("type=\"hidden\" name=\"{name}\""));
        let has_no_field = matches!(parameter.control, Control::Hidden);
        assert_eq!(is_hidden, has_no_field, "{name}");
    }
}

#[test]
fn value_that_is_not_listed_stays_chosen() {
    let query = "player=a&background=123456&pose=sit&light=game&format=svg";
    let parts = [
        "<option value=\"123456\" selected>123456</option>",
        "name=\"pose\" value=\"sit\" checked>",
        "name=\"light\" value=\"game\" checked>",
        "<option value=\"svg\" selected>SVG</option>",
        "data-views=\"figure portrait cube\"",
    ];
    let html = assert_shows(query, &parts);
    // View, pose, light, and the tab of the code.
    assert_eq!(html.matches(" checked>").count(), 4);
}
