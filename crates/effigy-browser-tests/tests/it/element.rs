//! The element `<effigy-figure>`: its pictures, its attributes and its place in a page.

mod motion;
mod shown;
mod turning;

use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use effigy_testing::Server;
use fixtures::Image;
use serde_json::{Value, json};

use super::{
    requested, started,
    webdriver::{Browser, Tab},
};

/// Lets the page read what the element tells assistive technology, as `internals`.
const INTERNALS: &str = "const attach = HTMLElement.prototype.attachInternals; \
    HTMLElement.prototype.attachInternals = function () { \
        return (this.internals = attach.call(this)); };";

/// A server, and a page of another site that shows Gwendolin in an element with these attributes.
/// Her picture is loaded. Scripts have the element as `figure`, and its parts as `image` and
/// `canvas`.
fn embedded(attributes: &str) -> Option<(Server, Tab)> {
    let (server, browser) = started()?;
    let html = format!(
        "<!doctype html><body style=\"margin: 100px 300px\"><script>{INTERNALS}</script>\
         <script type=module src={0}/v1/effigy-figure.js></script>\
         <effigy-figure player=Gwendolin {attributes}></effigy-figure>",
        server.url
    );
    browser.go_to_html(&html);
    browser.wait_for("customElements.get('effigy-figure')");
    browser.script(
        "window.figure = $('effigy-figure'); \
         window.image = figure.shadowRoot.querySelector('img'); \
         window.canvas = figure.shadowRoot.querySelector('canvas');",
    );
    browser.wait_for("image.complete && image.naturalWidth > 0");
    browser.script(
        "window.events = []; \
         for (const type of ['load', 'error']) \
             figure.addEventListener(type, ({ detail }) => \
                 events.push([type, detail?.status, detail?.message]));",
    );
    Some((server, browser))
}

/// Returns a point at half of the figure's height, and at this horizontal distance from one of its
/// sides, such as `left + 48`.
fn point(browser: &Browser, horizontal: &str) -> [f64; 2] {
    [horizontal, "top + 96"].map(|coordinate| {
        let value = browser.value(&format!("figure.getBoundingClientRect().{coordinate}"));
        value.as_f64().unwrap()
    })
}

/// Returns the events since this was last called.
fn events(browser: &Browser) -> Value {
    browser.script("return events.splice(0);")
}

/// Waits until this time has passed in the page.
fn pause(browser: &Browser, milliseconds: u32) {
    browser.promise(&format!(
        "new Promise((done) => setTimeout(done, {milliseconds}))"
    ));
}

/// A condition: a picture of the server is shown, whose URL has this part.
fn served(part: &str) -> String {
    format!(
        "!image.hidden && canvas.hidden && image.src.includes({part:?}) && image.naturalWidth > 0"
    )
}

/// A condition: the figure is drawn by the browser, from this side.
fn drawn(yaw: &str) -> String {
    format!("!canvas.hidden && canvas.width === 96 && figure.internals.ariaValueNow === {yaw:?}")
}

/// A view and a query for a picture of it.
type Row = (&'static str, String);

/// Poses from all sides, which are fitted to every turn.
fn turned_rows() -> Vec<Row> {
    let poses = [
        "stand", "straight", "walk", "run", "wave", "sit", "point", "cheer",
    ];
    let mut rows = Vec::new();
    for view in ["figure", "portrait", "cube"] {
        for (pose, yaw) in poses.iter().zip((0..).step_by(45)) {
            let query = format!("size=48&pose={pose}&yaw={yaw}.5&pitch=-30&fit=turn");
            rows.push((view, query));
        }
    }
    rows
}

/// Views that cannot be turned.
fn flat_rows() -> Vec<Row> {
    let views = [
        "isobody", "isohead", "face", "bust", "body", "combo", "avatar", "ioshead", "head",
        "player",
    ];
    let query = "size=100&overlay=false";
    views.map(|view| (view, query.to_owned())).to_vec()
}

/// Kinds of light, crops and decorations.
fn decorated_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for light in ["none", "soft", "game"] {
        let query = format!("size=200&background=20406080&padding=7&light={light}");
        rows.push(("figure", query));
    }
    for crop in ["bust", "head", "content"] {
        let query = format!(
            "size=64&pose=dance&outline=fedcba&outline-width=3&light-from=-60,40\
             &right-elbow=90&crop={crop}"
        );
        rows.push(("figure", query));
    }
    rows
}

