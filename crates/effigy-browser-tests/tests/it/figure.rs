//! The figure of the page, which visitors can turn.

use serde_json::json;

use super::{loaded, opened, requested, says, started};

const ARROW_LEFT: char = '\u{e012}';

/// A condition: the page shows the picture of this path, and offers its address.
fn shown(path: &str) -> String {
    format!(
        "$('#snippet-url').textContent.endsWith({path:?}) \
         && $('#picture').getAttribute('src') === '.' + {path:?} && $('#picture').complete"
    )
}

#[test]
fn a_slider_turns_the_figure() {
    let (_server, browser) = or_skip!(opened("?player=Corvina&size=64"));
    browser.keys("[data-of=yaw]", &ARROW_LEFT.to_string());
    browser.wait_for(&shown("/v1/figure/Corvina?size=64&yaw=20"));
    browser.assert_is("$('#yaw').value", "20");
    browser.keys("[data-of=pitch]", &ARROW_LEFT.to_string().repeat(2));
    browser.click("[name=pose][value=wave]");
    let query = "&yaw=20&pitch=5&pose=wave";
    browser.wait_for(&shown(&format!("/v1/figure/Corvina?size=64{query}")));
    let address = format!("?player=Corvina&size=64{query}");
    browser.wait_for(&format!("location.search === {}", json!(address)));
}

#[test]
fn dragging_takes_one_request_at_its_end() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    requested(&browser, "");
    // 80 pixels to the right and 40 down, at 3/4 of a degree per pixel.
    browser.drag("#stage", &[[2, 1]; 40]);
    browser.wait_for(&shown("/v1/figure/Gwendolin?size=64&yaw=85&pitch=46"));
    let requests = requested(&browser, "/v1/figure/");
    assert_eq!(requests.len(), 1, "{requests:?}");
    // A drag is no click on the link around the picture.
    browser.assert_is("location.pathname", "/");
}

#[test]
fn a_flat_view_is_not_dragged() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    browser.click("input[name=view][value=face]");
    browser.wait_for(&loaded("^/v1/face/"));
    browser.drag("#stage", &[[-50, 0]; 4]);
    browser.wait_for(&shown("/v1/face/Gwendolin?size=64"));
}

#[test]
fn without_the_element_the_fields_turn_the_figure() {
    let (server, browser) = or_skip!(started());
    browser.block(&["*/effigy-figure.js*"]);
    browser.go(&format!("{}/?player=Corvina&size=64", server.url));
    browser.wait_for(&loaded(""));
    // Nothing can be dragged.
    let hint = "getComputedStyle($('#draggable')).visibility";
    browser.assert_is(hint, "hidden");
    browser.keys("[data-of=yaw]", &ARROW_LEFT.to_string());
    browser.wait_for(&shown("/v1/figure/Corvina?size=64&yaw=20"));
    browser.wait_for(&says("Showing Corvina (Java)."));
}

#[test]
fn the_figure_turns_once_by_itself() {
    let (server, browser) = or_skip!(opened(""));
    // By default the tests ask for less motion.
    assert_eq!(requested(&browser, "wasm"), [""; 0]);
    browser.prefer("prefers-reduced-motion", "no-preference");
    browser.go(&server.url);
    browser.script(
        "window.stage = $('#stage'); window.sides = new Set(); \
         const put = CanvasRenderingContext2D.prototype.putImageData; \
         CanvasRenderingContext2D.prototype.putImageData = function (...a) { \
             sides.add(Math.floor((stage.yaw + 180) / 45)); put.apply(this, a); };",
    );
    // The renderer is not loaded before the visitor moves the mouse.
    browser.wait_for(&loaded(""));
    browser.promise("new Promise(done => setTimeout(done, 1500))");
    assert_eq!(requested(&browser, "wasm"), [""; 0]);
    browser.mouse("mouseMoved", [200.0, 300.0], 0, 0);
    browser.wait_for("!stage.shadowRoot.querySelector('canvas').hidden");
    browser.wait_for("stage.shadowRoot.querySelector('canvas').hidden");
    // Every side is shown.
    browser.assert_is("sides.size", 8);
    browser.wait_for(&shown("/v1/figure/MHF_Steve?size=192"));
    browser.assert_is("stage.yaw", 25);
    assert_eq!(requested(&browser, "yaw="), [""; 0]);
}
