//! The views, as the pages show them.

use effigy_render::{PictureSpec, Size, View};

use crate::routes::{MAX_SIZE, view_name};

use super::{
    assets::url,
    page_params::{PageParams, THUMBNAIL_SIZE, has_effect},
    template::{escape, fill, find},
};

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

const THUMBNAIL: &str = include_str!("../../assets/templates/thumbnail.html");

pub(super) fn title(view: View) -> &'static str {
    let mut views = VIEWS.iter();
    views
        .find(|(known, _)| *known == view)
        .map_or("", |(_, title)| title)
}

/// Returns a small picture of each view, to choose from.
pub(super) fn thumbnails(params: &PageParams, is_found: bool) -> String {
    let nobody = url("nobody.svg");
    let size = Size::new(THUMBNAIL_SIZE).expect("not zero");
    let thumbnail = |(view, title): &(View, &'static str)| {
        let spec = PictureSpec::new(*view, size);
        let src = match is_found {
            true => params.thumbnail_url(*view),
            false => nobody.clone(),
        };
        let values = [
            ("view", view_name(*view)),
            ("title", *title),
            (
                "checked",
                if *view == params.view { " checked" } else { "" },
            ),
            ("src", &src),
            (
                "srcset",
                &if is_found {
                    sharp(&src, THUMBNAIL_SIZE)
                } else {
                    String::new()
                },
            ),
            ("preview", &PageParams::thumbnail_preview_url(*view)),
            ("width", &spec.width().to_string()),
            ("height", &spec.height().to_string()),
        ];
        fill(THUMBNAIL, |name| find(&values, name))
    };
    VIEWS.iter().map(thumbnail).collect()
}

/// Returns the attribute for screens with more pixels: the URLs of a picture of this size, but larger. An SVG
/// is sharp, and padding would not grow.
pub(super) fn sharp(url: &str, size: u32) -> String {
    if url.contains(".svg?") || url.contains("&padding=") {
        return String::new();
    }
    let of = |density: u32| {
        let larger = format!("size={}", (size * density).min(MAX_SIZE));
        let url = url.replacen(&format!("size={size}"), &larger, 1);
        format!("{} {density}x", escape(&url))
    };
    let sets = [1, 2, 3].map(of).join(", ");
    format!(" srcset=\"{sets}\"")
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
