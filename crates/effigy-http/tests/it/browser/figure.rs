//! The figure that one can turn.

use serde_json::json;

use super::{loaded, opened, requested, text};
use crate::support::Server;

const ARROW_LEFT: char = '\u{e012}';

/// A condition: the picture and the address are those of this path.
fn shown(path: &str) -> String {
    let path = json!(path);
    format!(
        "document.querySelector('#snippet-url').textContent.endsWith({path}) \
         && document.querySelector('#picture').getAttribute('src') === {path} \
         && document.querySelector('#picture').complete"
    )
}

#[test]
fn a_slider_turns_it() {
    let server = Server::start();
    let Some(browser) = opened(&server, "?player=Corvina&size=64") else {
        return;
    };
    browser.keys("#yaw", &ARROW_LEFT.to_string());
    browser.wait_for(&shown("/v1/figure/Corvina?size=64&yaw=20"));
    browser.keys("#pitch", &ARROW_LEFT.to_string().repeat(2));
    browser.keys("#pose", "wave");
    let query = "&yaw=20&pitch=0&pose=wave";
    browser.wait_for(&shown(&format!("/v1/figure/Corvina?size=64{query}")));
    browser.screenshot("figure");
    let address = format!("?player=Corvina&size=64{query}");
    browser.wait_for(&format!("location.search === {}", json!(address)));
}

#[test]
fn dragging_turns_it_with_few_requests() {
    let server = Server::start();
    let Some(browser) = opened(&server, "?player=Gwendolin&size=64") else {
        return;
    };
    requested(&browser, "");
    // 80 pixels to the right and 40 down, at 3/4 of a degree per pixel.
    browser.drag("#stage", &[[2, 1]; 40]);
    browser.wait_for(&shown("/v1/figure/Gwendolin?size=64&yaw=85&pitch=40"));
    // 12 steps of 5 degrees to the side and 6 down, and the page at the end.
    let requests = requested(&browser, "/v1/figure/").len();
    assert!((1..=25).contains(&requests), "{requests}");
    let here = browser.script("return location.pathname;");
    assert_eq!(here, "/", "a drag is no click");
    // From now on it is drawn in the browser. The other way round, over the back.
    browser.script("window.canvas = document.querySelector('#stage canvas');");
    browser.wait_for("canvas.hidden && performance.getEntriesByType('resource').some(e => e.name.includes('wasm_bg'))");
    browser.promise("new Promise(done => setTimeout(done, 500))");
    requested(&browser, "");
    browser.script("window.drawn = 0; const put = CanvasRenderingContext2D.prototype.putImageData; \
        CanvasRenderingContext2D.prototype.putImageData = function (...a) { drawn++; put.apply(this, a); };");
    browser.drag("#stage", &[[-5, 0]; 40]);
    assert!(browser.script("return drawn;").as_u64().unwrap() >= 5);
    browser.wait_for("canvas.hidden");
    assert!(
        requested(&browser, "/v1/figure/").len() <= 2,
        "that of the end"
    );
    browser.wait_for(&shown("/v1/figure/Gwendolin?size=64&yaw=-65&pitch=40"));
    let url = format!(
        "{}/v1/figure/Gwendolin?size=64&yaw=-65&pitch=40",
        server.url
    );
    assert_eq!(
        text(&browser, "#snippet-bbcode"),
        format!("[img]{url}[/img]")
    );
    // Views that do not turn are not dragged.
    browser.click("input[name=view][value=face]");
    browser.wait_for(&loaded("^/v1/face/"));
    browser.drag("#stage", &[[-50, 0]; 4]);
    browser.wait_for(&shown("/v1/face/Gwendolin?size=64"));
}

#[test]
fn it_turns_once_by_itself_where_motion_is_welcome() {
    let server = Server::start();
    let Some(browser) = opened(&server, "") else {
        return;
    };
    // The tests ask for less motion.
    assert_eq!(requested(&browser, "yaw=").len(), 0);
    let welcome = json!({ "name": "prefers-reduced-motion", "value": "no-preference" });
    browser.devtools(
        "Emulation.setEmulatedMedia",
        &json!({ "features": [welcome] }),
    );
    browser.go(&server.url);
    browser.wait_for("document.querySelector('#picture').src.includes('yaw=')");
    browser.wait_for(&shown("/v1/figure/MHF_Steve?size=192"));
    let mut sides = requested(&browser, "yaw=");
    sides.sort();
    sides.dedup();
    assert_eq!(sides.len(), 17);
}
