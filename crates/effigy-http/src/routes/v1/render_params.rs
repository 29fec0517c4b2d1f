//! The parameters of pictures in a query.

use effigy_player::PlayerId;
use effigy_render::{
    Angle, Camera, Decoration, Filter, Layers, Light, NamedPose, PictureSpec, Pose, Rotation, Size,
    View, parse_color, parse_switch,
};
use effigy_service::Substitute;

use crate::routes::{
    query::{Query, capitalized, decimal, list},
    request::{ALEX, Parsed, Rejection, STEVE},
    view_of,
};

/// The largest size, which keeps every picture small enough for the cache. The paths without `/v1/` have
/// no limit.
pub(crate) const MAX_SIZE: u32 = 2048;

/// The largest padding.
const MAX_PADDING: u32 = 256;

/// The size if the query has none.
const DEFAULT_SIZE: Size = Size::px(128);

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

/// The parameters in the query of a picture, in the order of the documentation. Some views lack some.
#[rustfmt::skip]
pub(crate) const PICTURE_PARAMETERS: [&str; 26] = {
    let [head, torso, right_arm, left_arm, right_leg, left_leg, body] = Pose::ROTATIONS;
    [
        "size", "facing", "yaw", "pitch", "fov", "pose", "phase",
        head, torso, right_arm, left_arm, right_leg, left_leg, body,
        "upside-down", "fit", "light", "cape", "elytra", "overlay", "model", "background", "padding", "shape", "shadow", "v",
    ]
};

/// Finds the view of a word in any letter case. Those of the specification are understood as well.
pub(crate) fn find_view(word: &str) -> Option<View> {
    let word = word.trim().to_ascii_lowercase();
    let specified = || view_of(word.parse().ok()?).map(|(view, _)| view);
    word.parse().ok().or_else(specified)
}

/// Returns `true` if pictures of a view have the parameter of that name.
pub(crate) fn applies_to(name: &str, view: View) -> bool {
    match name {
        "facing" => !view.is_free(),
        "yaw" | "pitch" | "fov" | "pose" | "phase" | "upside-down" | "fit" => view.is_free(),
        name if Pose::ROTATIONS.contains(&name) => view.is_free(),
        "light" => !view.is_flat(),
        "cape" | "elytra" => view.shows_cape(),
        "shadow" => view.shows_ground(),
        _ => true,
    }
}

/// Returns the picture of a view that a query describes. The view decides what the missing parameters are.
pub(crate) fn picture_spec(view: View, query: &Query<'_>) -> Parsed<PictureSpec> {
    if let Some(name) = query.names().find(|name| !applies_to(name, view)) {
        return Err(misplaced(name));
    }
    let mut spec = PictureSpec::new(view, size(query)?.unwrap_or(DEFAULT_SIZE));
    if let Some(angles) = spec.camera.angles() {
        let [yaw, pitch, fov] = angles.map(Angle::to_degrees);
        spec.camera = Camera::perspective(
            query.decimal("yaw", -360.0, 360.0)?.unwrap_or(yaw),
            query.decimal("pitch", -90.0, 90.0)?.unwrap_or(pitch),
            query.decimal("fov", 0.0, 90.0)?.unwrap_or(fov),
        );
    }
    let padding = query.number("padding", 0, MAX_PADDING)?;
    spec.layers = match query.switch("overlay")? {
        Some(false) => Layers::Base,
        _ => Layers::WithOverlay,
    };
    if let Camera::Isometric(facing) = &mut spec.camera {
        *facing = query.word("facing")?.unwrap_or(*facing);
    }
    if !view.is_flat() {
        // Only the routes without `/v1/` are bound to another one.
        spec.filter = Filter::Area;
    }
    if view.is_free() {
        let pose: NamedPose = query.word("pose")?.unwrap_or_default();
        spec.pose = pose.at(phase(query)?);
    }
    for word in Pose::ROTATIONS {
        let expected = "three numbers from -180 to 180 with commas between them";
        if let Some(rotation) = query.read(word, expected, Rotation::parse)? {
            spec.pose.turn(word, rotation);
        }
    }
    spec.framing = query.word("fit")?.unwrap_or(spec.framing);
    if view.is_isometric() {
        spec.light = Light::Soft;
    }
    spec.light = query.word("light")?.unwrap_or(spec.light);
    let cape = "\"true\", \"false\" or degrees from 0 to 180";
    let cape = query.read("cape", cape, |text| match parse_switch(text) {
        Some(is_worn) => Some((is_worn, None)),
        None => Some((true, Some(Angle::degrees(decimal(text, 0.0, 180.0)?)))),
    })?;
    if let Some((is_worn, angle)) = cape {
        spec.has_cape = is_worn;
        spec.pose.cape = angle.unwrap_or(spec.pose.cape);
    }
    spec.has_elytra = query.switch("elytra")?.unwrap_or_default();
    spec.has_cape |= spec.has_elytra;
    spec.model = query.word("model")?;
    // Only pictures of several players may have them.
    spec.has_names = query.switch("names")?.unwrap_or_default();
    spec.is_upside_down = query.switch("upside-down")?;
    let color = "\"rgb\", \"rrggbb\" or \"rrggbbaa\" in hexadecimal digits, or a basic name such as \"white\"";
    let background = query.read("background", color, |text| parse_color(text).ok())?;
    spec.decoration = Decoration {
        // An invisible one is none.
        background: background.filter(|[.., alpha]| *alpha > 0),
        padding: padding.unwrap_or_default(),
        shape: query.word("shape")?.unwrap_or_default(),
        has_shadow: query.switch("shadow")?.unwrap_or_default(),
    };
    Ok(spec)
}

/// Reads the moment of the movement of a pose.
pub(super) fn phase(query: &Query<'_>) -> Parsed<f64> {
    Ok(query.decimal("phase", 0.0, 1.0)?.unwrap_or_default())
}

/// Reads the size, if the query has one.
pub(super) fn size(query: &Query<'_>) -> Parsed<Option<Size>> {
    Ok(query.number("size", 1, MAX_SIZE)?.map(Size::px))
}

/// Reads the player whom a query names as the default, if it names one.
pub(super) fn substitute(query: &Query<'_>) -> Parsed<Option<Substitute>> {
    let expected = "a player, \"steve\", \"alex\" or \"404\"";
    let player = query.read("default", expected, |text| {
        match text.to_ascii_lowercase().as_str() {
            "404" => Some(None),
            "steve" => Some(Some(STEVE.into())),
            "alex" => Some(Some(ALEX.into())),
            // Other services redirect to a URL.
            _ if text.contains('/') || PlayerId::detect(text).is_err() => None,
            _ => Some(Some(text.to_owned().into())),
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
    let views = list(views.map(View::to_string), "and");
    Rejection::bad_request(format!("{} applies only to {views}", capitalized(name)))
}

#[cfg(test)]
mod tests;
