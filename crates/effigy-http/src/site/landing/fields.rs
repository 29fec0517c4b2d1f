//! The fields of the page, which follow from the table of parameters.

use effigy_parameters::{Control, DefaultValue, Kind, Labels, Parameter, parameters};
use effigy_render::{Angle, PictureSpec, Pose, Rotation, Size, View};
use serde_json::{Value, json};

use super::chosen::Chosen;
use crate::routes::capitalized;

/// The size of the small pictures of values.
const TILE: Size = Size::px(32);

/// The least number of values whose pictures have a row of their own.
const MANY: usize = 5;

/// Returns the fields of the parameters, with the values that the query has chosen. Sliders without
/// a value show the pose and the camera of the picture.
pub(super) fn fields(chosen: &Chosen, spec: &PictureSpec) -> Vec<Value> {
    let mut fields = Vec::new();
    for parameter in parameters() {
        let value = chosen.value(parameter.name).unwrap_or_default();
        if let Some(mut field) = field(parameter, value, spec) {
            field["name"] = parameter.name.into();
            field["value"] = value.into();
            fields.push(field);
        }
    }
    fields
}

/// Returns the field of a parameter, if it has one.
fn field(parameter: &Parameter, value: &str, spec: &PictureSpec) -> Option<Value> {
    match parameter.control {
        Control::Hidden => None,
        Control::Number { label } => Some(json!({ "control": "number", "label": label })),
        Control::Slider { label, limit } => Some(json!({
            "control": "slider",
            "label": label,
            "min": -limit,
            "max": limit,
            "now": camera_angle(parameter, spec).to_string(),
        })),
        Control::Bend { label } => Some(bend(label, parameter, &spec.pose)),
        Control::Limb { label, limits } => {
            let rotation = rotation(parameter.name, &spec.pose);
            Some(limb(label, limits, rotation))
        }
        Control::Choice { label, values } => Some(json!({
            "control": "choice",
            "label": label,
            "values": values,
            "is_listed": is_listed(value, values),
            "is_color": matches!(parameter.kind, Kind::Color(_)),
        })),
        Control::Player { label, values } => Some(json!({
            "control": "player",
            "label": label,
            "values": values,
            "is_listed": is_listed(value, values),
        })),
        Control::Gallery {
            label,
            view,
            groups,
            group_of,
        } => {
            let mut field = pictures("gallery", label, view);
            field["groups"] = grouped(parameter, groups, group_of);
            Some(field)
        }
        Control::Tiles {
            label,
            view,
            values,
        } => {
            let control = if values.len() < MANY {
                "few_tiles"
            } else {
                "tiles"
            };
            let mut field = pictures(control, label, view);
            field["values"] = json!(values);
            Some(field)
        }
    }
}

/// Returns a field whose values have small pictures.
fn pictures(control: &str, label: &str, view: View) -> Value {
    let spec = PictureSpec::new(view, TILE);
    json!({
        "control": control,
        "label": label,
        "view": view.as_str(),
        "width": spec.width(),
        "height": spec.height(),
    })
}

/// Returns the groups of a parameter's words. Each word has its value, its label, and the words by
/// which a search finds it. The value of the default is empty.
fn grouped(
    parameter: &Parameter,
    groups: &[&'static str],
    group_of: fn(&str) -> &'static str,
) -> Value {
    let Kind::Word(words, _) = parameter.kind else {
        return Value::Null;
    };
    let mut grouped = Vec::new();
    for group in groups {
        let mut values = Vec::new();
        for word in words.iter().filter(|word| group_of(word) == *group) {
            let is_default = parameter.default == DefaultValue::Value(word);
            let value = if is_default { "" } else { word };
            values.push([value.to_owned(), label_of(word), words_of(parameter, word)]);
        }
        grouped.push(json!({ "label": group, "values": values }));
    }
    grouped.into()
}

/// Returns a word and its synonyms, with spaces between them.
fn words_of(parameter: &Parameter, word: &str) -> String {
    let mut words = word.to_owned();
    for (synonyms, value) in parameter.value_synonyms {
        if *value == word {
            words = words + " " + synonyms;
        }
    }
    words
}

/// Returns the label of a word: `Arms crossed` for `arms-crossed`.
fn label_of(word: &str) -> String {
    capitalized(&word.replace('-', " "))
}

fn bend(label: &str, parameter: &Parameter, pose: &Pose) -> Value {
    let Kind::Number { min, max, .. } = parameter.kind else {
        return Value::Null;
    };
    let angle = match parameter.name {
        "right-elbow" => pose.right_elbow,
        "left-elbow" => pose.left_elbow,
        "right-knee" => pose.right_knee,
        _ => pose.left_knee,
    };
    json!({
        "control": "bend",
        "label": label,
        "min": min,
        "max": max,
        "now": angle.to_string(),
    })
}

fn limb(label: &str, limits: [i32; 3], rotation: Rotation) -> Value {
    let angles = [rotation.x, rotation.y, rotation.z].map(|angle| angle.to_string());
    let mut axes = Vec::new();
    for (at, name) in ["x", "y", "z"].into_iter().enumerate() {
        axes.push(json!({ "name": name, "limit": limits[at], "now": angles[at] }));
    }
    json!({ "control": "limb", "label": label, "axes": axes, "now": angles.join(",") })
}

/// Returns the rotation of a part of the body by the name of its parameter.
fn rotation(name: &str, pose: &Pose) -> Rotation {
    match name {
        "head" => pose.head,
        "torso" => pose.torso,
        "right-arm" => pose.right_arm,
        "left-arm" => pose.left_arm,
        "right-leg" => pose.right_leg,
        "left-leg" => pose.left_leg,
        "waist" => pose.waist,
        _ => pose.body,
    }
}

/// Returns `true` if a choice lists the value.
fn is_listed(value: &str, values: Labels) -> bool {
    values.iter().any(|(listed, _)| *listed == value)
}

/// Returns the angle of the picture's camera, or the default if the camera has no angles.
fn camera_angle(parameter: &Parameter, spec: &PictureSpec) -> Angle {
    if let Some([yaw, pitch, _]) = spec.camera.angles() {
        return if parameter.name == "yaw" { yaw } else { pitch };
    }
    match parameter.default {
        DefaultValue::Value(text) => Angle::degrees(text.parse().unwrap_or_default()),
        _ => Angle::ZERO,
    }
}
