//! The fields of the landing page that choose the picture.

use effigy_render::{Angle, Camera, ImageFormat, PictureSpec, Size, View};

use super::{
    assets::url,
    page_params::{PageParams, THUMBNAIL_SIZE, has_effect},
    template::{escape, fill},
};
use crate::routes::PICTURE_PARAMETERS;

/// The views with their titles, in the order of the page.
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

/// A list to choose a parameter from: its name, its label, and its values with their labels. The empty
/// value is the default.
type Choice = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const CHOICES: [Choice; 10] = [
    (
        "pose",
        "Pose",
        &[
            ("", "Stand"),
            ("walk", "Walk"),
            ("run", "Run"),
            ("wave", "Wave"),
            ("sit", "Sit"),
            ("crouch", "Crouch"),
            ("point", "Point"),
            ("cheer", "Cheer"),
        ],
    ),
    (
        "light",
        "Light",
        &[
            ("", "Default"),
            ("none", "None"),
            ("soft", "Soft"),
            ("game", "As in the game"),
        ],
    ),
    (
        "facing",
        "Direction",
        &[
            ("", "Right"),
            ("left", "Left"),
            ("back-right", "Back, right"),
            ("back-left", "Back, left"),
        ],
    ),
    ("overlay", "Overlay", &[("", "Shown"), ("false", "Hidden")]),
    (
        "cape",
        "Cape",
        &[("", "Default"), ("true", "Shown"), ("false", "Hidden")],
    ),
    (
        "background",
        "Background",
        &[
            ("", "Transparent"),
            ("ffffff", "White"),
            ("202225", "Dark"),
            ("8fd0ba", "Green"),
            ("7aa7e0", "Blue"),
        ],
    ),
    (
        "shape",
        "Shape",
        &[("", "Square"), ("rounded", "Rounded"), ("circle", "Circle")],
    ),
    (
        "padding",
        "Padding",
        &[
            ("", "None"),
            ("8", "8 pixels"),
            ("16", "16 pixels"),
            ("32", "32 pixels"),
        ],
    ),
    (
        "shadow",
        "Shadow",
        &[("", "None"), ("true", "On the ground")],
    ),
    ("format", "Format", &[("", "PNG"), ("svg", "SVG")]),
];

const RANGE: &str = r#"      <div class="field"><label for="{{name}}">{{label}}</label>
        <input id="{{name}}" name="{{name}}" type="range" min="-{{max}}" max="{{max}}" step="5" value="{{value}}"{{views}}></div>
"#;

const SELECT: &str = r#"      <div class="field"><label for="{{name}}">{{label}}</label>
        <select id="{{name}}" name="{{name}}"{{views}}>{{options}}</select></div>
"#;

const VIEW: &str = r#"    <label><input type="radio" name="view" value="{{view}}"{{checked}}><span class="thumbnail"><img id="view-{{view}}" data-live src="{{src}}" data-preview="{{preview}}" alt="" width="{{width}}" height="{{height}}" fetchpriority="low"></span><span>{{title}}</span></label>
"#;

/// Returns a small picture of each view, to choose from.
pub(super) fn thumbnails(params: &PageParams, is_found: bool) -> String {
    let nobody = url("nobody.svg");
    let choice = |(view, title): &(View, &str)| {
        let size = Size::new(THUMBNAIL_SIZE).expect("not zero");
        let spec = PictureSpec::new(*view, size);
        let src = match is_found {
            true => params.thumbnail_url(*view),
            false => nobody.clone(),
        };
        let checked = if *view == params.view { " checked" } else { "" };
        let values = [
            ("view", view.as_str()),
            ("title", *title),
            ("checked", checked),
            ("src", &escape(&src)),
            (
                "preview",
                &escape(&PageParams::thumbnail_preview_url(*view)),
            ),
            ("width", &spec.width().to_string()),
            ("height", &spec.height().to_string()),
        ];
        fill(VIEW, &values)
    };
    VIEWS.iter().map(choice).collect()
}

/// Returns the fields of all parameters but the player, the view and the size.
pub(super) fn controls(params: &PageParams) -> String {
    let angles = |camera| match camera {
        Camera::Orthographic { yaw, pitch } => Some([yaw, pitch]),
        Camera::Isometric(_) => None,
    };
    let angles = angles(params.spec.camera).or_else(|| angles(Camera::DEFAULT));
    let [yaw, pitch] = angles.unwrap_or_default();
    let ranges = range("yaw", "Turn", 180, yaw) + &range("pitch", "Tilt", 90, pitch);
    let selects = CHOICES.iter().map(|choice| select(params, choice));
    ranges + &selects.collect::<String>()
}

fn range(name: &str, label: &str, max: u32, angle: Angle) -> String {
    let values = [
        ("name", name),
        ("label", label),
        ("max", &max.to_string()),
        ("value", &angle.to_string()),
        ("views", &views(name)),
    ];
    fill(RANGE, &values)
}

fn select(params: &PageParams, (name, label, options): &Choice) -> String {
    let chosen = match (*name, params.format) {
        ("format", ImageFormat::Svg) => "svg",
        ("format", ImageFormat::Png) => "",
        (name, _) => params.chosen(name).unwrap_or_default(),
    };
    let option = |(value, label): &(&str, &str)| {
        let (value, label) = (escape(value), escape(label));
        let selected = if value == chosen { " selected" } else { "" };
        format!("<option value=\"{value}\"{selected}>{label}</option>")
    };
    let mut list: String = options.iter().map(option).collect();
    // A link may have any value that the parameter takes.
    if options.iter().all(|(value, _)| *value != chosen) {
        list += &option(&(chosen, chosen));
    }
    let values = [
        ("name", *name),
        ("label", *label),
        ("options", &list),
        ("views", &views(name)),
    ];
    fill(SELECT, &values)
}

/// Returns the attribute with the views that have a parameter, for the script, if some lack it.
fn views(name: &str) -> String {
    let Some(parameter) = PICTURE_PARAMETERS.iter().find(|known| known.name == name) else {
        return String::new();
    };
    let views = VIEWS
        .iter()
        .filter(|(view, _)| has_effect(parameter, *view));
    let words: Vec<&str> = views.map(|(view, _)| view.as_str()).collect();
    match words.len() == VIEWS.len() {
        true => String::new(),
        false => format!(" data-views=\"{}\"", words.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::{Query, picture_spec};

    #[test]
    fn every_view_and_every_value_can_be_chosen() {
        assert!(
            View::ALL
                .iter()
                .all(|view| VIEWS.iter().any(|(known, _)| known == view))
        );
        for (name, _, options) in CHOICES.iter().filter(|choice| choice.0 != "format") {
            for (value, _) in options.iter().filter(|(value, _)| !value.is_empty()) {
                let query = format!("{name}={value}");
                let accepts = |view| picture_spec(view, Query::new(Some(&query))).is_ok();
                assert!(View::ALL.into_iter().any(accepts), "{query}");
            }
        }
    }

    #[test]
    fn a_value_that_is_not_listed_stays_chosen() {
        let query = Query::new(Some("player=a&background=123456&pose=sit"));
        let html = controls(&PageParams::parse(query, "a"));
        assert!(html.contains("<option value=\"123456\" selected>123456</option>"));
        assert!(html.contains("<option value=\"sit\" selected>Sit</option>"));
        assert_eq!(html.matches(" selected>").count(), CHOICES.len());
    }
}
