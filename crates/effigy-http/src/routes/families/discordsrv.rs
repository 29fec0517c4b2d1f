//! The URLs of DiscordSRV's heads: `/head.png?texture=&uuid=&name=`, and
//! `/<player>/<kind>[/<size>]`.

use effigy_render::{Layers, PictureSpec, Size, View};
use effigy_service::PictureParams;

use super::grammar::{layers, leading_number, picture, png};
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection},
    request::{Operation, STEVE},
};

const DEFAULT_SIZE: u32 = 128;
const MIN_SIZE: u32 = 8;
const MAX_SIZE: u32 = 512;

/// Reads a path behind the prefix.
pub(super) fn parse(path: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    match *path {
        [word] if word.eq_ignore_ascii_case("head") => {
            let params = face(layers(query), query.word(&["size"]));
            Ok(picture(params, subject(query), None, STEVE))
        }
        [player, kind] => by_player(player, kind, None),
        [player, kind, size] => by_player(player, kind, Some(size)),
        _ => Err(Rejection::NOT_FOUND),
    }
}

fn by_player(player: &str, kind: &str, size: Option<&str>) -> Parsed<Operation> {
    let params = match &*kind.to_ascii_lowercase() {
        "head" => face(Layers::Base, size),
        "overlay" | "helm" => face(Layers::WithOverlay, size),
        "texture" => PictureParams::OWN_SKIN,
        _ => return Err(Rejection::NOT_FOUND),
    };
    Ok(picture(params, player, None, STEVE))
}

fn face(layers: Layers, size: Option<&str>) -> PictureParams {
    let size = size.and_then(leading_number).unwrap_or(DEFAULT_SIZE);
    let size = Size::px(size.clamp(MIN_SIZE, MAX_SIZE));
    png(PictureSpec::new(View::Face, size).with_layers(layers))
}

/// Returns the texture, the UUID or the name of a query, whichever comes first and is not empty, or
/// else Steve.
fn subject<'q>(query: &'q Query<'_>) -> &'q str {
    for name in ["texture", "uuid", "name"] {
        if let Some(text) = query.word(&[name])
            && !text.is_empty()
        {
            return text;
        }
    }
    STEVE
}
