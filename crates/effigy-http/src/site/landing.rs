//! The landing page at `/`: a player, and everything that a picture of one can be. It works as a plain
//! form; a script loads it in the background when a field changes.

use std::num::NonZeroU32;

use effigy_parameters::{PARAMETERS, PictureParameters, find_view};
use effigy_render::{Camera, PictureSpec, Size, View};
use serde_json::{Value, json};

use super::{has_effect, views};
use crate::{
    config::Config,
    respond::document::StaticDocument,
    routes::{LIMITS, ParsedRequest, Query, Rejection, STEVE, escaped},
};

/// The view and the size of the pictures if the query has none.
const DEFAULT_VIEW: View = View::Figure;
const DEFAULT_SIZE: &str = "192";

/// The extensions of the page's pictures, each with its title. The first is the default.
const FORMATS: [(&str, &str); 4] = [
    ("", "PNG"),
    ("svg", "SVG"),
    ("apng", "APNG, moving"),
    ("gif", "GIF, moving"),
];

/// The parameters in the query of the page, which are those of a picture under `/v1/`.
#[derive(Debug)]
pub(crate) struct PageParams {
    pub(crate) player: String,
    /// `true` if the query names no player.
    is_first: bool,
    format: &'static str,
    /// The size, and the parameters that change the picture, with their values.
    chosen: Vec<(&'static str, String)>,
    spec: PictureSpec,
    /// The reasons why parts of the query are ignored.
    notes: Vec<String>,
}

impl PageParams {
    /// Parses the query. What is invalid counts as missing, with a note, and so does what does not apply to the view. Without a
    /// player it is about the first one of these.
    pub(crate) fn parse(query: &Query<'_>, players: &[String]) -> Self {
        let value = |name| query.get(name).filter(|text| !text.is_empty());
        let player = value("player").map(player_of);
        let player = player.filter(|player| !player.is_empty());
        let first = players.first().map_or(STEVE, String::as_str);
        let view = value("view").and_then(find_view).unwrap_or(DEFAULT_VIEW);
        let spec_of = |chosen: &[(_, String)]| -> Result<PictureSpec, Rejection> {
            let chosen_value = |name: &str| {
                let pair = chosen.iter().find(|(known, _)| *known == name)?;
                Some(pair.1.as_str())
            };
            Ok(PictureParameters::read(view, LIMITS, chosen_value)?.spec)
        };
        let plain = spec_of(&[]);
        let mut notes = Vec::new();
        let mut counts = |name, given: &str| {
            let spec = spec_of(&[(name, given.to_owned())]);
            if let (Err(rejection), true) = (&spec, has_effect(name, view)) {
                notes.push(format!("{}; {given} is ignored.", rejection.message));
            }
            spec.is_ok() && (name == "size" || spec != plain)
        };
        let chosen = PARAMETERS.into_iter().filter_map(|name| {
            let given = value(name).filter(|given| counts(name, given));
            let default = (name == "size").then_some(DEFAULT_SIZE);
            Some((name, given.or(default)?.to_owned()))
        });
        let chosen: Vec<_> = chosen.collect();
        let format = value("format").map(str::to_ascii_lowercase);
        let mut formats = FORMATS.into_iter();
        let format = formats.find(|(known, _)| format.as_deref() == Some(known));
        let mut params = Self {
            is_first: player.is_none(),
            player: player.unwrap_or(first).to_owned(),
            format: format.unwrap_or(FORMATS[0]).0,
            spec: spec_of(&chosen).expect("each parameter is valid, whatever the others are"),
            chosen,
            notes,
        };
        let url = params.picture_url(params.format);
        let (path, shown) = url.split_once('?').expect("there is a size");
        if let Err(rejection) = ParsedRequest::parse(path, Some(shown)).operation {
            params.notes.push(format!("{}.", rejection.message));
            params.format = FORMATS[0].0;
        }
        params
    }

    /// Returns the URL of the picture.
    fn picture_url(&self, format: &str) -> String {
        let (view, player) = (self.spec.view, escaped(&self.player));
        let pairs = self.chosen.iter();
        let pairs: Vec<_> = pairs
            .map(|(name, value)| format!("{name}={}", escaped(value).replace("%2C", ",")))
            .collect();
        let dot = if format.is_empty() { "" } else { "." };
        format!("/v1/{view}/{player}{dot}{format}?{}", pairs.join("&"))
    }
}

/// Returns the page. The visitor knows this server as `origin`: scheme and host. The `subject` is the outcome of looking up the
/// player: the profile that is `found`, why the player is `missing` and who may have been meant `instead`, or why the player
/// is `unknown`.
pub(crate) fn page(
    params: &PageParams,
    subject: &Value,
    config: &Config,
    origin: &str,
) -> StaticDocument {
    let max_size = config.max_size.map_or(LIMITS.size, NonZeroU32::get);
    let chosen = params.chosen.iter();
    let chosen = chosen.map(|(name, value)| ((*name).to_owned(), value.as_str().into()));
    // The positions of the sliders are the default ones while a view cannot be turned.
    let camera = [params.spec.camera, Camera::DEFAULT];
    let angles = camera.into_iter().find_map(Camera::angles);
    let [yaw, pitch, _] = angles.unwrap_or_default().map(|angle| angle.to_string());
    let values = json!({
        "origin": origin,
        "picture": params.picture_url(params.format),
        "png": params.picture_url(""),
        "notes": params.notes,
        "formats": FORMATS,
        "player": params.player,
        "is_first": params.is_first,
        "subject": subject,
        "players": config.players,
        "is_closed": config.is_demo,
        "size": params.spec.size.get(),
        "max_size": max_size.min(LIMITS.size),
        "width": params.spec.width(),
        "height": params.spec.height(),
        "is_free": params.spec.view.is_free(),
        "views": views(Size::px(64)),
        "chosen": Value::Object(chosen.collect()),
        "yaw": yaw,
        "pitch": pitch,
        "view": params.spec.view.as_str(),
        "format": params.format,
    });
    super::page("page.html", values)
}

/// Returns the player of a text that was copied: `@Notch`, or the URL of a profile at NameMC, where a number may follow the
/// name.
fn player_of(text: &str) -> &str {
    match text.split_once("namemc.com/profile/") {
        Some((_, profile)) => profile.split(['.', '/', '?', '#']).next().unwrap_or(text),
        None => text.strip_prefix('@').unwrap_or(text),
    }
}

#[cfg(test)]
mod tests;
