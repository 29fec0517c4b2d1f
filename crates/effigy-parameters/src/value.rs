//! Parsers of values.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::str::FromStr;

use effigy_render::{Angle, ParseError, Rotation, View};

use crate::find_view;

const ROTATION: &str = "three numbers from -180 to 180 with commas between them";
const DIRECTION: &str = "a yaw from -360 to 360, a comma and a pitch from -90 to 90";
const COLOR: &str =
    "\"rgb\", \"rrggbb\" or \"rrggbbaa\" in hexadecimal digits, or a basic name such as \"white\"";

/// The names of colors: `transparent`, and the basic ones of HTML 4. The numbers are RGBA.
#[rustfmt::skip]
pub const COLORS: [(&str, u32); 17] = [
    ("transparent", 0x0000_0000), ("black", 0x0000_00ff), ("silver", 0xc0c0_c0ff),
    ("gray", 0x8080_80ff), ("white", 0xffff_ffff), ("maroon", 0x8000_00ff),
    ("red", 0xff00_00ff), ("purple", 0x8000_80ff),
    ("fuchsia", 0xff00_ffff), ("green", 0x0080_00ff), ("lime", 0x00ff_00ff), ("olive", 0x8080_00ff),
    ("yellow", 0xffff_00ff), ("navy", 0x0000_80ff), ("blue", 0x0000_ffff), ("teal", 0x0080_80ff),
    ("aqua", 0x00ff_ffff),
];

/// A value, or a phrase about the accepted texts, such as "a number".
pub type Parsed<T> = Result<T, Cow<'static, str>>;

/// A value that a parameter doesn't accept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} must be {expected}")]
pub struct ParameterError {
    /// The name of the parameter.
    pub name: &'static str,
    /// A phrase about the accepted values.
    pub expected: Cow<'static, str>,
}

/// Parses the value of a parameter, if there is one.
///
/// # Errors
///
/// If the parser refuses the value.
pub fn read<T>(
    name: &'static str,
    value: Option<&str>,
    parse: impl FnOnce(&str) -> Parsed<T>,
) -> Result<Option<T>, ParameterError> {
    let value = value.map(parse).transpose();
    value.map_err(|expected| ParameterError { name, expected })
}

/// Parses a whole number in decimal digits.
///
/// # Errors
///
/// If the text is not a number in the range.
pub fn whole_number(text: &str, range: RangeInclusive<u32>) -> Parsed<u32> {
    // The parser of numbers accepts a sign.
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_decimal
        && let Ok(number) = text.parse()
        && range.contains(&number)
    {
        return Ok(number);
    }
    Err(format!("a whole number from {} to {}", range.start(), range.end()).into())
}

/// Parses a number.
///
/// # Errors
///
/// If the text is not a number, or infinite.
pub fn number(text: &str) -> Parsed<f64> {
    let number = parse_float(text);
    if number.is_finite() {
        Ok(number)
    } else {
        Err("a number".into())
    }
}

/// Parses a number in a range.
///
/// # Errors
///
/// If the text is not a number in the range.
pub fn decimal(text: &str, range: RangeInclusive<i32>) -> Parsed<f64> {
    let (min, max) = range.into_inner();
    match number(text) {
        Ok(number) if number >= min.into() && number <= max.into() => Ok(number),
        _ => Err(format!("a number from {min} to {max}").into()),
    }
}

/// Parses one of the words of an enum, in any letter case.
///
/// # Errors
///
/// If the enum has no such word.
pub fn word<T: FromStr<Err = ParseError>>(text: &str) -> Parsed<T> {
    let word = text.to_ascii_lowercase().parse();
    word.map_err(|error: ParseError| quoted(&error.expected).into())
}

/// Parses the word of a view, as [`find_view`] does.
///
/// # Errors
///
/// If no view has the word.
pub fn view(text: &str) -> Parsed<View> {
    find_view(text).ok_or_else(|| quoted(View::WORDS).into())
}

