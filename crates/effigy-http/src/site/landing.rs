//! The landing page at `/`: a player, and everything that a picture of one can be. It works as a
//! plain form; a script loads it in the background when a field changes.

mod fields;

use std::num::NonZeroU32;

use effigy_parameters::{Output, Parameter, PictureSettings, find_view, parameters};
use effigy_render::{PictureSpec, Size, View};
use serde_json::{Value, json};

use self::fields::fields;
use super::views;
use crate::{
    config::Config,
    respond::document::StaticDocument,
    routes::{LIMITS, MAX_MOVING_SIZE, ParsedRequest, Query, Rejection, STEVE, escaped},
};

/// The view and the size of the pictures if the query does not name them.
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
    /// `true` if the pose moves in a moving picture, which turns otherwise.
    moves: bool,
    /// The reasons why parts of the query are ignored.
    notes: Vec<String>,
}

impl PageParams {
    /// Parses the query. An invalid value counts as missing, with a note, and so do a parameter that
    /// does not change the view and one that contradicts another. Without a player, the page is about the first one of these.
    pub(crate) fn parse(query: &Query<'_>, players: &[String]) -> Self {
        let value = |name: &str| query.get(name).filter(|text| !text.is_empty());
        let player = value("player").map(player_of);
        let player = player.filter(|player| !player.is_empty());
        let first = players.first().map_or(STEVE, String::as_str);
        let view = value("view").and_then(find_view).unwrap_or(DEFAULT_VIEW);
        let (chosen, notes) = choices(view, value);
        let picture = read(view, &chosen);
        let picture = picture.expect("each parameter is valid after those that come first");
        let mut params = Self {
            is_first: player.is_none(),
            player: player.unwrap_or(first).to_owned(),
            format: format_of(value("format")),
            spec: picture.spec,
            moves: picture.pose.is_moving(),
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
        let view = self.spec.view;
        let player = escaped(&self.player);
        let dot = if format.is_empty() { "" } else { "." };
        let mut pairs = Vec::new();
        for (name, value) in &self.chosen {
            pairs.push(format!("{name}={}", escaped(value).replace("%2C", ",")));
        }
        format!("/v1/{view}/{player}{dot}{format}?{}", pairs.join("&"))
    }
}

/// Returns the parameters that change the picture of a view, with their values, and notes about
/// invalid ones. The substitute of a missing player is one of them.
fn choices<'a>(
    view: View,
    value: impl Fn(&str) -> Option<&'a str>,
) -> (Vec<(&'static str, String)>, Vec<String>) {
    let mut chosen: Vec<(&'static str, String)> = Vec::new();
    let mut notes = Vec::new();
    for parameter in pose_first() {
        let name = parameter.name;
        let mut kept = (name == "size").then_some(DEFAULT_SIZE);
        if let Some(given) = value(name) {
            // The page marks the picture of the pose that a synonym means.
            let meant = parameter.meant_value(given);
            match is_kept(parameter, view, &chosen, meant) {
                Ok(true) => kept = Some(meant),
                Ok(false) => {}
                Err(rejection) => notes.extend(note(parameter, view, &rejection, given)),
            }
        }
        if let Some(kept) = kept {
            chosen.push((name, kept.to_owned()));
        }
    }
    let mut ordered = Vec::new();
    for parameter in parameters() {
        let pair = chosen.iter().find(|pair| pair.0 == parameter.name);
        ordered.extend(pair.cloned());
    }
    (ordered, notes)
}

/// Returns `true` if a value changes the picture with what is chosen before it, or the picture of a
/// missing player.
fn is_kept(
    parameter: &Parameter,
    view: View,
    chosen: &[(&'static str, String)],
    given: &str,
) -> Result<bool, Rejection> {
    if parameter.name == "default" {
        check_substitute(given)?;
        return Ok(true);
    }
    let before = read(view, chosen).expect("what is chosen is valid");
    // A value may contradict those of parameters that come first.
    let mut with_given = chosen.to_vec();
    with_given.push((parameter.name, given.to_owned()));
    let picture = read(view, &with_given)?;
    // Some poses are equal until they move.
    let is_changed = picture.spec != before.spec || picture.pose != before.pose;
    Ok(parameter.name == "size" || is_changed)
}

/// Returns the parameters of a picture, the pose before the others: it has a camera of its own, so
/// an angle that is the default of one pose changes the picture of another one.
fn pose_first() -> Vec<&'static Parameter> {
    let mut ordered: Vec<&Parameter> = parameters()
        .filter(|parameter| parameter.belongs_to(Output::Picture))
        .collect();
    ordered.sort_by_key(|parameter| parameter.name != "pose");
    ordered
}

/// Checks the player who is shown instead of a missing one, as the route of a picture does.
fn check_substitute(player: &str) -> Result<(), Rejection> {
    let query = format!("default={}", escaped(player));
    ParsedRequest::parse("/v1/face/MHF_Steve", Some(&query))
        .operation
        .map(drop)
}

/// Returns a note about an invalid value, unless the parameter belongs to other views.
fn note(parameter: &Parameter, view: View, why: &Rejection, value: &str) -> Option<String> {
    if !parameter.affects(view) {
        return None;
    }
    Some(format!("{}; {value} is ignored.", why.message))
}

/// Returns the picture of a view with these parameters.
fn read(view: View, chosen: &[(&'static str, String)]) -> Result<PictureSettings, Rejection> {
    let value = |name: &str| {
        let pair = chosen.iter().find(|pair| pair.0 == name)?;
        Some(pair.1.as_str())
    };
    Ok(PictureSettings::read(view, LIMITS, value)?)
}

/// Returns the format of a word, or else the default one.
fn format_of(word: Option<&str>) -> &'static str {
    let lowercase = word.map(str::to_ascii_lowercase);
    let mut formats = FORMATS.into_iter();
    let format = formats.find(|(known, _)| lowercase.as_deref() == Some(known));
    format.unwrap_or(FORMATS[0]).0
}

/// The address of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// The scheme and host by which the visitor knows this server, and the path before its own.
    pub(crate) origin: String,
    /// The way from the page to the root, without a slash at its end.
    pub(crate) root: String,
}

/// Returns the page at an address. The `subject` is
/// the outcome of looking up the player: the profile that is `found`, why the player is `missing`
/// and who may have been meant `instead`, or why the player is `unknown`.
pub(crate) fn page(
    params: &PageParams,
    subject: &Value,
    config: &Config,
    address: &Address,
) -> StaticDocument {
    let max_size = config.max_size.map_or(LIMITS.size, NonZeroU32::get);
    let chosen = params.chosen.iter();
    let chosen = chosen.map(|(name, value)| ((*name).to_owned(), value.as_str().into()));
    let values = json!({
        "origin": address.origin,
        "root": address.root,
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
        "max_moving_size": MAX_MOVING_SIZE.get().min(max_size),
        "width": params.spec.width(),
        "height": params.spec.height(),
        "is_free": params.spec.view.is_free(),
        "views": views(Size::px(64)),
        "chosen": Value::Object(chosen.collect()),
        "fields": fields(&params.chosen, &params.spec),
        "view": params.spec.view.as_str(),
        "format": params.format,
        "moves": params.moves,
    });
    super::page("page.html", values)
}

/// Returns the player of a text that was copied: `@Notch`, or the URL of a profile at NameMC, where
/// a number may follow the name.
fn player_of(text: &str) -> &str {
    match text.split_once("namemc.com/profile/") {
        Some((_, profile)) => profile.split(['.', '/', '?', '#']).next().unwrap_or(text),
        None => text.strip_prefix('@').unwrap_or(text),
    }
}

#[cfg(test)]
mod tests;
