//! Pictures whose player is in the query: `/v1/{view}?texture=…&uuid=…&name=…`.
//!
//! The templates of other programs know a player by several names, and some of these may be empty.
//! The picture shows the first player who is named and exists.

use effigy_parameters::{ParameterError, value};
use effigy_player::{Uuid, XUID_PREFIX, is_placeholder};
use effigy_service::{FileRequest, FileSpec, PictureParams};
use effigy_upstream::TextureHash;

use super::render_params::substitute;
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection},
    request::Operation,
};

/// The parameters that name the player, in the order in which they are tried.
pub(super) const NAMES: [&str; 3] = ["texture", "uuid", "name"];

/// The words that programs write if they have no value. Players could have these names.
const NO_VALUES: [&str; 4] = ["null", "undefined", "none", "nil"];

/// Reads a picture of the player whom a query names.
///
/// # Errors
/// If it names nobody, which is [`Rejection::NOT_FOUND`], or if a value is not valid.
pub(super) fn picture_of_query(params: PictureParams, query: &Query<'_>) -> Parsed<Operation> {
    let substitute = substitute(query)?;
    let mut inputs = filled_in(query)?.into_iter();
    let first = match inputs.next() {
        Some(input) => input,
        None => unfilled(query, substitute.is_some()).ok_or(Rejection::NOT_FOUND)?,
    };
    let mut request = FileRequest::from(FileSpec::Picture(params, first));
    for input in inputs {
        let alternative = FileSpec::Picture(params, input);
        request.alternatives.push(alternative);
    }
    request.substitute = substitute;
    Ok(Operation::File(request))
}

/// Returns the player of a query whose names are all unfilled. A placeholder leads to an error that
/// explains it. An empty player does not exist, so the default is shown.
fn unfilled(query: &Query<'_>, has_default: bool) -> Option<String> {
    for name in NAMES {
        if let Some(text) = query.get(name) {
            return Some(text.to_owned());
        }
    }
    if has_default {
        Some(String::new())
    } else {
        None
    }
}

/// Returns `true` for an empty text, and for an unfilled placeholder.
pub(super) fn is_unfilled(text: &str) -> bool {
    text.trim().is_empty() || is_placeholder(text)
}

/// Returns `true` for an identifier that is unfilled, or a word such as `null`.
pub(super) fn is_unfilled_id(text: &str) -> bool {
    let text = text.trim();
    let is_word = NO_VALUES.iter().any(|word| text.eq_ignore_ascii_case(word));
    is_unfilled(text) || is_word
}

/// Reads the names of the player that are filled in.
fn filled_in(query: &Query<'_>) -> Parsed<Vec<String>> {
    let mut inputs = Vec::new();
    for name in NAMES {
        let Some(text) = query.get(name) else {
            continue;
        };
        let is_unfilled = if name == "name" {
            is_unfilled(text)
        } else {
            is_unfilled_id(text)
        };
        if !is_unfilled {
            check(name, text)?;
            inputs.push(text.to_owned());
        }
    }
    Ok(inputs)
}

/// Checks that an identifier is one. Any other text would be read as a name, and show somebody
/// else.
fn check(name: &'static str, text: &str) -> Result<(), ParameterError> {
    let expected = match name {
        "texture" if TextureHash::parse(text).is_none() => {
            "the hash of a texture, which has 56 to 64 hexadecimal digits"
        }
        "uuid" if Uuid::parse(text).is_none() && !is_xuid(text) => {
            "a UUID, or an XUID after \"0000\""
        }
        _ => return Ok(()),
    };
    value::read::<()>(name, Some(text), |_| Err(expected.into())).map(drop)
}

fn is_xuid(text: &str) -> bool {
    text.starts_with(XUID_PREFIX) && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use effigy_render::{ImageFormat, PictureSpec, Size, View};
    use effigy_service::SubstitutePlayer;

    use super::*;
    use crate::routes::{
        request::STEVE,
        tests::{parse, rejected},
    };

    const HASH: &str = "abababababababababababababababababababababababababababababababab";
    const UUID: &str = "069a79f444e94726a5befca90e38aaf5";

    fn file(url: &str) -> FileRequest {
        match parse(url).operation {
            Ok(Operation::File(request)) => request,
            other => panic!("{url} is no picture: {other:?}"),
        }
    }

    /// Asserts that the queries name these players, in the order in which they are tried.
    fn check_inputs(rows: &[(&str, &[&str])]) {
        for (query, expected) in rows {
            for path in ["face", "figure.svg", "cube.gif", "Head.PNG", "skin"] {
                let url = format!("/v1/{path}?{query}");
                let request = file(&url);
                let specs = [&*request.spec].into_iter().chain(&request.alternatives);
                let inputs: Vec<_> = specs.map(FileSpec::input).collect();
                assert_eq!(inputs, *expected, "{url}");
            }
        }
    }

    #[test]
    fn texture_is_tried_before_uuid_and_uuid_before_name() {
        let all = format!("name=Notch&uuid={UUID}&texture={HASH}");
        check_inputs(&[
            (&all, &[HASH, UUID, "Notch"]),
            ("uuid=00002535", &["00002535"]),
        ]);
    }

    #[test]
    fn unfilled_names_are_skipped() {
        check_inputs(&[
            ("uuid=&name=Notch", &["Notch"]),
            ("texture=null&uuid=Undefined&name=Notch", &["Notch"]),
            ("texture=%texture%&name=.Two+Words", &[".Two Words"]),
            ("uuid={uuid}&name=null", &["null"]),
        ]);
    }

    #[test]
    fn placeholder_is_the_input_if_nothing_else_is_named() {
        check_inputs(&[
            ("uuid={uuid}", &["{uuid}"]),
            ("uuid={uuid}&default=steve", &["{uuid}"]),
            ("default=steve", &[""]),
        ]);
    }

    #[test]
    fn query_names_the_substitute_too() {
        for query in ["name=Notch", "uuid={uuid}", ""] {
            let url = format!("/v1/face?{query}&default=steve");
            let substitute = file(&url).substitute.unwrap();
            assert_eq!(
                substitute.player,
                SubstitutePlayer::Named(STEVE.into()),
                "{url}"
            );
        }
    }

    #[test]
    fn query_has_the_parameters_of_the_picture_too() {
        let spec = PictureSpec::new(View::Bust, Size::px(64));
        let params = PictureParams::beyond_specification(spec, ImageFormat::Svg);
        let expected = params.of_player("Notch");
        let found = parse("/v1/bust.svg?size=64&name=Notch&v=2").operation;
        assert_eq!(found, Ok(Operation::File(expected)));
    }

    #[test]
    fn malformed_identifiers_are_rejected() {
        let bad_texture = "Texture must be the hash of a texture, which has 56 to 64 hexadecimal \
                           digits";
        let bad_uuid = "Uuid must be a UUID, or an XUID after \"0000\"";
        for (query, message) in [
            ("texture=Notch&name=Notch", bad_texture),
            ("uuid=Notch", bad_uuid),
            ("uuid=069a79f4", bad_uuid),
            ("uuid=0000x", bad_uuid),
        ] {
            let url = format!("/v1/face?{query}");
            assert_eq!(rejected(&url), Rejection::bad_request(message), "{url}");
        }
    }

    #[test]
    fn picture_of_nobody_is_not_found() {
        for url in ["/v1/face", "/v1/face?size=64", "/v1/back?name=Notch"] {
            assert_eq!(rejected(url).status, 404, "{url}");
        }
    }

    #[test]
    fn player_in_the_path_has_no_other_names() {
        assert_eq!(rejected("/v1/face/Notch?uuid=1").status, 400);
    }
}
