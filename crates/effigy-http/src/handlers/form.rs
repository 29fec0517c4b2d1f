//! Forms with a skin file (`multipart/form-data`, RFC 7578), as NMSR takes them.

use std::ops::Range;

use effigy_player::Model;
use hyper::{HeaderMap, header::CONTENT_TYPE};

/// The names of the field that has the skin file.
const SKIN: [&str; 2] = ["skin", "texture"];

/// The number of fields that are read.
const MAX_FIELDS: usize = 64;

/// The longest boundary. RFC 2046, 5.1.1.
const MAX_BOUNDARY: usize = 70;

/// The end of a field's head.
const BLANK_LINE: &[u8] = b"\r\n\r\n";

/// The fields of a form that matter for a picture.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// The place of the skin file in the body.
    pub(super) skin: Range<usize>,
    /// The model, if a field names it.
    pub(super) model: Option<Model>,
}

impl Form {
    /// Parses a body. Returns `None` if it has no skin file.
    pub(super) fn parse(body: &[u8], boundary: &str) -> Option<Self> {
        let mut skin = None;
        let mut model = None;
        for field in fields(body, boundary) {
            if SKIN.contains(&&*field.name) {
                skin = Some(field.value);
            } else if model.is_none() {
                model = model_of(&field.name, &body[field.value]);
            }
        }
        Some(Self { skin: skin?, model })
    }
}

/// A field of a form.
struct Field {
    /// The name in lower case.
    name: String,
    /// The place of the value in the body.
    value: Range<usize>,
}

/// Returns the fields of a body up to the first incomplete one.
fn fields(body: &[u8], boundary: &str) -> Vec<Field> {
    let mark = format!("--{boundary}");
    let end = format!("\r\n{mark}");
    let mut fields = Vec::new();
    let Some(first) = find(body, mark.as_bytes()) else {
        return fields;
    };
    let mut start = first + mark.len();
    while fields.len() < MAX_FIELDS {
        let Some(field) = field_at(start, body, end.as_bytes()) else {
            break;
        };
        start = field.value.end + end.len();
        fields.push(field);
    }
    fields
}

/// Returns the field that begins at a place, if it is complete.
fn field_at(start: usize, body: &[u8], end: &[u8]) -> Option<Field> {
    let head_length = find(&body[start..], BLANK_LINE)?;
    let head = String::from_utf8_lossy(&body[start..start + head_length]);
    let value_start = start + head_length + BLANK_LINE.len();
    let value_length = find(&body[value_start..], end)?;
    Some(Field {
        name: name_of(&head),
        value: value_start..value_start + value_length,
    })
}

/// Returns the name of a field in lower case, or an empty one.
fn name_of(head: &str) -> String {
    let lower = head.to_ascii_lowercase();
    for line in lower.lines() {
        let Some(disposition) = line.strip_prefix("content-disposition:") else {
            continue;
        };
        for parameter in disposition.split(';') {
            if let Some(name) = parameter.trim().strip_prefix("name=") {
                return name.trim_matches('"').to_owned();
            }
        }
    }
    String::new()
}

/// Returns the model that a field names.
fn model_of(name: &str, value: &[u8]) -> Option<Model> {
    let value = String::from_utf8_lossy(value).trim().to_ascii_lowercase();
    match (name, &*value) {
        ("alex" | "slim", "false") => None,
        ("alex" | "slim", _) | ("model", "alex" | "slim") => Some(Model::Slim),
        ("model", "steve" | "wide") => Some(Model::Classic),
        _ => None,
    }
}

/// Returns the boundary between the fields, if the body is a form.
pub(super) fn boundary(headers: &HeaderMap) -> Option<String> {
    let media_type = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    for parameter in media_type.split(';').skip(1) {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let value = value.trim().trim_matches('"');
        let is_boundary = name.trim().eq_ignore_ascii_case("boundary");
        if is_boundary && (1..=MAX_BOUNDARY).contains(&value.len()) {
            return Some(value.to_owned());
        }
    }
    None
}

/// Returns the place where a text begins.
fn find(body: &[u8], text: &[u8]) -> Option<usize> {
    body.windows(text.len()).position(|window| window == text)
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    /// A form as curl sends it.
    const BODY: &str = "--x\r\nContent-Disposition: form-data; name=\"alex\"\r\n\r\n\r\n\
        --x\r\nContent-Disposition: form-data; name=\"Skin\"; filename=\"s.png\"\r\n\
        Content-Type: image/png\r\n\r\nfile\r\n--y\r\n--x--\r\n";

    #[test]
    fn form_has_a_skin_and_a_model() {
        let form = Form::parse(BODY.as_bytes(), "x").unwrap();
        assert_eq!(&BODY[form.skin], "file\r\n--y");
        assert_eq!(form.model, Some(Model::Slim));
    }

    #[test]
    fn fields_name_the_model() {
        let slim = Some(Model::Slim);
        for (name, value, model) in [
            ("alex", "", slim),
            ("slim", "true", slim),
            ("slim", "False", None),
            ("model", "Alex", slim),
            ("model", "steve", Some(Model::Classic)),
            ("model", "wide", Some(Model::Classic)),
            ("model", "thin", None),
            ("skin", "slim", None),
        ] {
            assert_eq!(model_of(name, value.as_bytes()), model, "{name}={value}");
        }
    }

    #[test]
    fn incomplete_form_has_no_skin() {
        let complete = BODY.len() - "--\r\n".len();
        for length in 0..complete {
            assert_eq!(
                Form::parse(&BODY.as_bytes()[..length], "x"),
                None,
                "{length}"
            );
        }
        assert!(Form::parse(&BODY.as_bytes()[..complete], "x").is_some());
        assert_eq!(Form::parse(BODY.as_bytes(), "z"), None);
    }

    #[test]
    fn boundary_is_a_parameter_of_the_media_type() {
        let long = format!("multipart/form-data; boundary={}", "x".repeat(71));
        let rows = [
            ("multipart/form-data; boundary=x", Some("x")),
            (
                "multipart/form-data; charset=utf-8; Boundary=\"a b\"",
                Some("a b"),
            ),
            ("multipart/form-data", None),
            ("multipart/form-data; boundary=", None),
            (&long, None),
        ];
        for (value, expected) in rows {
            let value = HeaderValue::from_str(value).unwrap();
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, value)]);
            assert_eq!(boundary(&headers).as_deref(), expected);
        }
    }
}
