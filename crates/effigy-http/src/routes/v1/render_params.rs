//! The parameters of pictures in a query.

use effigy_parameters::{
    Limits, PictureParameters, applies_to,
    value::{list, switch, whole_number},
};
use effigy_player::PlayerId;
use effigy_render::{Size, View};
use effigy_service::Substitute;

use crate::routes::{
    query::{Query, capitalized},
    request::{ALEX, Parsed, Rejection, STEVE},
};

/// The largest picture, which keeps every file small enough for the cache. The paths without `/v1/` have no limit.
pub(crate) const LIMITS: Limits = Limits {
    size: 2048,
    padding: 256,
};

/// The views in the order of the pages, each with its title.
pub(crate) const VIEWS: [(View, &str); 9] = [
    (View::Figure, "Figure"),
    (View::Portrait, "Portrait"),
    (View::Cube, "Cube"),
    (View::IsometricBody, "Isometric body"),
    (View::IsometricHead, "Isometric head"),
    (View::Face, "Face"),
    (View::Bust, "Bust"),
    (View::Body, "Flat body"),
    (View::Combo, "Face and body"),
];

/// Returns the picture of a view that a query describes. The view decides what the missing parameters are.
pub(crate) fn picture(view: View, query: &Query<'_>) -> Parsed<PictureParameters> {
    if let Some(name) = query.names().find(|name| !applies_to(name, view)) {
        return Err(misplaced(name));
    }
    let mut picture = PictureParameters::read(view, LIMITS, |name| query.get(name))?;
    // Only pictures of several players may have them.
    picture.spec.has_names = query.read("names", switch)?.unwrap_or_default();
    Ok(picture)
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
            _ if text.contains('/') || PlayerId::detect(text).is_err() => {
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

fn misplaced(name: &str) -> Rejection {
    let views = View::ALL.iter().filter(|view| applies_to(name, **view));
    let views = list(views.map(View::to_string), " and ");
    Rejection::bad_request(format!("{} applies only to {views}", capitalized(name)))
}

#[cfg(test)]
mod tests;
