//! The element `<effigy-figure>`, and the renderer that it loads.

mod motion;
mod shown;

use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use fixtures::Image;
use serde_json::{Value, json};

use super::{
    requested, started,
    webdriver::{Browser, Tab},
};
use effigy_testing::Server;

/// Lets the page read what the element tells assistive technology.
const INTERNALS: &str = "const attach = HTMLElement.prototype.attachInternals; \
    HTMLElement.prototype.attachInternals = function () { return (this.internals = attach.call(this)); };";

/// A server, and a page of another site with this element, whose picture is loaded.
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
             figure.addEventListener(type, ({ detail }) => events.push([type, detail?.status, detail?.message]));",
    );
    Some((server, browser))
}

/// Returns a place in the middle of the figure's height, this far from one of its sides.
fn place(browser: &Browser, from_side: &str) -> [f64; 2] {
    [from_side, "top + 96"].map(|place| {
        let place = browser.value(&format!("figure.getBoundingClientRect().{place}"));
        place.as_f64().unwrap()
    })
}

/// Returns the events since this was last called.
fn events(browser: &Browser) -> Value {
    browser.script("return events.splice(0);")
}

/// A condition: the server's picture is shown, which is of this query.
fn served(part: &str) -> String {
    format!(
        "!image.hidden && canvas.hidden && image.src.includes({part:?}) && image.naturalWidth > 0"
    )
}

#[test]
fn its_pictures_are_the_servers_pixel_for_pixel() {
    let (server, browser) = or_skip!(embedded(""));
    let mut rows = vec![];
    let poses = "stand straight walk run wave sit point cheer";
    for view in ["figure", "portrait", "cube"] {
        let sides = poses.split(' ').zip((0..).step_by(45));
        rows.extend(sides.map(|(pose, yaw)| {
            let query = format!("size=48&pose={pose}&yaw={yaw}.5&pitch=-30&fit=turn");
            (view, query)
        }));
    }
    let flat = "isobody isohead face bust body combo avatar ioshead head player";
    let bare = "size=100&overlay=false";
    rows.extend(flat.split(' ').map(|view| (view, bare.to_owned())));
    let lit = "size=200&background=20406080&padding=7&light=";
    rows.extend(["none", "soft", "game"].map(|light| ("figure", format!("{lit}{light}"))));
    for crop in ["bust", "head", "content"] {
        let query =
            "size=64&pose=dance&outline=fedcba&outline-width=3&light-from=-60,40&right-elbow=90";
        rows.push(("figure", format!("{query}&crop={crop}")));
    }
    let urls = rows
        .iter()
        .map(|(view, query)| format!("view={view}&{query}"));
    // The first frame of a movement has room for the others.
    let moving = "view=figure&size=48&pose=walk&yaw=25&pitch=16&time=2000";
    let urls: Vec<_> = urls.chain([moving.to_owned()]).collect();
    rows.push(("figure", "size=48&pose=walk".to_owned()));
    let drawn = browser.promise(&format!(
        "figure.load().then(() => {{ \
           const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')); \
           return {}.map((parameters) => base64(figure.draw(parameters).data)); \
         }})",
        json!(urls)
    ));
    for ((view, query), drawn) in rows.iter().zip(drawn.as_array().unwrap()) {
        let drawn = STANDARD.decode(drawn.as_str().unwrap()).unwrap();
        let extension = if query.ends_with("walk") { ".apng" } else { "" };
        let path = format!("/v1/{view}/Gwendolin{extension}?{query}");
        let expected = Image::decode(&server.ok(&path).body).unwrap();
        assert!(drawn == expected.rgba, "{path}");
    }
}

/// A condition: the figure is drawn by the browser, from this side.
fn drawn(yaw: &str) -> String {
    format!("!canvas.hidden && canvas.width === 96 && figure.internals.ariaValueNow === {yaw:?}")
}

#[test]
fn turning_it_takes_no_requests() {
    let (_server, browser) = or_skip!(embedded("size=96 pose=walk"));
    // Nothing is loaded before it is needed.
    assert_eq!(requested(&browser, "wasm"), [""; 0]);
    browser.drag("effigy-figure", &[[2, 1]; 40]);
    browser.wait_for(&drawn("85"));
    browser.assert_is("figure.pitch", 46);
    assert_eq!(requested(&browser, "/v1/figure/").len(), 0);
    requested(&browser, "");
    browser.drag("effigy-figure", &[[-5, 0]; 40]);
    browser.wait_for(&drawn("-65"));
    browser.keys("effigy-figure", &"\u{e012}".repeat(2));
    browser.wait_for(&drawn("-95"));
    browser.script("figure.setAttribute('pose', 'sit');");
    assert_eq!(requested(&browser, "/"), [""; 0]);
}

#[test]
fn it_stays_when_the_button_is_released_elsewhere() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    let [x, y] = place(&browser, "right - 4");
    let mouse = |kind, right: f64, buttons| browser.mouse(kind, [x + right, y], buttons, 1);
    mouse("mousePressed", 0.0, 1);
    // Outside of the figure from the first move on.
    mouse("mouseMoved", 40.0, 1);
    browser.wait_for(&drawn("55"));
    mouse("mouseReleased", 40.0, 0);
    mouse("mouseMoved", -20.0, 0);
    mouse("mouseMoved", -40.0, 0);
    browser.assert_is("figure.yaw", 55);
}

