//! Rules that every definition follows.

use std::collections::BTreeSet;

use effigy_render::View;

use super::*;
use crate::{Control, DefaultValue, Form, Kind, Limits, PictureParameters};

#[test]
fn every_name_is_there_once() {
    let names: BTreeSet<&str> = parameters().map(|parameter| parameter.name).collect();
    assert_eq!(names.len(), parameters().count());
    for name in names {
        assert_eq!(find(name).map(|parameter| parameter.name), Some(name));
    }
    assert!(find("sise").is_none());
}

#[test]
fn every_example_is_a_value() {
    for parameter in parameters() {
        let parsed = parameter.parse(parameter.example, &Limits::SERVICE);
        assert!(parsed.is_ok(), "{}: {parsed:?}", parameter.name);
    }
}

#[test]
fn a_default_value_changes_nothing() {
    for parameter in parameters() {
        let DefaultValue::Value(value) = parameter.default else {
            continue;
        };
        for view in View::ALL {
            let given = |name: &str| (name == parameter.name).then_some(value);
            let picture = PictureParameters::read(*view, Limits::SERVICE, given);
            let plain = PictureParameters::new(*view);
            let spec = picture.unwrap().spec;
            assert_eq!(spec, plain.spec, "{}={value} {view}", parameter.name);
        }
    }
}

#[test]
fn an_example_changes_the_views_that_are_listed() {
    for parameter in parameters() {
        // These change a moving picture or a sheet, but not what a player looks like.
        let is_of_several = ["turn", "animate", "columns"].contains(&parameter.name);
        let is_drawn = parameter.changes_pictures() && !is_of_several;
        for view in View::ALL {
            // The default of a size is its example.
            let value = if parameter.name == "size" {
                "64"
            } else {
                parameter.example
            };
            let given = |name: &str| match name {
                "pose" if parameter.name == "phase" => Some("walk"),
                name => (name == parameter.name).then_some(value),
            };
            let read = |values: &dyn Fn(&str) -> Option<&'static str>| {
                PictureParameters::read(*view, Limits::SERVICE, values)
                    .unwrap()
                    .spec
            };
            let without = |name: &str| given(name).filter(|_| name != parameter.name);
            let changes = read(&given) != read(&without);
            // Isometric views have no cape by default, so hiding it changes nothing.
            let is_listed =
                parameter.affects(*view) && !(parameter.name == "cape" && view.is_isometric());
            // The model of a head matters to no pixel, but to the specification.
            let is_model = parameter.name == "model";
            assert!(
                is_model || changes == (is_drawn && is_listed),
                "{} {view}",
                parameter.name
            );
        }
    }
}

#[test]
fn every_text_is_a_sentence() {
    for parameter in parameters() {
        let name = parameter.name;
        let help = parameter.help;
        assert!(help.starts_with(char::is_uppercase), "{name}: {help}");
        assert!(
            !help.ends_with('.') && !help.contains(". "),
            "{name}: {help}"
        );
        for text in [parameter.details, parameter.command_line.note] {
            assert!(text.is_empty() || text.ends_with('.'), "{name}: {text}");
        }
        let description = parameter.description();
        assert!(description.starts_with(help), "{description}");
        assert!(
            description.ends_with('.') && !description.contains("  "),
            "{description}"
        );
    }
}

#[test]
fn descriptions_name_defaults_values_and_views() {
    let rows = [
        (
            "size",
            "The width in pixels, or the height of a combo; 128 by default.",
        ),
        (
            "phase",
            "The moment of the pose's movement; 0 by default. From 0 to 1. Only for `figure`, \
             `portrait` and `cube`.",
        ),
        (
            "names",
            "The name of each player below the picture; `false` by default. A long name is \
             smaller, and cut if it still does not fit.",
        ),
        (
            "model",
            "The model, which decides on the width of the arms; by default the player's own, and \
             `classic` for textures and skin files. It is `classic` or `slim`. Arms are four \
             texels wide on the `classic` model, and three on the `slim` one. Of the views, \
             `face`, `isohead` and `cube` ignore it.",
        ),
    ];
    for (name, expected) in rows {
        assert_eq!(find(name).unwrap().description(), expected, "{name}");
    }
    let facing = find("facing").unwrap().description();
    let views = "Only for `face`, `bust`, `body`, `combo`, `isohead` and `isobody`; \
                 `face`, `bust`, `body` and `combo` ignore it.";
    assert!(facing.ends_with(views), "{facing}");
}

#[test]
fn every_choice_of_a_control_is_a_value() {
    for parameter in parameters() {
        let (Control::Choice { values, .. } | Control::Tiles { values, .. }) = parameter.control
        else {
            continue;
        };
        assert_eq!(
            values[0].0, "",
            "{}: the first is the default",
            parameter.name
        );
        for (value, label) in &values[1..] {
            let parsed = parameter.parse(value, &Limits::SERVICE);
            assert!(parsed.is_ok(), "{}={value}", parameter.name);
            assert!(!label.is_empty(), "{}={value}", parameter.name);
        }
    }
}

#[test]
fn options_fit_their_kinds() {
    for parameter in parameters() {
        let name = parameter.name;
        let is_switch = matches!(parameter.kind, Kind::Switch(_));
        match parameter.command_line.form {
            Form::Switch(_) => assert!(is_switch, "{name}"),
            Form::Words(helps) => {
                let Kind::Word(words, _) = parameter.kind else {
                    panic!("{name} has no words");
                };
                assert_eq!(words.len(), helps.len(), "{name}");
            }
            Form::Value | Form::File { .. } => assert!(!is_switch, "{name}"),
            Form::Absent => {}
        }
        let required = parameter.command_line.requires;
        assert!(required.is_none_or(|other| find(other).is_some()), "{name}");
    }
}