/// The pixels that the browser draws for these parameters.
fn drawn_by_browser(browser: &Browser, parameters: &[String]) -> Vec<Vec<u8>> {
    let pictures = browser.promise(&format!(
        "figure.load().then(() => {{ \
           const base64 = (bytes) => \
               btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')); \
           return {}.map((parameters) => base64(figure.draw(parameters).data)); \
         }})",
        json!(parameters)
    ));
    let pictures = pictures.as_array().unwrap().iter();
    pictures
        .map(|picture| STANDARD.decode(picture.as_str().unwrap()).unwrap())
        .collect()
}

#[test]
fn the_browser_draws_the_servers_pixels() {
    let (server, browser) = or_skip!(embedded(""));
    let rows = [turned_rows(), flat_rows(), decorated_rows()].concat();
    let parameters: Vec<String> = rows
        .iter()
        .map(|(view, query)| format!("view={view}&{query}"))
        .collect();
    let pictures = drawn_by_browser(&browser, &parameters);
    for ((view, query), pixels) in rows.iter().zip(pictures) {
        let path = format!("/v1/{view}/Gwendolin?{query}");
        let expected = Image::decode(&server.ok(&path).body).unwrap();
        assert!(pixels == expected.rgba, "{path}");
    }
}

/// The first frame of a movement has room for the others.
#[test]
fn the_browser_draws_the_servers_first_frame() {
    let (server, browser) = or_skip!(embedded(""));
    let moving = "view=figure&size=48&pose=walk&yaw=25&pitch=16&time=2000".to_owned();
    let frames = drawn_by_browser(&browser, &[moving]);
    let file = server.ok("/v1/figure/Gwendolin.apng?size=48&pose=walk");
    let first = Image::decode(&file.body).unwrap();
    assert!(frames[0] == first.rgba);
}

#[test]
fn a_file_stays_in_the_browser() {
    let (server, browser) = or_skip!(embedded("size=96"));
    let texture = STANDARD.encode(&server.get("/v1/skin/Corvina").body);
    requested(&browser, "");
    let bytes = format!("Uint8Array.from(atob({texture:?}), (letter) => letter.charCodeAt())");
    let model = browser.promise(&format!("figure.show({bytes})"));
    assert_eq!(model, "classic");
    browser.wait_for(&drawn("25"));
    let refused = browser.promise("figure.show(new Blob(['no picture']))");
    assert!(refused.as_str().unwrap().contains("PNG"), "{refused}");
    browser.wait_for(&drawn("25"));
    assert_eq!(requested(&browser, "/v1/"), [""; 0]);
}

#[test]
fn attributes_are_properties() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    browser.script("figure.overlay = false; figure.pose = 'sit';");
    browser.wait_for(&served("overlay=false"));
    browser.script("window.written = (name) => figure.getAttribute(name);");
    for (expression, expected) in [
        ("figure.overlay", json!("false")),
        ("figure.overlay = null, written('overlay')", json!(null)),
        ("figure.shadow = true, written('shadow')", json!("")),
        ("figure.yaw = '40', figure.yaw", json!(40)),
        ("figure.setAttribute('pitch', 200), figure.pitch", json!(90)),
        ("figure.animate = 'walk', written('animate')", json!("walk")),
        ("typeof figure.animate", json!("function")),
        ("figure.turn = false, written('turn')", json!("false")),
    ] {
        browser.assert_is(expression, expected);
    }
}

#[test]
fn a_property_may_be_set_before_the_element_is_defined() {
    let (server, browser) = or_skip!(started());
    let element = format!("{}/v1/effigy-figure.js", server.url);
    let html = format!(
        "<!doctype html><effigy-figure></effigy-figure><script type=module>\
         const figure = document.querySelector('effigy-figure'); figure.player = 'Hazel'; \
         await import({element:?});</script>"
    );
    browser.go_to_html(&html);
    browser.wait_for("$('effigy-figure').getAttribute('player') === 'Hazel'");
}

