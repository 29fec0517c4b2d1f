//! The parameters of pictures in the query.

use effigy_parameters::{
    Limits, Parameter, PictureSettings, find,
    value::{self, whole_number},
};
use effigy_player::{PlayerId, is_placeholder};
use effigy_render::{Size, View};
use effigy_service::{Substitute, SubstitutePlayer};

use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection, capitalized},
    request::{ALEX, STEVE},
};

/// The largest values. The paths without `/v1/` have no limit.
pub(crate) const LIMITS: Limits = Limits::SERVICE;

/// The views in the order of the pages, each with its title.
pub(crate) const VIEWS: [(View, &str); 13] = [
    (View::Figure, "Figure"),
    (View::Portrait, "Portrait"),
    (View::Cube, "Cube"),
    (View::IsometricBody, "Isometric body"),
    (View::IsometricHead, "Isometric head"),
    (View::Face, "Face"),
    (View::Bust, "Bust"),
    (View::Body, "Flat body"),
    (View::Combo, "Face and body"),
    (View::BodyBack, "Flat back"),
    (View::BodyLeft, "Left side"),
    (View::BodyRight, "Right side"),
    (View::Layout, "Texture"),
];

/// Returns the picture of a view with the parameters of a query.
pub(crate) fn picture(view: View, query: &Query<'_>) -> Parsed<PictureSettings> {
    for name in query.names() {
        if let Some(parameter) = find(name)
            && !parameter.accepts(view)
        {
            return Err(misplaced(parameter));
        }
    }
    let value = |name: &str| query.get(name);
    Ok(PictureSettings::read(view, LIMITS, value)?)
}

/// Reads the size, if the query has one.
pub(super) fn size(query: &Query<'_>) -> Parsed<Option<Size>> {
    let pixels = query.read("size", |text| whole_number(text, 1..=LIMITS.size))?;
    Ok(pixels.map(Size::px))
}

/// Reads the default of a query, if it has one.
pub(super) fn substitute(query: &Query<'_>) -> Parsed<Option<Substitute>> {
    let Some(default) = query.read("default", parse_default)? else {
        return Ok(None);
    };
    Ok(default.map(|player| Substitute {
        player,
        otherwise: None,
        in_outage: true,
    }))
}

/// Parses a default, which is `None` for "404": an error.
pub(crate) fn parse_default(text: &str) -> value::Parsed<Option<SubstitutePlayer>> {
    let player = match &*text.to_ascii_lowercase() {
        "404" => return Ok(None),
        "default-skin" => SubstitutePlayer::DefaultSkin,
        "steve" => SubstitutePlayer::Named(STEVE.into()),
        "alex" => SubstitutePlayer::Named(ALEX.into()),
        _ if can_be_default(text) => SubstitutePlayer::Named(text.to_owned().into()),
        _ => return Err("a player, \"steve\", \"alex\", \"default-skin\" or \"404\"".into()),
    };
    Ok(Some(player))
}

/// Returns `true` for a text that can name a player. A URL, to which other services redirect, is
/// not accepted.
fn can_be_default(text: &str) -> bool {
    let is_url = text.contains('/');
    !is_url && !is_placeholder(text) && PlayerId::detect(text).is_ok()
}

/// Returns the rejection of a parameter that the view does not have.
fn misplaced(parameter: &Parameter) -> Rejection {
    Rejection::bad_request(capitalized(&parameter.misplaced_message()))
}

#[cfg(test)]
mod tests;
