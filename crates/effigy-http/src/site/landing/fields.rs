//! The fields of the page, which follow from the table of parameters.

use effigy_parameters::{Control, DefaultValue, Kind, Labels, Parameter, parameters};
use effigy_render::{Angle, PictureSpec, Size, View};
use serde_json::{Value, json};

/// The size of the small picture of each value.
const TILE: Size = Size::px(32);

/// The number of values from which on their pictures have a row of their own.
const MANY: usize = 5;

/// Returns the fields of the parameters, with the values that the page has chosen.
pub(super) fn fields(chosen: &[(&'static str, String)]) -> Vec<Value> {
    let mut fields = Vec::new();
    for parameter in parameters() {
        let value = chosen.iter().find(|pair| pair.0 == parameter.name);
        let value = value.map(|(_, value)| value.as_str());
        if let Some(mut field) = field(parameter, value) {
            field["name"] = parameter.name.into();
            fields.push(field);
        }
    }
    fields
}

/// Returns the field of a parameter, if it has one.
fn field(parameter: &Parameter, value: Option<&str>) -> Option<Value> {
    match parameter.control {
        Control::Hidden => None,
        Control::Number { label } => Some(json!({
            "control": "number",
            "label": label,
            "value": value,
        })),
        Control::Slider { label, limit } => {
            let default = default_angle(parameter);
            let degrees = value.and_then(|text| text.parse().ok());
            let angle = degrees.map_or(default, Angle::degrees);
            Some(json!({
                "control": "slider",
                "label": label,
                "limit": limit,
                "value": angle.to_string(),
                "default": default.to_string(),
            }))
        }
        Control::Choice { label, values } => Some(json!({
            "control": "choice",
            "label": label,
            "values": values,
            "value": value.unwrap_or_default(),
            "is_listed": is_listed(value, values),
            "is_color": matches!(parameter.kind, Kind::Color(_)),
        })),
        Control::Tiles {
            label,
            view,
            values,
        } => Some(tiles(label, view, values, value)),
    }
}

fn tiles(label: &str, view: View, values: Labels, value: Option<&str>) -> Value {
    let spec = PictureSpec::new(view, TILE);
    let control = if values.len() < MANY {
        "few_tiles"
    } else {
        "tiles"
    };
    json!({
        "control": control,
        "label": label,
        "values": values,
        "value": value.unwrap_or_default(),
        "view": view.as_str(),
        "width": spec.width(),
        "height": spec.height(),
    })
}

/// Returns `true` if a choice lists the value, or if there is no value.
fn is_listed(value: Option<&str>, values: Labels) -> bool {
    let value = value.unwrap_or_default();
    values.iter().any(|(listed, _)| *listed == value)
}

/// Returns the angle of a parameter if nobody chooses another one.
fn default_angle(parameter: &Parameter) -> Angle {
    match parameter.default {
        DefaultValue::Value(text) => Angle::degrees(text.parse().unwrap_or_default()),
        _ => Angle::ZERO,
    }
}
