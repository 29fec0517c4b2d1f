//! The parts of the element that are written from the table of parameters.
//!
//! `EFFIGY_BLESS=1 cargo test -p effigy-wasm` writes them again.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::{env, fs, path::Path};

use effigy_parameters::{DefaultValue, Limits, Output, Parameter, find, parameters};
use effigy_render::{Camera, NamedPose, Outline, View};

const BEGIN: &str = "// From the table of parameters:\n";
const END: &str = "// end of the table of parameters.\n";

/// The columns of a line of names.
const COLUMNS: usize = 100;

/// Returns the parameters that are attributes. A picture's `v` is of no use to an element.
fn attributes() -> impl Iterator<Item = &'static Parameter> {
    parameters().filter(|parameter| parameter.belongs_to(Output::Texture) && parameter.name != "v")
}

/// Returns names in quotes, in lines of a script.
fn quoted_lines<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for name in names {
        let item = format!(" \"{name}\",");
        if line.len() + item.len() + 1 > COLUMNS {
            lines = lines + " " + &line + "\n";
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
        let [yaw, pitch, _] = pose.camera().angles().unwrap();
        if pose.camera() == Camera::DEFAULT {
            continue;
        }
        let mut words = vec![pose.as_str()];
        for (list, meant) in synonyms {
            if *meant == pose.as_str() {
                words.extend(list.split(' '));
            }
        }
        let entries = words
            .iter()
            .map(|word| format!("  \"{word}\": [{yaw}, {pitch}],\n"));
        lines.extend(entries);
    }
    lines
}

/// Returns the constants of the element.
fn constants() -> String {
    let free = View::ALL.iter().filter(|view| view.is_free());
    let free: Vec<String> = free.map(|view| format!("\"{view}\"")).collect();
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
        free.join(", "),
        default_of("size"),
        default_of("yaw"),
        default_of("pitch"),
        Limits::SERVICE.size,
        Limits::SERVICE.padding,
        Outline::MAX_WIDTH,
        sides(),
    )
}

/// Returns the properties of the element. Its angles are numbers, and declared elsewhere.
fn properties() -> String {
    let mut lines = String::new();
    for parameter in attributes() {
        if ["yaw", "pitch"].contains(&parameter.name) {
            continue;
        }
        let name = parameter.name;
        let key = if name.contains('-') {
            format!("\"{name}\"")
        } else {
            name.to_owned()
        };
        lines += &format!("  get {key}(): string | null; set {key}(value: Value);\n");
    }
    lines + "  "
}

/// Asserts that a file has this text between the marks, or writes it.
#[track_caller]
fn assert_written(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("npm").join(file);
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
    assert_written("effigy-figure.js", &constants());
}

#[test]
fn types_are_those_of_the_table() {
    assert_written("effigy-figure.d.ts", &properties());
}
