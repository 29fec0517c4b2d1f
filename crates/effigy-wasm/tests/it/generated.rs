//! The parts of the package that are written from the table of parameters.
//!
//! `EFFIGY_BLESS=1 cargo test -p effigy-wasm` writes them again.

use std::{env, fs};

use effigy_parameters::{
    DefaultValue, Kind, Limits, Output, Parameter, find, find_view, parameters,
};
use effigy_render::{Camera, NamedPose, Outline, View};

use crate::support::npm;

const BEGIN: &str = "// From the table of parameters:\n";
const END: &str = "// end of the table of parameters.\n";

/// The columns of a line in the package.
const COLUMNS: usize = 100;

/// Other words for views that the package for Node.js declares.
const NODE_VIEW_SYNONYMS: [&str; 5] = ["head", "player", "avatar", "iosbody", "ioshead"];

/// Asserts that a file has this text between the marks, or writes it.
#[track_caller]
fn assert_written(file: &str, text: &str) {
    let path = npm().join(file);
    let whole = fs::read_to_string(&path).unwrap();
    let (before, rest) = whole.split_once(BEGIN).unwrap();
    let (written, after) = rest.split_once(END).unwrap();
    if env::var_os("EFFIGY_BLESS").is_some() {
        fs::write(path, [before, BEGIN, text, END, after].concat()).unwrap();
        return;
    }
    assert!(
        written == text,
        "{file} differs from the table: run `EFFIGY_BLESS=1 cargo test -p effigy-wasm`\n{text}"
    );
}

#[test]
fn attributes_are_those_of_the_table() {
    assert_written("effigy-figure.js", &element_constants());
}

#[test]
fn properties_are_those_of_the_table() {
    assert_written("effigy-figure.d.ts", &element_properties());
}

#[test]
fn types_for_node_are_those_of_the_table() {
    for word in NODE_VIEW_SYNONYMS {
        assert!(find_view(word).is_some(), "{word}");
    }
    assert_written("node/index.d.ts", &node_types());
}

/// Returns the parameters that are attributes. A picture's `v` is of no use to an element.
fn attributes() -> impl Iterator<Item = &'static Parameter> {
    parameters().filter(|parameter| parameter.belongs_to(Output::Texture) && parameter.name != "v")
}

/// Returns the constants of the element.
fn element_constants() -> String {
    let free_views = View::ALL.iter().filter(|view| view.is_free());
    let free_views: Vec<String> = free_views.map(|view| format!("\"{view}\"")).collect();
    let names = quoted_lines(attributes().map(|parameter| parameter.name));
    format!(
        "/** The attributes that are parameters of URLs. */\n\
         const PARAMETERS = [\n{names}];\n\
         const TURNING_VIEWS = [{}];\n\
         const DEFAULT_WIDTH = {};\n\
         const DEFAULT_YAW = {};\n\
         const DEFAULT_PITCH = {};\n\
         const MAX_SIZE = {};\n\
         const MAX_PADDING = {};\n\
         const MAX_OUTLINE = {};\n\
         /** The sides from which some poses are seen best: yaw and pitch. */\n\
         const SIDES = {{\n{}}};\n",
        free_views.join(", "),
        default_of("size"),
        default_of("yaw"),
        default_of("pitch"),
        Limits::SERVICE.size,
        Limits::SERVICE.padding,
        Outline::MAX_WIDTH,
        sides(),
    )
}

/// Returns names in quotes, in lines of a script.
fn quoted_lines<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for name in names {
        let item = format!(" \"{name}\",");
        if line.len() + item.len() + 1 > COLUMNS {
            lines += &format!(" {line}\n");
            line.clear();
        }
        line += &item;
    }
    lines + " " + &line + "\n"
}

fn default_of(name: &str) -> &'static str {
    match find(name).unwrap().default {
        DefaultValue::Value(value) => value,
        other => panic!("{name} has no fixed default: {other:?}"),
    }
}

/// Returns the yaw and the pitch of poses that are not seen best from the default side, each with
/// the words for the pose.
fn sides() -> String {
    let mut lines = String::new();
    let synonyms = find("pose").unwrap().value_synonyms;
    for pose in NamedPose::ALL {
        if pose.camera() == Camera::DEFAULT {
            continue;
        }
        let [yaw, pitch, _] = pose.camera().angles().unwrap();
        let mut words = vec![pose.as_str()];
        for (list, meant) in synonyms {
            if *meant == pose.as_str() {
                words.extend(list.split(' '));
            }
        }
        for word in words {
            lines += &format!("  \"{word}\": [{yaw}, {pitch}],\n");
        }
    }
    lines
}

/// Returns the properties of the element. Its angles are numbers, and declared elsewhere.
fn element_properties() -> String {
    let mut lines = String::new();
    for parameter in attributes() {
        if ["yaw", "pitch"].contains(&parameter.name) {
            continue;
        }
        let key = key(parameter.name);
        lines += &format!("  get {key}(): string | null; set {key}(value: Value);\n");
    }
    lines + "  "
}

/// Returns the types of the views and of the parameters of the package for Node.js.
fn node_types() -> String {
    let views = View::WORDS.iter().copied().chain(NODE_VIEW_SYNONYMS);
    let views = union_lines(views);
    let mut types =
        format!("/** The views, and their other names. */\nexport type View ={views};\n");
    types += "\n/** The parameters of URLs. One that is null or undefined has its default. */\n";
    types += "export interface PictureSettings {\n";
    for parameter in parameters() {
        if parameter.changes_one_player() {
            types += &format!("  /** {}. */\n", parameter.help);
            let key = key(parameter.name);
            types += &format!("  {key}?: {} | null;\n", node_type(parameter));
        }
    }
    types + "}\n"
}

/// Returns the type of a parameter's value.
fn node_type(parameter: &Parameter) -> String {
    match parameter.kind {
        Kind::Switch(_) => "boolean".to_owned(),
        Kind::SwitchOrAngle(..) => "boolean | number".to_owned(),
        Kind::WholeNumber { .. } | Kind::Number { .. } => "number".to_owned(),
        Kind::Word(words, _) => format!("Word<{}>", union_lines(words.iter().copied())),
        Kind::Angles(_) => "Angles".to_owned(),
        Kind::Direction(_) => "Direction".to_owned(),
        Kind::Color(_) => "Color".to_owned(),
        other => panic!("{} has no type: {other:?}", parameter.name),
    }
}

/// Returns the union of words: in one line if it is short, else in lines of their own.
fn union_lines<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
    let union = words.join(" | ");
    if union.len() < COLUMNS / 2 {
        return union;
    }
    let mut lines = String::new();
    let mut line = String::from("\n   ");
    for word in words {
        if line.len() + word.len() + 3 > COLUMNS {
            lines += &line;
            line = String::from("\n   ");
        }
        line += &format!(" | {word}");
    }
    lines + &line
}

/// Returns a name as TypeScript writes the key of an object.
fn key(name: &str) -> String {
    if name.contains('-') {
        format!("\"{name}\"")
    } else {
        name.to_owned()
    }
}