/// Returns the position of a text in a list of words, in any letter case.
///
/// # Errors
///
/// If the list does not have the word.
pub fn position(text: &str, words: &[&str]) -> Parsed<usize> {
    let position = words
        .iter()
        .position(|word| word.eq_ignore_ascii_case(text));
    position.ok_or_else(|| quoted(words).into())
}

/// Parses a switch in any letter case: `true`, `1`, `yes`, `on` or nothing, and `false`, `0`, `no`
/// or `off`.
///
/// # Errors
///
/// If the text is not a switch.
pub fn switch(text: &str) -> Parsed<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" | "" => Ok(true),
        "false" | "0" | "no" | "off" => Ok(false),
        _ => Err("\"true\" or \"false\"".into()),
    }
}

/// Parses a color in any letter case: `rrggbb`, `rgb`, or `rrggbbaa` with an opacity, with or
/// without `#` before it; one of the 16 basic color names of HTML, such as `white`; or
/// `transparent`. Returns `None` for an invisible color.
///
/// # Errors
///
/// If the text is not a color.
pub fn color(text: &str) -> Parsed<Option<[u8; 4]>> {
    let is_named = |(name, _): &&(&str, u32)| name.eq_ignore_ascii_case(text);
    let named = COLORS.iter().find(is_named).map(|(_, color)| *color);
    let number = named.or_else(|| hexadecimal(text)).ok_or(COLOR)?;
    let color @ [.., alpha] = number.to_be_bytes();
    if alpha == 0 {
        return Ok(None);
    }
    Ok(Some(color))
}

fn hexadecimal(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    // The parser of numbers accepts a sign.
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let number = u32::from_str_radix(digits, 16).ok()?;
    match digits.len() {
        3 => {
            let doubled = |digit: u32| (digit & 0xf) * 0x11;
            let red = doubled(number >> 8);
            let green = doubled(number >> 4);
            let blue = doubled(number);
            Some(red << 24 | green << 16 | blue << 8 | 0xff)
        }
        6 => Some(number << 8 | 0xff),
        8 => Some(number),
        _ => None,
    }
}

/// Parses a rotation: three angles in degrees, separated by commas.
///
/// # Errors
///
/// If the text is not a rotation.
pub fn rotation(text: &str) -> Parsed<Rotation> {
    let mut angles = [0.0; 3];
    let mut numbers = text.split(',');
    for angle in &mut angles {
        let number = numbers.next().ok_or(ROTATION)?;
        *angle = decimal(number.trim(), -180..=180).map_err(|_| ROTATION)?;
    }
    if numbers.next().is_some() {
        return Err(ROTATION.into());
    }
    let [x, y, z] = angles;
    Ok(Rotation::degrees(x, y, z))
}

/// Parses a direction: a yaw and a pitch in degrees, separated by a comma.
///
/// # Errors
///
/// If the text is not a direction.
pub fn direction(text: &str) -> Parsed<[Angle; 2]> {
    let (yaw, pitch) = text.split_once(',').ok_or(DIRECTION)?;
    let yaw = decimal(yaw.trim(), -360..=360).map_err(|_| DIRECTION)?;
    let pitch = decimal(pitch.trim(), -90..=90).map_err(|_| DIRECTION)?;
    Ok([Angle::degrees(yaw), Angle::degrees(pitch)])
}

#[cfg(not(target_arch = "wasm32"))]
fn parse_float(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
extern "C" {
    /// The parser of JavaScript. Rust's would make up a tenth of the module for browsers.
    #[wasm_bindgen(js_name = parseFloat)]
    fn parse_float(text: &str) -> f64;
}

/// Joins words in quotes to an English list, such as `"a", "b" or "c"`.
#[must_use]
pub fn quoted(words: &[&str]) -> String {
    list(words.iter().map(|word| format!("\"{word}\"")), " or ")
}

/// Joins words to an English list, with commas and `last` before the last word.
#[must_use]
pub fn list(words: impl Iterator<Item = String>, last: &str) -> String {
    let words: Vec<String> = words.collect();
    match words.split_last() {
        None => String::new(),
        Some((only_word, [])) => only_word.clone(),
        Some((last_word, others)) => others.join(", ") + last + last_word,
    }
}

#[cfg(test)]
mod tests;
