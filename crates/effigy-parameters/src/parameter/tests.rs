//! Properties of the parsers of values.

use effigy_render::Angle;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::parameters;

/// Texts of any kind, and texts of the characters that values have.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{0,30}",
        "[-+0-9.,e]{0,24}",
        "-?[0-9]{1,3}(\\.[0-9]{1,3})?(, ?-?[0-9]{1,2}){0,3}",
        "#?[0-9a-fA-F]{0,9}",
        select(every_word()),
    ]
}

/// Returns the words and examples of all parameters.
fn every_word() -> Vec<String> {
    let mut every_word = Vec::new();
    for parameter in parameters() {
        every_word.push(parameter.example.to_owned());
        if let Kind::Word(words, _) = parameter.kind {
            every_word.extend(words.iter().map(|&word| word.to_owned()));
        }
    }
    every_word
}

/// Writes a value as text, or returns `None` for one that has no text of its own.
fn written(kind: Kind, value: &Assignment) -> Option<String> {
    let degrees = |angles: &[Angle]| {
        let numbers = angles.iter().map(|angle| angle.to_degrees().to_string());
        numbers.collect::<Vec<String>>().join(",")
    };
    Some(match (value, kind) {
        (Assignment::Switch(_, on), _) => on.to_string(),
        (Assignment::WholeNumber(_, number), _) => number.to_string(),
        // With a decimal point, because `cape=0` is a switch and `cape=0.0` an angle.
        (Assignment::Number(_, number), _) => format!("{number:?}"),
        (Assignment::Word(_, position), Kind::Word(words, _)) => words[*position].to_owned(),
        (Assignment::Angles(_, rotation), _) => degrees(&[rotation.x, rotation.y, rotation.z]),
        (Assignment::Direction(_, direction), _) => degrees(direction),
        (Assignment::Color(_, Some([r, g, b, a])), _) => format!("{r:02x}{g:02x}{b:02x}{a:02x}"),
        (Assignment::Color(_, None), _) => "transparent".to_owned(),
        _ => return None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn accepted_value_parses_again(text in any_text()) {
        for parameter in parameters() {
            let Ok(value) = parameter.parse_value(&text, &Limits::NONE) else {
                continue;
            };
            let Some(written) = written(parameter.kind, &value) else {
                continue;
            };
            let again = parameter.parse_value(&written, &Limits::NONE);
            let again = again.map(|again| format!("{again:?}"));
            prop_assert_eq!(again, Ok(format!("{value:?}")), "{}={}", parameter.name, written);
        }
    }
}
