//! The parameters of pictures in a query.

use effigy_parameters::{
    Limits, Parameter, PictureSettings, find,
    value::{list, whole_number},
};
use effigy_player::{PlayerId, is_placeholder};
use effigy_render::{Size, View};
use effigy_service::Substitute;

use crate::routes::{
    query::{Query, capitalized},
    request::{ALEX, Parsed, Rejection, STEVE},
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

/// Returns the picture of a view that a query describes. The view decides about missing parameters.
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

/// Reads the player whom a query names as the default, if it names one.
pub(super) fn substitute(query: &Query<'_>) -> Parsed<Option<Substitute>> {
    let player = query.read("default", |text| {
        match text.to_ascii_lowercase().as_str() {
            "404" => Ok(None),
            "steve" => Ok(Some(STEVE.into())),
            "alex" => Ok(Some(ALEX.into())),
            // Other services redirect to a URL.
            _ if text.contains('/') || is_placeholder(text) || PlayerId::detect(text).is_err() => {
                Err("a player, \"steve\", \"alex\" or \"404\"".into())
            }
            _ => Ok(Some(text.to_owned().into())),
        }
    })?;
    Ok(player.flatten().map(|player| Substitute {
        player,
        otherwise: None,
        in_outage: true,
    }))
}

/// Returns the rejection of a parameter that the view does not have.
fn misplaced(parameter: &Parameter) -> Rejection {
    let views = View::ALL.iter().filter(|view| parameter.accepts(**view));
    let words = list(views.map(View::to_string), " and ");
    let name = capitalized(parameter.name);
    Rejection::bad_request(format!("{name} applies only to {words}"))
}

#[cfg(test)]
mod tests;
