//! The routes of pictures without a prefix, and of previews, whose paths are alike.

use effigy_player::Model;
use effigy_render::{Facing, Layers};
use effigy_service::{
    DIRECTION_ERROR, Endpoint, PictureParams, SizeParameter, parse_facing, parse_layers,
};

use super::{
    request::Request,
    target::{Rejection, Target},
    url::Query,
};

pub(super) const BAD_MODEL: &str = "Model must be \"classic\" or \"slim\"";

/// Returns the request for `/{word}/{player}` and what follows.
pub(super) fn picture(word: &str, player: &str, rest: &[&str]) -> Option<Request> {
    let (endpoint, params) = match (word, rest) {
        ("skin", []) => (Endpoint::Skin, Ok(PictureParams::SKIN)),
        ("download", []) => (Endpoint::Download, Ok(PictureParams::DOWNLOAD)),
        _ => view(word, rest)?,
    };
    if player.is_empty() {
        return None;
    }
    let target = params.map(|params| params.of_player(player).into());
    Some(Request::specified(endpoint, target))
}

/// Returns the request for `/preview/{word}` and what follows.
pub(super) fn preview(word: &str, rest: &[&str], query: Query<'_>) -> Option<Request> {
    let (_, params) = view(&word.to_ascii_lowercase(), rest)?;
    let target = params.and_then(|params| {
        let model = model(query.checked()?)?;
        Ok(Target::Preview { params, model })
    });
    Some(Request::post("preview", target))
}

/// Reads the word of a view and the parameters after it: a size and `hat` for the flat ones, a direction
/// and a size for the others.
fn view(word: &str, rest: &[&str]) -> Option<(Endpoint, Result<PictureParams, Rejection>)> {
    let (first, second) = match rest {
        [] => (None, None),
        [first] => (Some(*first), None),
        [first, second] => (Some(*first), Some(*second)),
        _ => return None,
    };
    let flat = |params: fn(SizeParameter, Layers) -> PictureParams| {
        Ok(params(SizeParameter::parse(first), parse_layers(second)))
    };
    let isometric = |params: fn(SizeParameter, Facing) -> PictureParams| {
        let facing = parse_facing(first).ok_or(DIRECTION_ERROR)?;
        Ok(params(SizeParameter::parse(second), facing))
    };
    Some(match word {
        "head" => (Endpoint::Head, flat(PictureParams::head)),
        "player" => (Endpoint::Player, flat(PictureParams::player)),
        "avatar" => (Endpoint::Avatar, isometric(PictureParams::avatar)),
        "ioshead" => (Endpoint::Ioshead, isometric(PictureParams::ioshead)),
        "iosbody" => (Endpoint::Iosbody, isometric(PictureParams::iosbody)),
        _ => return None,
    })
}

/// Reads the model that a query names; classic if it names none.
fn model(query: Query<'_>) -> Result<Model, Rejection> {
    let word = query.get("model");
    word.map_or(Ok(Model::Classic), |word| {
        word.parse().map_err(|_| BAD_MODEL.into())
    })
}
