//! The landing page at `/`: a player, and all choices for a picture. It works as a plain form; a
//! script loads it in the background when a field changes.

mod chosen;
mod fields;

use std::num::NonZeroU32;

use effigy_parameters::{MAX_MOVING_SIZE, find_view};
use effigy_render::{PictureSpec, Size, View};
use serde_json::{Map, Value, json};

use self::{
    chosen::{Choices, Chosen},
    fields::fields,
};
use super::templates::{self, views};
use crate::{
    config::Config,
    respond::document::StaticDocument,
    routes::{LIMITS, ParsedRequest, Query, STEVE, escaped, parse_default},
};

/// The view of the picture if the query does not name it.
const DEFAULT_VIEW: View = View::Figure;

/// The extensions of the page's pictures, each with its title. The first is the default.
const FORMATS: [(&str, &str); 4] = [
    ("", "PNG"),
    ("svg", "SVG"),
    ("apng", "APNG, moving"),
    ("gif", "GIF, moving"),
];

/// The parameters in the query of the page, which has the names of a picture's under `/v1/`.
#[derive(Debug)]
pub(crate) struct PageParams {
    pub(crate) player: String,
    /// `true` if the query names no player.
    is_first: bool,
    format: &'static str,
    chosen: Chosen,
    spec: PictureSpec,
    /// `true` if a moving picture moves the pose, and `false` if it turns.
    moves: bool,
    /// The reasons why parts of the query are ignored.
    notes: Vec<String>,
}

impl PageParams {
    /// Parses the query. Invalid values, and values that contradict others, are ignored with a
    /// note. Without a player, the page shows the first one of the list.
    pub(crate) fn parse(query: &Query<'_>, players: &[String]) -> Self {
        let value = |name: &str| query.get(name).filter(|text| !text.is_empty());
        let named = value("player").map(player_of).unwrap_or_default();
        let first = players.first().map_or(STEVE, String::as_str);
        let player = if named.is_empty() { first } else { named };
        let view = value("view").and_then(find_view).unwrap_or(DEFAULT_VIEW);
        let Choices { chosen, notes } = Choices::read(view, value);
        let picture = chosen.picture(view).expect("the chosen values are valid");
        let mut params = Self {
            is_first: named.is_empty(),
            player: player.to_owned(),
            format: format_of(value("format")),
            spec: picture.spec,
            moves: picture.pose.is_moving(),
            chosen,
            notes,
        };
        params.check_format();
        params
    }

    /// Returns the player whom the visitor has chosen to be shown instead of a missing one, if the
    /// player may be missing, too.
    pub(crate) fn substitute(&self) -> Option<&str> {
        let other = self.chosen.value("default")?;
        match parse_default(other) {
            Ok(Some(player)) if !player.is_of_game() => Some(other),
            _ => None,
        }
    }

    /// Ignores the substitute, with a note about the reason.
    pub(crate) fn ignore_substitute(&mut self, reason: &str) {
        if let Some(other) = self.chosen.remove("default") {
            let note = format!("{other} cannot be shown instead: {reason}");
            self.notes.push(note);
        }
    }

    /// Replaces a format that the picture can't have by the default one.
    fn check_format(&mut self) {
        let url = self.picture_url(self.format);
        let (path, query) = url.split_once('?').expect("there is a size");
        if let Err(rejection) = ParsedRequest::parse(path, Some(query)).operation {
            self.notes.push(format!("{}.", rejection.message));
            let (default, _) = FORMATS[0];
            self.format = default;
        }
    }

    /// Returns the URL of the picture.
    fn picture_url(&self, format: &str) -> String {
        let view = self.spec.view;
        let player = escaped(&self.player);
        let dot = if format.is_empty() { "" } else { "." };
        let mut pairs = Vec::new();
        for (name, value) in self.chosen.iter() {
            pairs.push(format!("{name}={}", escaped(value).replace("%2C", ",")));
        }
        format!("/v1/{view}/{player}{dot}{format}?{}", pairs.join("&"))
    }
}

/// Returns the player of a text that was copied: `@Notch`, or the URL of a profile at NameMC, where
/// a number may follow the name.
fn player_of(text: &str) -> &str {
    match text.split_once("namemc.com/profile/") {
        Some((_, profile)) => profile.split(['.', '/', '?', '#']).next().unwrap_or(text),
        None => text.strip_prefix('@').unwrap_or(text),
    }
}

/// Returns the format of a word in any letter case, or else the default one.
fn format_of(word: Option<&str>) -> &'static str {
    let word = word.unwrap_or_default();
    for (format, _) in FORMATS {
        if word.eq_ignore_ascii_case(format) {
            return format;
        }
    }
    let (default, _) = FORMATS[0];
    default
}

/// The address of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// The scheme and host by which the visitor knows this server, and the path of a proxy.
    pub(crate) origin: String,
    /// The relative URL of the root, without a slash at its end.
    pub(crate) root: String,
}

/// Returns the page at an address.
///
/// The `subject` is the outcome of the look-up: a `found` profile, a `missing` player with a
/// message and another one who was probably meant `instead`, or an `unknown` player with a message.
pub(crate) fn page(
    params: &PageParams,
    subject: &Value,
    config: &Config,
    address: &Address,
) -> StaticDocument {
    let max_size = config.max_size.map_or(LIMITS.size, NonZeroU32::get);
    let mut chosen = Map::new();
    for (name, value) in params.chosen.iter() {
        chosen.insert(name.to_owned(), value.into());
    }
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
        "is_closed": config.demo,
        "size": params.spec.size.get(),
        "max_size": max_size.min(LIMITS.size),
        "max_moving_size": MAX_MOVING_SIZE.get().min(max_size),
        "width": params.spec.width(),
        "height": params.spec.height(),
        "is_free": params.spec.view.is_free(),
        "views": views(Size::px(64)),
        "chosen": chosen,
        "fields": fields(&params.chosen, &params.spec),
        "view": params.spec.view.as_str(),
        "format": params.format,
        "moves": params.moves,
    });
    templates::page("page.html", values)
}

#[cfg(test)]
mod tests;
