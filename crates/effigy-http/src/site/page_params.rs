//! The parameters in the query of the landing page, which are those of a picture under `/v1/`, and the
//! URLs that follow from them.

use std::slice;

use effigy_render::{ImageFormat, PictureSpec, Size, View};
use serde_json::{Value, json};

use crate::routes::{
    MAX_SIZE, PICTURE_PARAMETERS, Query, VIEWS, applies_to, escaped, find_view, picture_spec,
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
    chosen: Vec<(&'static str, String)>,
    pub(super) spec: PictureSpec,
}

impl PageParams {
    /// Parses the query. What is invalid, or does not apply to the view, counts as missing.
    pub(crate) fn parse(query: &Query<'_>, first: &str) -> Self {
        let value = |name| {
            let value = query.get(name)?.trim().to_owned();
            (!value.is_empty()).then_some(value)
        };
        let word = |name| value(name).unwrap_or_default();
        let player = value("player");
        let view = find_view(&word("view")).unwrap_or(DEFAULT_VIEW);
        let plain = spec_of(view, &[]);
        let counts = |pair: &(&str, String)| {
            let spec = spec_of(view, slice::from_ref(pair));
            spec.is_some() && (pair.0 == "size" || spec != plain)
        };
        let names = PICTURE_PARAMETERS.into_iter();
        let names = names.filter(|name| has_effect(name, view));
        let given = names.filter_map(|name| Some((name, value(name)?)));
        let mut chosen: Vec<_> = given.filter(counts).collect();
        if chosen.first().is_none_or(|(name, _)| *name != "size") {
            chosen.insert(0, ("size", DEFAULT_SIZE.to_owned()));
        }
        Self {
            is_first: player.is_none(),
            player: player.unwrap_or_else(|| first.to_owned()),
            view,
            format: word("format").parse().unwrap_or_default(),
            spec: spec_of(view, &chosen).expect("each parameter is valid, whatever the others are"),
            chosen,
        }
    }

    /// Returns the chosen value of a field, which is empty for the default.
    pub(super) fn chosen(&self, name: &str) -> &str {
        if name == "format" && self.format != ImageFormat::default() {
            return self.format.as_str();
        }
        let found = self.chosen.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, value)| value)
    }

    /// Returns the URL of the picture.
    pub(super) fn picture_url(&self, format: ImageFormat) -> String {
        let (view, player) = (self.view, escaped(&self.player));
        let extension = match format {
            ImageFormat::Svg => ".svg",
            _ => "",
        };
        format!("/v1/{view}/{player}{extension}?{}", query_of(&self.chosen))
    }

    /// Returns what follows the player in the query of the page with the same picture.
    pub(super) fn page_query(&self) -> String {
        let mut pairs = vec![("view", self.view.to_string())];
        pairs.extend(self.chosen.iter().cloned());
        pairs.push(("format", self.format.to_string()));
        let defaults = [
            ("view", DEFAULT_VIEW.as_str()),
            ("size", DEFAULT_SIZE),
            ("format", ImageFormat::Png.as_str()),
        ];
        pairs.retain(|(name, value)| !defaults.contains(&(*name, value.as_str())));
        let pairs = pairs.iter();
        let pairs = pairs.map(|(name, value)| format!("&{name}={}", escaped(value)));
        pairs.collect()
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

/// Returns the value of `srcset` for screens with more pixels: the URLs of a picture of this size, but larger.
/// It is empty for an SVG, which is sharp, and with padding, which would not grow.
pub(super) fn sharp(url: &str, size: u32) -> String {
    if url.contains(".svg?") || url.contains("&padding=") {
        return String::new();
    }
    let of = |density: u32| {
        let larger = format!("size={}", (size * density).min(MAX_SIZE));
        let url = url.replacen(&format!("size={size}"), &larger, 1);
        format!("{url} {density}x")
    };
    [1, 2, 3].map(of).join(", ")
}

/// Returns the picture of these parameters, unless one of them is invalid.
fn spec_of(view: View, pairs: &[(&str, String)]) -> Option<PictureSpec> {
    picture_spec(view, &Query::parse_lossy(Some(&query_of(pairs)))).ok()
}

fn query_of(pairs: &[(&str, String)]) -> String {
    let pairs = pairs.iter();
    let pairs = pairs.map(|(name, value)| format!("{name}={}", escaped(value)));
    pairs.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_is_on_the_page() {
        for &view in View::ALL {
            assert!(VIEWS.iter().any(|(known, _)| *known == view), "{view}");
        }
    }

    fn parsed(query: &str) -> PageParams {
        PageParams::parse(&Query::parse_lossy(Some(query)), "MHF_Steve")
    }

    #[test]
    fn a_query_leads_to_a_picture_and_to_itself() {
        let rows = [
            ("", "/v1/figure/MHF_Steve?size=192", "/?player=MHF_Steve"),
            (
                "player=+Notch+&view=cube&size=64",
                "/v1/cube/Notch?size=64",
                "/?player=Notch&view=cube&size=64",
            ),
            (
                "player=Notch&yaw=-30&pitch=0&pose=walk&light=game&cape=false&overlay=false&format=svg",
                "/v1/figure/Notch.svg?size=192&yaw=-30&pitch=0&pose=walk&light=game&cape=false&overlay=false",
                "/?player=Notch&yaw=-30&pitch=0&pose=walk&light=game&cape=false&overlay=false&format=svg",
            ),
            (
                "player=Notch&background=202225&shape=circle&padding=8",
                "/v1/figure/Notch?size=192&background=202225&padding=8&shape=circle",
                "/?player=Notch&background=202225&padding=8&shape=circle",
            ),
            (
                ".player=&player=.Two+Words&view=avatar&facing=back-left",
                "/v1/isobody/.Two%20Words?size=192&facing=back-left",
                "/?player=.Two%20Words&view=isobody&facing=back-left",
            ),
            // Defaults, and what is invalid or does not apply, are left out.
            (
                "player=a&yaw=25&pitch=100&pose=dance&light=&shadow=&cape=true&facing=left&view=x&size=-1",
                "/v1/figure/a?size=192",
                "/?player=a",
            ),
            (
                "player=a%2Fb&view=head&pose=walk&size=99999",
                "/v1/face/a%2Fb?size=192",
                "/?player=a%2Fb&view=face",
            ),
            (
                "player=%22%3E%3Cimg%3E",
                "/v1/figure/%22%3E%3Cimg%3E?size=192",
                "/?player=%22%3E%3Cimg%3E",
            ),
        ];
        for (query, picture, page) in rows {
            let params = parsed(query);
            assert_eq!(params.picture_url(params.format), picture, "{query}");
            let url = format!(
                "/?player={}{}",
                escaped(&params.player),
                params.page_query()
            );
            assert_eq!(url, page, "{query}");
            let again = parsed(&page["/?".len()..]);
            assert_eq!(again.picture_url(again.format), picture, "{page}");
        }
    }
}