#[test]
fn its_width_is_that_of_the_picture_whoever_draws_it() {
    for (attributes, width) in [
        ("size=96 padding=8", 112),
        ("size=96 shape=circle", 192),
        // Twice as much is too much for a picture.
        ("size=96 padding=200", 496),
        ("size=-5", 128),
        ("size=96 crop=head", 96),
    ] {
        let (server, browser) = or_skip!(embedded(attributes));
        let is_fitted = format!("Math.abs(figure.getBoundingClientRect().width - {width}) < 1");
        browser.wait_for(&format!("{} && {is_fitted}", served("size=")));
        browser.drag("effigy-figure", &[[2, 0]; 40]);
        browser.wait_for(&format!("!canvas.hidden && {is_fitted}"));
        // The page's own picture has the width that the page gives it.
        let inside = format!("<img width={width} src={}/favicon.ico>", server.url);
        browser.script(&format!("figure.innerHTML = {inside:?}; figure.rest();"));
        browser.wait_for(&format!("canvas.hidden && image.hidden && {is_fitted}"));
    }
}

#[test]
fn a_finger_turns_it_to_the_side() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    let [x, y] = place(&browser, "left + 48");
    browser.touch("touchStart", &[[x, y]]);
    for step in 1..=20 {
        let step = f64::from(step);
        browser.touch("touchMove", &[[x + 4.0 * step, y + step]]);
    }
    browser.touch("touchEnd", &[]);
    browser.wait_for(&drawn("85"));
    browser.assert_is("figure.pitch", 16);
    assert_eq!(requested(&browser, "yaw=85"), [""; 0]);
}

#[test]
fn without_webassembly_the_server_draws_every_side() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    browser.script("delete window.WebAssembly;");
    browser.drag("effigy-figure", &[[2, 0]; 40]);
    browser.wait_for(
        "canvas.hidden && image.src.includes('yaw=85') && image.complete && image.naturalWidth > 0",
    );
    let requests = requested(&browser, "/v1/figure/").len();
    assert!((1..=12).contains(&requests), "{requests}");
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
    let (server, browser) = or_skip!(embedded("size=96"));
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
    // What a script has set before the element is defined.
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
fn it_draws_with_limbs_and_colors_as_urls_have_them() {
    let attributes = "size=96 fit=turn right-arm=-90,0,20 background=#2b2d31 pose=' walk '";
    let (_server, browser) = or_skip!(embedded(attributes));
    browser.drag("effigy-figure", &[[2, 0]; 40]);
    browser.wait_for(&drawn("85"));
    assert_eq!(events(&browser), json!([]));
}

#[test]
fn what_the_page_says_about_it_stays() {
    let attributes = "size=96 role=presentation aria-label=Statue style=\"border:1px solid\"";
    let (_server, browser) = or_skip!(embedded(attributes));
    browser.wait_for("figure.internals.role === 'slider'");
    browser.assert_is(
        "['role', 'aria-label', 'style', 'aria-valuenow'].map((name) => figure.getAttribute(name))",
        json!(["presentation", "Statue", "border:1px solid", null]),
    );
    browser.script("figure.setAttribute('style', 'margin: 1px'); figure.pose = 'walk';");
    browser.wait_for(&served("pose=walk"));
    browser.assert_is("figure.offsetWidth", 96);
    // The page makes it lower, and moves it into another document.
    browser.script("figure.style.height = '50px';");
    browser.assert_is("image.offsetHeight", 50);
    browser.script(
        "const frame = document.createElement('iframe'); document.body.append(frame); \
         frame.contentDocument.body.append(figure);",
    );
    browser.wait_for("figure.offsetWidth === 96");
}

#[test]
fn only_what_one_can_turn_or_zoom_is_a_stop() {
    let (_server, browser) = or_skip!(embedded("size=96 view=face"));
    let stops = |expected: &str| {
        browser.wait_for(&format!("figure.getAttribute('tabindex') === {expected}"));
    };
    stops("null");
    browser.script("figure.zoomable = true;");
    stops("'0'");
    browser.script("figure.focus(); figure.zoomable = false;");
    browser.promise("new Promise((done) => setTimeout(done, 100))");
    browser.assert_is("document.activeElement === figure", true);
    browser.script("figure.blur(); figure.label = 'Gwen';");
    stops("null");
    browser.script("figure.tabIndex = -1; figure.view = 'cube';");
    browser.wait_for("figure.internals.role === 'slider'");
    stops("'-1'");
}

#[test]
fn an_outline_is_as_wide_on_every_screen() {
    let (_server, browser) = or_skip!(embedded("size=96 outline=red outline-width=3"));
    browser.wait_for(&served("outline-width=3"));
    for (density, pixels) in [(2, 6), (3, 9)] {
        browser.emulate([400 * density, 780], density, false);
        browser.screenshot("element-outline");
        browser.wait_for(&served(&format!("outline-width={pixels}")));
    }
    // One that no picture has is left to the service, which says so.
    browser.script("figure.setAttribute('outline-width', 99);");
    browser
        .wait_for("events.some(event => event[1] === 400 && event[2].startsWith('Outline-width'))");
}

#[test]
fn it_is_as_sharp_as_a_screen_that_changes() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    for density in [2, 3] {
        browser.emulate([400 * density, 780], density, false);
        // The frame in which the page is told.
        browser.screenshot("element-sharp");
        browser.wait_for(&served(&format!("size={}&", 96 * density)));
    }
}