#[test]
fn limbs_and_colors_are_written_as_in_urls() {
    let attributes = "size=96 fit=turn right-arm=-90,0,20 background=#2b2d31 pose=' walk '";
    let (_server, browser) = or_skip!(embedded(attributes));
    browser.drag("effigy-figure", &[[2, 0]; 40]);
    browser.wait_for(&drawn("85"));
    assert_eq!(events(&browser), json!([]));
}

#[test]
fn attributes_of_the_page_stay() {
    let attributes = "size=96 role=presentation aria-label=Statue style=\"border:1px solid\"";
    let (_server, browser) = or_skip!(embedded(attributes));
    browser.wait_for("figure.internals.role === 'slider'");
    let names = "['role', 'aria-label', 'style', 'aria-valuenow']";
    browser.assert_is(
        &format!("{names}.map((name) => figure.getAttribute(name))"),
        json!(["presentation", "Statue", "border:1px solid", null]),
    );
}

#[test]
fn the_page_may_style_and_move_the_element() {
    let (_server, browser) = or_skip!(embedded("size=96 style=\"border:1px solid\""));
    browser.script("figure.setAttribute('style', 'margin: 1px'); figure.pose = 'walk';");
    browser.wait_for(&served("pose=walk"));
    browser.assert_is("figure.offsetWidth", 96);
    browser.script("figure.style.height = '50px';");
    browser.assert_is("image.offsetHeight", 50);
    // Into another document.
    browser.script(
        "const frame = document.createElement('iframe'); document.body.append(frame); \
         frame.contentDocument.body.append(figure);",
    );
    browser.wait_for("figure.offsetWidth === 96");
}

#[test]
fn the_element_is_as_wide_as_its_picture() {
    for (attributes, width) in [
        ("size=96 padding=8", 112),
        ("size=96 shape=circle", 192),
        // A picture with twice as many pixels would be too large.
        ("size=96 padding=200", 496),
        ("size=-5", 128),
        ("size=96 crop=head", 96),
    ] {
        let (server, browser) = or_skip!(embedded(attributes));
        let fits = format!("Math.abs(figure.getBoundingClientRect().width - {width}) < 1");
        browser.wait_for(&format!("{} && {fits}", served("size=")));
        browser.drag("effigy-figure", &[[2, 0]; 40]);
        browser.wait_for(&format!("!canvas.hidden && {fits}"));
        // A picture of the page in the element has the width that the page gives it.
        let inside = format!("<img width={width} src={}/favicon.ico>", server.url);
        browser.script(&format!("figure.innerHTML = {inside:?}; figure.rest();"));
        browser.wait_for(&format!("canvas.hidden && image.hidden && {fits}"));
    }
}

#[test]
fn an_outline_is_as_wide_on_every_screen() {
    let (_server, browser) = or_skip!(embedded("size=96 outline=red outline-width=3"));
    browser.wait_for(&served("outline-width=3"));
    for (density, pixels) in [(2, 6), (3, 9)] {
        browser.emulate([400 * density, 780], density, false);
        // The page learns of its screen with the next frame.
        browser.screenshot("element-outline");
        browser.wait_for(&served(&format!("outline-width={pixels}")));
    }
}

#[test]
fn an_outline_that_is_too_wide_is_left_to_the_service() {
    let (_server, browser) = or_skip!(embedded("size=96 outline=red"));
    browser.script("figure.setAttribute('outline-width', 99);");
    browser
        .wait_for("events.some(event => event[1] === 400 && event[2].startsWith('Outline-width'))");
}

#[test]
fn pictures_are_as_sharp_as_a_screen_that_changes() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    for density in [2, 3] {
        browser.emulate([400 * density, 780], density, false);
        // The page learns of its screen with the next frame.
        browser.screenshot("element-sharp");
        browser.wait_for(&served(&format!("size={}&", 96 * density)));
    }
}
