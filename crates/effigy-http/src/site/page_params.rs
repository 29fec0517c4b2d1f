//! The parameters in the query of the landing page, which are those of a picture under `/v1/`, and the
//! URLs that follow from them.

use effigy_render::{ImageFormat, PictureSpec, Size, View};
use serde_json::{Value, json};

use crate::routes::{
    PICTURE_PARAMETERS, Query, VIEWS, applies_to, escaped, extension_of, find_view, picture_spec,
};

/// The view and the size of the pictures if the query has none.
const DEFAULT_VIEW: View = View::Figure;
const DEFAULT_SIZE: &str = "192";

/// The parameters in the query of the page.
#[derive(Debug)]
pub(crate) struct PageParams {
    pub(crate) player: String,
    /// `true` if the query names no player.
    pub(super) is_first: bool,
    pub(super) view: View,
    pub(super) format: ImageFormat,
    /// The size, and the parameters that change the picture, with their values.
    pub(super) chosen: Vec<(&'static str, String)>,
    pub(super) spec: PictureSpec,
}

impl PageParams {
    /// Parses the query. What is invalid, or does not apply to the view, counts as missing.
    pub(crate) fn parse(query: &Query<'_>, first: &str) -> Self {
        let value = |name| Some(query.get(name)?.trim()).filter(|text| !text.is_empty());
        let player = value("player");
        let view = value("view").and_then(find_view).unwrap_or(DEFAULT_VIEW);
        let spec_of = |pairs: &[_]| picture_spec(view, &Query::of(pairs));
        let plain = spec_of(&[]);
        let counts = |name, value| {
            let spec = spec_of(&[(name, value)]);
            has_effect(name, view) && spec.is_ok() && (name == "size" || spec != plain)
        };
        let chosen = PICTURE_PARAMETERS.into_iter().filter_map(|name| {
            let given = value(name).filter(|value| counts(name, value));
            let default = (name == "size").then_some(DEFAULT_SIZE);
            Some((name, given.or(default)?))
        });
        let chosen: Vec<_> = chosen.collect();
        let format = value("format").and_then(|word| word.parse().ok());
        // A still picture is no GIF.
        let format = format.filter(|format| *format != ImageFormat::Gif);
        Self {
            is_first: player.is_none(),
            player: player.unwrap_or(first).to_owned(),
            view,
            format: format.unwrap_or_default(),
            spec: spec_of(&chosen).expect("each parameter is valid, whatever the others are"),
            chosen: chosen
                .iter()
                .map(|(name, value)| (*name, (*value).to_owned()))
                .collect(),
        }
    }

    /// Returns the URL of the picture.
    pub(super) fn picture_url(&self, format: ImageFormat) -> String {
        let (view, player) = (self.view, escaped(&self.player));
        let pairs = self.chosen.iter();
        let pairs: Vec<_> = pairs
            .map(|(name, value)| format!("{name}={}", escaped(value)))
            .collect();
        format!(
            "/v1/{view}/{player}{}?{}",
            extension_of(format),
            pairs.join("&")
        )
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
