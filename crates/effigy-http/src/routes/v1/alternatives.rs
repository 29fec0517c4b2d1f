//! Pictures whose player is in the query: `/v1/{view}?texture=…&uuid=…&name=…`.
//!
//! Templates of other programs know a player by several names, of which some may be empty. The
//! first one that is filled in and exists is shown.

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

/// The words that programs write where they have no value. They could be names of players.
const NO_VALUES: [&str; 4] = ["null", "undefined", "none", "nil"];

/// Reads a picture of the player whom a query names.
///
/// # Errors
/// If it names nobody, which is "not found", or if a value cannot be read.
pub(super) fn picture_of_query(params: PictureParams, query: &Query<'_>) -> Parsed<Operation> {
    let substitute = substitute(query)?;
    let mut inputs = filled_in(query)?;
    if inputs.is_empty() {
        match NAMES.into_iter().find_map(|name| query.get(name)) {
            // The reason is the answer, unless there is a default.
            Some(unfilled) => inputs.push(unfilled.to_owned()),
            None if substitute.is_some() => inputs.push(String::new()),
            None => return Err(Rejection::NOT_FOUND),
        }
    }
    let mut specs = Vec::new();
    for input in inputs {
        specs.push(FileSpec::Picture(params, input));
    }
    let first = specs.remove(0);
    let mut request = FileRequest::from(first);
    request.alternatives = specs;
    request.substitute = substitute;
    Ok(Operation::File(request))
}

/// Returns `true` for an empty text, and for a placeholder that nobody has filled in.
pub(super) fn is_unfilled(text: &str) -> bool {
    text.trim().is_empty() || is_placeholder(text)
}

/// Returns `true` for an identifier that is not filled in, or says that there is none.
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
            checked(name, text)?;
            inputs.push(text.to_owned());
        }
    }
    Ok(inputs)
}

/// Checks that a value is of the kind of its parameter: others could name somebody else.
fn checked(name: &'static str, text: &str) -> Result<(), ParameterError> {
    let is_xuid = text.starts_with(XUID_PREFIX) && text.bytes().all(|byte| byte.is_ascii_digit());
    let expected = match name {
        "texture" if TextureHash::parse(text).is_none() => {
            "the hash of a texture, which has 56 to 64 hexadecimal digits"
        }
        "uuid" if Uuid::parse(text).is_none() && !is_xuid => "a UUID, or an XUID after \"0000\"",
        _ => return Ok(()),
    };
    value::read::<()>(name, Some(text), |_| Err(expected.into())).map(drop)
}

#[cfg(test)]
mod tests {
    use effigy_render::{ImageFormat, PictureSpec, Size, View};

    use super::*;
    use crate::routes::{
        request::STEVE,
        tests::{parse, rejected},
    };

    const HASH: &str = "abababababababababababababababababababababababababababababababab";
    const UUID: &str = "069a79f444e94726a5befca90e38aaf5";

    /// The inputs that a URL names in their order, and the default.
    fn inputs(url: &str) -> (Vec<String>, Option<String>) {
        let Ok(Operation::File(request)) = parse(url).operation else {
            panic!("{url} is no picture: {:?}", parse(url).operation);
        };
        let specs = [&*request.spec].into_iter().chain(&request.alternatives);
        let inputs = specs.map(|spec| spec.input().into_owned()).collect();
        let substitute = request.substitute;
        (inputs, substitute.map(|other| other.player.into_owned()))
    }

    #[test]
    fn a_query_names_a_player_in_several_ways() {
        let all = format!("name=Notch&uuid={UUID}&texture={HASH}");
        let rows: [(&str, &[&str], Option<&str>); 10] = [
            (&all, &[HASH, UUID, "Notch"], None),
            ("uuid=&name=Notch", &["Notch"], None),
            ("texture=null&uuid=Undefined&name=Notch", &["Notch"], None),
            ("texture=%texture%&name=.Two+Words", &[".Two Words"], None),
            ("uuid={uuid}&name=null", &["null"], None),
            ("uuid=00002535&name=", &["00002535"], None),
            ("name=Notch&default=steve", &["Notch"], Some(STEVE)),
            ("default=steve", &[""], Some(STEVE)),
            ("uuid={uuid}&default=steve", &["{uuid}"], Some(STEVE)),
            ("uuid={uuid}", &["{uuid}"], None),
        ];
        for (query, expected, default) in rows {
            for path in ["face", "figure.svg", "cube.gif", "Head.PNG", "skin"] {
                let url = format!("/v1/{path}?{query}");
                let (found, substitute) = inputs(&url);
                assert_eq!(found, expected, "{url}");
                assert_eq!(substitute.as_deref(), default, "{url}");
            }
        }
    }

    #[test]
    fn a_query_has_the_parameters_of_its_picture() {
        let spec = PictureSpec::new(View::Bust, Size::px(64));
        let params = PictureParams::extension(spec, ImageFormat::Svg);
        let expected = params.of_player("Notch");
        let found = parse("/v1/bust.svg?size=64&name=Notch&v=2").operation;
        assert_eq!(found, Ok(Operation::File(expected)));
    }

    #[test]
    fn values_that_could_be_somebody_else_are_errors() {
        let bad_texture = "Texture must be the hash of a texture, which has 56 to 64 hexadecimal \
                           digits";
        let bad_uuid = "Uuid must be a UUID, or an XUID after \"0000\"";
        for (query, message) in [
            ("texture=Notch&name=Notch", bad_texture),
            ("uuid=Notch", bad_uuid),
            ("uuid=069a79f4", bad_uuid),
            ("uuid=0000x", bad_uuid),
            ("name=a&name=b", "Duplicate parameter \"name\""),
        ] {
            let url = format!("/v1/face?{query}");
            assert_eq!(rejected(&url), Rejection::bad_request(message), "{url}");
        }
        for url in ["/v1/face", "/v1/face?size=64", "/v1/back?name=Notch"] {
            assert_eq!(rejected(url).status, 404, "{url}");
        }
        // A path that names the player has no other names.
        assert_eq!(rejected("/v1/face/Notch?uuid=1").status, 400);
    }
}
