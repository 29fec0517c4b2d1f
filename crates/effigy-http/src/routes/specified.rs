//! The routes of pictures without a prefix, and of previews, whose paths have the same form.

use effigy_render::{Facing, Layers};
use effigy_service::{
    DIRECTION_ERROR, Endpoint, PictureParams, SizeParameter, parse_facing, parse_layers,
};

use super::{
    query::Query,
    request::{Operation, ParsedRequest, Rejection},
};

/// Returns the request for `/{word}/{player}` and what follows.
pub(super) fn picture(word: &str, player: &str, rest: &[&str]) -> Result<ParsedRequest, Rejection> {
    let (endpoint, params) = match (word, rest) {
        ("skin", []) => (Endpoint::Skin, Ok(PictureParams::SKIN)),
        ("download", []) => (Endpoint::Download, Ok(PictureParams::DOWNLOAD)),
        _ => view(word, rest)?,
    };
    if player.is_empty() {
        return Err(Rejection::NOT_FOUND);
    }
    let operation = params.map(|params| params.of_player(player).into());
    Ok(ParsedRequest::specified(endpoint, operation))
}

/// Returns the request for `/preview/{word}` and what follows.
pub(super) fn preview(
    word: &str,
    rest: &[&str],
    query: Option<&str>,
) -> Result<ParsedRequest, Rejection> {
    let (_, params) = view(&word.to_ascii_lowercase(), rest)?;
    let operation = params.and_then(|params| {
        let model = Query::parse(query)?.word("model")?.unwrap_or_default();
        Ok(Operation::Preview { params, model })
    });
    Ok(ParsedRequest::post("preview", operation))
}

/// Reads the word of a view and the parameters after it: a size and `hat` for the flat ones, a direction
/// and a size for the others.
fn view(
    word: &str,
    rest: &[&str],
) -> Result<(Endpoint, Result<PictureParams, Rejection>), Rejection> {
    let (first, second) = match rest {
        [] => (None, None),
        [first] => (Some(*first), None),
        [first, second] => (Some(*first), Some(*second)),
        _ => return Err(Rejection::NOT_FOUND),
    };
    let flat = |params: fn(SizeParameter, Layers) -> PictureParams| {
        Ok(params(SizeParameter::parse(first), parse_layers(second)))
    };
    let isometric = |params: fn(SizeParameter, Facing) -> PictureParams| {
        let facing = parse_facing(first).ok_or(DIRECTION_ERROR)?;
        Ok(params(SizeParameter::parse(second), facing))
    };
    Ok(match word {
        "head" => (Endpoint::Head, flat(PictureParams::head)),
        "player" => (Endpoint::Player, flat(PictureParams::player)),
        "avatar" => (Endpoint::Avatar, isometric(PictureParams::avatar)),
        "ioshead" => (Endpoint::Ioshead, isometric(PictureParams::ioshead)),
        "iosbody" => (Endpoint::Iosbody, isometric(PictureParams::iosbody)),
        _ => return Err(Rejection::NOT_FOUND),
    })
}
