//! The element `<effigy-figure>`, and the renderer that it loads.

use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use fixtures::Image;
use serde_json::json;

use super::{
    requested,
    webdriver::{Tab, file},
};
use crate::support::Server;

/// A page of another site with this element, whose picture is loaded.
fn embedded(server: &Server, attributes: &str) -> Option<Tab> {
    let browser = Tab::open()?;
    let html = format!(
        "<!doctype html><body style=\"margin: 100px 300px\"><script type=module src={0}/v1/effigy-figure.js></script>\
         <effigy-figure player=Gwendolin {attributes}></effigy-figure>",
        server.url
    );
    let (_folder, page) = file("page.html", html.as_bytes());
    browser.go(&format!("file://{}", page.display()));
    browser.wait_for("customElements.get('effigy-figure')");
    browser.script(
        "window.figure = document.querySelector('effigy-figure'); \
         window.image = figure.shadowRoot.querySelector('img'); \
         window.canvas = figure.shadowRoot.querySelector('canvas');",
    );
    browser.wait_for("image.complete && image.naturalWidth > 0");
    Some(browser)
}

#[test]
fn its_pictures_are_the_servers_pixel_for_pixel() {
    let server = Server::start();
    let Some(browser) = embedded(&server, "") else {
        return;
    };
    let mut rows = vec![];
    for view in ["figure", "portrait", "cube"] {
        for (yaw, pose) in [
            "stand", "straight", "walk", "run", "wave", "sit", "point", "cheer",
        ]
        .iter()
        .enumerate()
        {
            rows.push((
                view,
                format!("size=48&pose={pose}&yaw={}.5&pitch=-30&fit=turn", yaw * 45),
            ));
        }
    }
    let flat = "isobody isohead face bust body combo avatar ioshead head player";
    rows.extend(
        flat.split(' ')
            .map(|view| (view, "size=100&overlay=false".to_owned())),
    );
    let lit = "size=200&background=20406080&padding=7&light=";
    rows.extend(["none", "soft", "game"].map(|light| ("figure", format!("{lit}{light}"))));
    let urls = rows
        .iter()
        .map(|(view, query)| format!("view={view}&{query}"));
    let urls: Vec<_> = urls.collect();
    let drawn = browser.promise(&format!(
        "figure.load().then(() => {{ \
           const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')); \
           return {}.map((parameters) => base64(figure.draw(parameters).data)); \
         }})",
        json!(urls)
    ));
    for ((view, query), drawn) in rows.iter().zip(drawn.as_array().unwrap()) {
        let drawn = STANDARD.decode(drawn.as_str().unwrap()).unwrap();
        let path = format!("/v1/{view}/Gwendolin?{query}");
        let reply = server.get(&path);
        assert_eq!(reply.status, 200, "{path}");
        let expected = Image::decode(&reply.body).unwrap();
        assert!(drawn == expected.rgba, "{path}");
    }
}

/// A condition: the figure is drawn by the browser, from this side.
fn drawn(yaw: &str) -> String {
    format!(
        "!canvas.hidden && canvas.width === 96 && figure.getAttribute('aria-valuenow') === {yaw:?}"
    )
}

#[test]
fn turning_it_takes_no_requests() {
    let server = Server::start();
    let Some(browser) = embedded(&server, "size=96 pose=walk") else {
        return;
    };
    assert_eq!(
        requested(&browser, "wasm").len(),
        0,
        "nothing is loaded before it is needed"
    );
    browser.drag("effigy-figure", &[[2, 1]; 40]);
    browser.wait_for(&drawn("85"));
    assert_eq!(browser.script("return figure.pitch;"), 40);
    assert_eq!(requested(&browser, "/v1/figure/").len(), 0);
    requested(&browser, "");
    browser.drag("effigy-figure", &[[-5, 0]; 40]);
    browser.wait_for(&drawn("-65"));
    browser.keys("effigy-figure", &"\u{e012}".repeat(2));
    browser.wait_for(&drawn("-95"));
    browser.script("figure.setAttribute('pose', 'sit');");
    browser.screenshot("element");
    assert_eq!(requested(&browser, "/"), [""; 0]);
}

#[test]
fn a_finger_turns_it_to_the_side() {
    let server = Server::start();
    let Some(browser) = embedded(&server, "size=96") else {
        return;
    };
    let touch = |kind: &str, points: serde_json::Value| {
        let event = json!({ "type": kind, "touchPoints": points });
        browser.devtools("Input.dispatchTouchEvent", &event);
    };
    let [x, y] = ["left + 48", "top + 96"].map(|place| {
        let place = format!("return figure.getBoundingClientRect().{place};");
        browser.script(&place).as_f64().unwrap()
    });
    touch("touchStart", json!([{ "x": x, "y": y }]));
    for step in 1..=20 {
        let step = f64::from(step);
        touch("touchMove", json!([{ "x": x + 4.0 * step, "y": y + step }]));
    }
    touch("touchEnd", json!([]));
    browser.wait_for(&drawn("85"));
    assert_eq!(browser.script("return figure.pitch;"), 10);
    assert_eq!(requested(&browser, "yaw=85"), [""; 0]);
}

#[test]
fn without_webassembly_the_server_draws_every_side() {
    let server = Server::start();
    let Some(browser) = embedded(&server, "size=96") else {
        return;
    };
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
    let server = Server::start();
    let Some(browser) = embedded(&server, "size=96") else {
        return;
    };
    let texture = STANDARD.encode(&server.get("/v1/skin/Corvina").body);
    requested(&browser, "");
    let bytes = format!("Uint8Array.from(atob({texture:?}), (letter) => letter.charCodeAt())");
    assert!(browser.promise(&format!("figure.show({bytes})")).is_null());
    browser.wait_for(&drawn("25"));
    let refused = browser.promise("figure.show(new Blob(['no picture']))");
    assert!(
        refused.as_str().unwrap().to_lowercase().contains("png"),
        "{refused}"
    );
    browser.wait_for(&drawn("25"));
    assert_eq!(requested(&browser, "/v1/"), [""; 0]);
}
