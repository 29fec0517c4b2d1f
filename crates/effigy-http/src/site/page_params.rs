//! The parameters in the query of the landing page, which are those of a picture under `/v1/`, and the
//! URLs that follow from them.

use effigy_render::{PictureSpec, Size, View};
use serde_json::{Value, json};

use crate::routes::{
    PICTURE_PARAMETERS, ParsedRequest, Query, VIEWS, applies_to, escaped, find_view, picture_spec,
};

/// The view and the size of the pictures if the query has none.
const DEFAULT_VIEW: View = View::Figure;
const DEFAULT_SIZE: &str = "192";

/// The extensions of the page's pictures, each with its title. The first is the default.
pub(super) const FORMATS: [(&str, &str); 4] = [
    ("", "PNG"),
    ("svg", "SVG"),
    ("apng", "APNG, moving"),
    ("gif", "GIF, moving"),
];

/// The parameters in the query of the page.
#[derive(Debug)]
pub(crate) struct PageParams {
    pub(crate) player: String,
    /// `true` if the query names no player.
    pub(super) is_first: bool,
    pub(super) view: View,
    pub(super) format: &'static str,
    /// The size, and the parameters that change the picture, with their values.
    pub(super) chosen: Vec<(&'static str, String)>,
    pub(super) spec: PictureSpec,
    /// The reasons why parts of the query are ignored.
    pub(super) notes: Vec<String>,
}

impl PageParams {
    /// Parses the query. What is invalid counts as missing, with a note, and so does what does not apply to the view.
    pub(crate) fn parse(query: &Query<'_>, first: &str) -> Self {
        let value = |name| Some(query.get(name)?.trim()).filter(|text| !text.is_empty());
        let player = value("player")
            .map(player_of)
            .filter(|player| !player.is_empty());
        let view = value("view").and_then(find_view).unwrap_or(DEFAULT_VIEW);
        let spec_of = |pairs: &[_]| picture_spec(view, &Query::of(pairs));
        let plain = spec_of(&[]);
        let mut notes = Vec::new();
        let mut counts = |name, value: &str| {
            let spec = spec_of(&[(name, value.to_owned())]);
            if let (Err(rejection), true) = (&spec, has_effect(name, view)) {
                notes.push(format!("{}; {value} is ignored.", rejection.message));
            }
            has_effect(name, view) && spec.is_ok() && (name == "size" || spec != plain)
        };
        let chosen = PICTURE_PARAMETERS.into_iter().filter_map(|name| {
            let given = value(name).filter(|value| counts(name, value));
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
            view,
            format: format.unwrap_or(FORMATS[0]).0,
            spec: spec_of(&chosen).expect("each parameter is valid, whatever the others are"),
            chosen,
            notes,
        };
        let url = params.picture_url(params.format);
        let (path, query) = url.split_once('?').expect("there is a size");
        if let Err(rejection) = ParsedRequest::parse(path, Some(query)).operation {
            params.notes.push(format!("{}.", rejection.message));
            params.format = FORMATS[0].0;
        }
        params
    }

    /// Returns the URL of the picture.
    pub(super) fn picture_url(&self, format: &str) -> String {
        let (view, player) = (self.view, escaped(&self.player));
        let pairs = self.chosen.iter();
        let pairs: Vec<_> = pairs
            .map(|(name, value)| format!("{name}={}", escaped(value)))
            .collect();
        let dot = if format.is_empty() { "" } else { "." };
        format!("/v1/{view}/{player}{dot}{format}?{}", pairs.join("&"))
    }
}

/// Returns the player of a text that was copied: `@Notch`, or the URL of a profile at NameMC, where a number may follow the
/// name.
fn player_of(text: &str) -> &str {
    match text.split_once("namemc.com/profile/") {
        Some((_, profile)) => profile.split(['.', '/', '?', '#']).next().unwrap_or(text),
        None => text.strip_prefix('@').unwrap_or(text),
    }
}

/// Returns `true` if a parameter changes the pictures of a view. Flat views accept a direction and ignore it.
fn has_effect(name: &str, view: View) -> bool {
    applies_to(name, view) && (name != "facing" || view.is_isometric())
}

/// Returns the names of the views that have a parameter, for the script.
pub(super) fn views_with(parameter: &str) -> String {
    let views = VIEWS.into_iter().map(|(view, _)| view);
    let views = views.filter(|view| has_effect(parameter, *view));
    views.map(View::as_str).collect::<Vec<_>>().join(" ")
}

/// Returns the views for a page that shows a picture of each in this size.
pub(super) fn views(size: Size) -> Value {
    let view = |(view, title): (View, _)| {
        let spec = PictureSpec::new(view, size);
        json!({ "name": view.as_str(), "title": title, "width": spec.width(), "height": spec.height() })
    };
    VIEWS.into_iter().map(view).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_is_on_the_page() {
        let is_on_the_page = |view: &View| VIEWS.iter().any(|(known, _)| known == view);
        assert!(View::ALL.iter().all(is_on_the_page));
    }
}
