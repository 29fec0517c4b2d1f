//! Rules that all definitions of the table follow.

use std::collections::BTreeSet;

use effigy_render::{NamedPose, PictureSpec, View};

use super::*;
use crate::{Control, DefaultValue, Form, Kind, Limits, PictureSettings, value};

/// Returns the picture of a view with these parameters.
fn spec_of(view: View, pairs: &[(&str, &'static str)]) -> PictureSpec {
    let value = |name: &str| {
        let pair = pairs.iter().find(|pair| pair.0 == name)?;
        Some(pair.1)
    };
    let picture = PictureSettings::read(view, Limits::SERVICE, value);
    picture.unwrap().spec
}

/// Returns `true` if the example of a parameter changes the picture of a view.
fn example_changes(parameter: &Parameter, view: View) -> bool {
    let example = match parameter.name {
        // The example of the size is its default.
        "size" => "64",
        _ => parameter.example,
    };
    let given = (parameter.name, example);
    if parameter.name == "phase" {
        // Only poses that move have moments.
        let pose = ("pose", "walk");
        return spec_of(view, &[pose, given]) != spec_of(view, &[pose]);
    }
    if parameter.name == "outline-width" {
        let outline = ("outline", "ffffff");
        return spec_of(view, &[outline, given]) != spec_of(view, &[outline]);
    }
    spec_of(view, &[given]) != spec_of(view, &[])
}

#[test]
fn names_are_unique() {
    let names: BTreeSet<&str> = parameters().map(|parameter| parameter.name).collect();
    assert_eq!(names.len(), parameters().count());
    for name in names {
        assert_eq!(find(name).map(|parameter| parameter.name), Some(name));
    }
    assert!(find("sise").is_none());
}

#[test]
fn examples_are_values() {
    for parameter in parameters() {
        let parsed = parameter.parse(parameter.example, &Limits::SERVICE);
        assert!(parsed.is_ok(), "{}: {parsed:?}", parameter.name);
    }
}

#[test]
fn default_values_change_nothing() {
    for parameter in parameters() {
        let name = parameter.name;
        let DefaultValue::Value(value) = parameter.default else {
            continue;
        };
        for view in View::ALL {
            let given = spec_of(*view, &[(name, value)]);
            assert_eq!(given, spec_of(*view, &[]), "{name}={value} {view}");
        }
    }
}

#[test]
fn examples_change_exactly_the_affected_views() {
    for parameter in parameters() {
        let name = parameter.name;
        // Every specification has a model, although it changes no pixel of a head.
        if name == "model" {
            continue;
        }
        // These change a moving picture or a sheet as a whole, not its player.
        let is_of_player = !["turn", "animate", "columns"].contains(&name);
        for view in View::ALL {
            // Isometric views have no cape by default, so hiding it changes nothing.
            let is_hidden_already = name == "cape" && view.is_isometric();
            let is_changed = is_of_player
                && parameter.changes_pictures()
                && parameter.affects(*view)
                && !is_hidden_already;
            assert_eq!(
                example_changes(parameter, *view),
                is_changed,
                "{name} {view}"
            );
        }
    }
}

#[test]
fn texts_are_sentences() {
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
fn descriptions_have_defaults_values_and_views() {
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
            "crop",
            "The part of a figure that the picture shows; `full` by default. It is `full`, `bust`, \
             `head` or `content`. With `full`, the picture is twice as high as `size`; `bust` and \
             `head` are squares. With `content`, the margins around the figure are cut off, and \
             the longer side is `size`; groups and sheets cannot be cropped to their content. Only \
             for `figure`.",
        ),
        (
            "light-from",
            "The direction of the soft light, relative to the player, in degrees; by default the \
             light follows the viewer. A yaw from -360 to 360 and a pitch from -90 to 90 with a \
             comma between them. The light comes from where a viewer with that `yaw` and `pitch` \
             would be. It cannot be combined with another `light`. Only for `isohead`, `isobody`, \
             `figure`, `portrait` and `cube`.",
        ),
        (
            "names",
            "The name of each player below the picture; `false` by default. A long name is \
             written smaller, and cut off if it still does not fit.",
        ),
        (
            "model",
            "The player's model, which determines the width of the arms; by default the model of \
             the account; guessed for textures and skin files. It is `classic` or `slim`. \
             Arms are four texels wide on the `classic` model, and three on the `slim` one. Of the \
             views, `face`, `isohead`, `cube` and `layout` ignore it.",
        ),
    ];
    for (name, expected) in rows {
        assert_eq!(find(name).unwrap().description(), expected, "{name}");
    }
    let facing = find("facing").unwrap().description();
    let views = "Only for `face`, `bust`, `body`, `body-back`, `body-left`, `body-right`, `combo`, \
                 `isohead`, `isobody` and `layout`; `face`, `bust`, `body`, `body-back`, \
                 `body-left`, `body-right`, `combo` and `layout` ignore it.";
    assert!(facing.ends_with(views), "{facing}");
}

#[test]
fn choices_of_controls_are_values() {
    for parameter in parameters() {
        let (Control::Choice { values, .. }
        | Control::Player { values, .. }
        | Control::Tiles { values, .. }) = parameter.control
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
fn words_of_galleries_are_in_a_group() {
    let mut count = 0;
    for parameter in parameters() {
        let Control::Gallery {
            groups, group_of, ..
        } = parameter.control
        else {
            continue;
        };
        let Kind::Word(words, _) = parameter.kind else {
            panic!("{} has no words", parameter.name);
        };
        let used: BTreeSet<&str> = words.iter().map(|word| group_of(word)).collect();
        assert_eq!(used, groups.iter().copied().collect(), "{}", parameter.name);
        count += words.len();
    }
    assert_eq!(count, NamedPose::ALL.len());
}

#[test]
fn controls_of_limbs_fit_their_parameters() {
    for parameter in parameters() {
        let name = parameter.name;
        match parameter.control {
            Control::Limb { limits, .. } => {
                assert!(matches!(parameter.kind, Kind::Angles(_)), "{name}");
                assert!(limits.iter().all(|limit| *limit <= 180), "{name}");
            }
            Control::Bend { .. } => {
                assert!(matches!(parameter.kind, Kind::Number { .. }), "{name}");
            }
            _ => {}
        }
    }
}

#[test]
fn options_fit_their_parameters() {
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
        let conflicting = parameter.command_line.conflicts;
        let conflicting = conflicting.map(|option| option.trim_start_matches("no-"));
        assert!(
            conflicting.is_none_or(|other| find(other).is_some()),
            "{name}"
        );
        let required = parameter.command_line.requires;
        assert!(required.is_none_or(|other| find(other).is_some()), "{name}");
    }
}

#[test]
fn value_synonyms_are_unique_and_not_values() {
    for parameter in parameters() {
        let mut known = BTreeSet::new();
        for (words, value) in parameter.value_synonyms {
            let Kind::Word(values, _) = parameter.kind else {
                panic!("{} has no words", parameter.name);
            };
            assert!(values.contains(value), "{value}");
            for word in words.split(' ') {
                assert!(!values.contains(&word), "{word} is a value");
                assert!(known.insert(word), "duplicate word {word}");
            }
        }
    }
}

#[test]
fn documented_poses_are_those_that_move() {
    let mut words = Vec::new();
    for pose in NamedPose::ALL.iter().filter(|pose| pose.is_moving()) {
        words.push(format!("`{pose}`"));
    }
    let listed = value::list(words.into_iter(), " and ");
    let DefaultValue::Described(text) = find("animate").unwrap().default else {
        panic!("the default is not in words");
    };
    assert_eq!(text, format!("`true` with the poses {listed}"));
}
