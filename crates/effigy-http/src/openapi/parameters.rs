//! The table of parameters, as components of the document.

use effigy_parameters::{
    DefaultValue, Kind, Limits, MAX_PLAYERS, Output, Parameter, parameters, value::COLORS,
};
use effigy_render::View;
use serde_json::{Map, Value, json};

use super::reference;
use crate::routes::capitalized;

/// The outputs by their words in the file.
const OUTPUTS: [(&str, Output); 8] = [
    ("picture", Output::Picture),
    ("moving", Output::Moving),
    ("texture", Output::Texture),
    ("group", Output::Group),
    ("sheet", Output::Sheet),
    ("skin", Output::Skin),
    ("cape", Output::Cape),
    ("profiles", Output::Profiles),
];

/// Adds the parameters and the schemas of their values to the components.
pub(super) fn add_components(components: &mut Value) {
    for parameter in parameters() {
        components["parameters"][parameter.name] = component(parameter);
        if let Kind::Word(words, _) = parameter.kind {
            let schema = json!({ "type": "string", "enum": words });
            components["schemas"][schema_name(parameter)] = schema;
        }
    }
    components["schemas"]["Angles"] = json!({
        "type": "string",
        "description": "Three angles in degrees, from -180 to 180, separated by commas.",
    });
    components["schemas"]["LightDirection"] = json!({
        "type": "string",
        "description": "A yaw from -360 to 360 and a pitch from -90 to 90, in degrees, separated by \
                        a comma.",
    });
    components["schemas"]["Color"] = json!({ "type": "string", "pattern": color_pattern() });
}

/// Adds the parameters of its output to an operation. A parameter of the operation itself replaces
/// one of the same name.
pub(super) fn add_to_operation(operation: &mut Value, components: &Value) {
    let fields = operation
        .as_object_mut()
        .expect("an operation is an object");
    let Some(word) = fields.remove("output") else {
        return;
    };
    let output = output(&word);
    let has_body = fields.contains_key("requestBody");
    let listed = fields["parameters"].as_array_mut();
    let listed = listed.expect("an operation lists its parameters");
    let own = query_names(listed, components);
    for parameter in parameters() {
        // Generated clients have an argument `body` for the body of a request. With a second one of
        // that name, they would not compile.
        let is_body = has_body && parameter.name == "body";
        let is_own = own.contains(&parameter.name.into());
        if parameter.is_useful_in(output) && !is_own && !is_body {
            listed.push(parameter.name.into());
        }
    }
}

fn output(word: &Value) -> Output {
    let found = OUTPUTS.iter().find(|(known, _)| word == *known);
    let (_, output) = found.expect("the file only has known words of outputs");
    *output
}

/// Returns the names of the parameters with these keys that are in the query.
fn query_names(keys: &[Value], components: &Value) -> Vec<Value> {
    let mut names = Vec::new();
    for key in keys {
        let parameter = &components["parameters"][key.as_str().unwrap_or_default()];
        if parameter["in"] == "query" {
            names.push(parameter["name"].clone());
        }
    }
    names
}

/// Returns a parameter as a component.
fn component(parameter: &Parameter) -> Value {
    let mut component = Map::new();
    component.insert("name".to_owned(), parameter.name.into());
    component.insert("in".to_owned(), "query".into());
    if parameter.required {
        component.insert("required".to_owned(), true.into());
    }
    component.insert("example".to_owned(), example(parameter));
    component.insert("description".to_owned(), parameter.description().into());
    component.insert("schema".to_owned(), schema(parameter));
    if matches!(parameter.kind, Kind::List) {
        component.insert("style".to_owned(), "form".into());
        component.insert("explode".to_owned(), false.into());
    }
    component.into()
}

fn example(parameter: &Parameter) -> Value {
    typed(parameter.kind, parameter.example)
}

/// Returns a value as the type that its schema has.
fn typed(kind: Kind, text: &str) -> Value {
    match kind {
        Kind::WholeNumber { .. } | Kind::Number { .. } => {
            serde_json::from_str(text).expect("the table has numbers")
        }
        Kind::List => text.split(',').collect(),
        _ => text.into(),
    }
}

/// Returns the schema of a parameter's values.
fn schema(parameter: &Parameter) -> Value {
    let mut schema = match parameter.kind {
        Kind::Switch(_) => schema_reference("Switch"),
        Kind::SwitchOrAngle(..) => {
            let angle = json!({ "type": "number", "minimum": 0, "maximum": 180 });
            json!({ "anyOf": [schema_reference("Switch"), angle] })
        }
        Kind::WholeNumber { min, max, .. } => {
            let max = max(&Limits::SERVICE);
            json!({ "type": "integer", "minimum": min, "maximum": max })
        }
        Kind::Number { min, max, .. } => {
            json!({ "type": "number", "minimum": min, "maximum": max })
        }
        Kind::Word(..) => schema_reference(&schema_name(parameter)),
        Kind::View => schema_reference("View"),
        Kind::Angles(_) => schema_reference("Angles"),
        Kind::Direction(_) => schema_reference("LightDirection"),
        Kind::Color(_) => schema_reference("Color"),
        Kind::Text => json!({ "type": "string" }),
        Kind::List => json!({
            "type": "array",
            "items": { "type": "string", "minLength": 1 },
            "minItems": 1,
            "maxItems": MAX_PLAYERS,
        }),
    };
    // Clients may send a documented default with any view.
    if let DefaultValue::Value(text) = parameter.default
        && View::ALL.iter().all(|view| parameter.accepts(*view))
    {
        schema["default"] = typed(parameter.kind, text);
    }
    schema
}

fn schema_reference(schema: &str) -> Value {
    reference("schemas", schema)
}

/// Returns the name of the schema of a parameter with words.
fn schema_name(parameter: &Parameter) -> String {
    camel_case(parameter.name)
}

/// Returns a name with dashes in the case of schemas: `LightFrom` for `light-from`.
fn camel_case(name: &str) -> String {
    name.split('-').map(capitalized).collect()
}

/// Returns the pattern of colors.
fn color_pattern() -> String {
    let names = COLORS.map(|(name, _)| name).join("|");
    format!("^(#?([0-9a-fA-F]{{3}}|[0-9a-fA-F]{{6}}([0-9a-fA-F]{{2}})?)|{names})$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_named_in_camel_case() {
        assert_eq!(camel_case("pose"), "Pose");
        assert_eq!(camel_case("light-from"), "LightFrom");
    }
}
