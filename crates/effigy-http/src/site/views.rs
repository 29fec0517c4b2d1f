//! The views, as the pages show them.

use effigy_render::View;

use super::page_params::has_effect;
use crate::routes::{MAX_SIZE, view_name};

/// The views with their titles, in the order of the pages.
pub(super) const VIEWS: [(View, &str); 9] = [
    (View::Figure, "Figure"),
    (View::Portrait, "Portrait"),
    (View::HeadCube, "Cube"),
    (View::IsometricBody, "Isometric body"),
    (View::IsometricHead, "Isometric head"),
    (View::Head, "Face"),
    (View::Bust, "Bust"),
    (View::Body, "Flat body"),
    (View::Combo, "Face and body"),
];

pub(super) fn title(view: View) -> &'static str {
    let mut views = VIEWS.iter();
    views
        .find(|(known, _)| *known == view)
        .map_or("", |(_, title)| title)
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

/// Returns the words of the views that have a parameter, for the script.
pub(super) fn words_of_views_with(parameter: &str) -> String {
    let views = VIEWS
        .iter()
        .filter(|(view, _)| has_effect(parameter, *view));
    let words: Vec<&str> = views.map(|(view, _)| view_name(*view)).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_has_a_title() {
        for &view in View::ALL {
            assert_ne!(title(view), "", "{view}");
        }
    }
}
