//! Figures that move by themselves.

use effigy_render::NamedPose;

use super::*;

/// Records a checksum of each frame that is drawn, in `frames`.
const RECORD_FRAMES: &str = "window.frames = []; \
    const put = CanvasRenderingContext2D.prototype.putImageData; \
    CanvasRenderingContext2D.prototype.putImageData = function (image, ...at) { \
        frames.push(image.data.reduce((sum, value, at) => (sum * 31 + value * at) % 1e9, 0)); \
        put.call(this, image, ...at); };";

/// Lets the browser say that its user welcomes motion. By default the tests ask for less of it.
fn welcome_motion(browser: &Browser) {
    browser.prefer("prefers-reduced-motion", "no-preference");
}

/// Asserts that nothing is drawn any more.
#[track_caller]
fn assert_rests(browser: &Browser) {
    // A busy machine tells late that the figure is out of sight. Half a second has 30 frames.
    pause(browser, 300);
    browser.script("frames.length = 0;");
    pause(browser, 500);
    let frames = browser.script("return frames.length;").as_u64().unwrap();
    assert!(frames < 3, "{frames}");
}

#[test]
fn a_figure_that_asks_for_less_motion_is_a_still_picture() {
    let (_server, browser) = or_skip!(embedded("size=96 animate=walk"));
    // The server's picture shows a moment of the walk.
    browser.assert_is("image.src.includes('pose=walk')", true);
    assert_eq!(requested(&browser, "wasm"), [""; 0]);
}

#[test]
fn a_figure_moves_its_limbs_and_turns() {
    let (_server, browser) = or_skip!(embedded("size=96 animate=walk"));
    browser.script(RECORD_FRAMES);
    welcome_motion(&browser);
    browser.wait_for("new Set(frames).size > 10");
    browser.assert_is("figure.yaw", 25);
    browser.script("figure.turn = true;");
    browser.wait_for("figure.yaw > 35");
}

#[test]
fn a_cube_whose_head_is_held_in_place_stands_still() {
    let words = "view=cube size=96 animate=walk head=0,20,0";
    let (_server, browser) = or_skip!(embedded(words));
    browser.script(RECORD_FRAMES);
    welcome_motion(&browser);
    browser.wait_for("frames.length > 0");
    browser.wait_for("new Set(frames).size === 1");
    assert_rests(&browser);
}

#[test]
fn a_figure_moves_only_in_sight() {
    let (_server, browser) = or_skip!(embedded("size=96 animate=walk"));
    browser.script(RECORD_FRAMES);
    welcome_motion(&browser);
    browser.wait_for("frames.length > 5");
    browser.script("document.body.style.height = '5000px'; scrollTo(0, 3000);");
    assert_rests(&browser);
    browser.script("scrollTo(0, 0);");
    browser.wait_for("frames.length > 5");
}

#[test]
fn a_figure_moves_only_while_motion_is_welcome() {
    let (_server, browser) = or_skip!(embedded("size=96 animate=walk"));
    browser.script(RECORD_FRAMES);
    welcome_motion(&browser);
    browser.wait_for("frames.length > 5");
    browser.prefer("prefers-reduced-motion", "reduce");
    assert_rests(&browser);
    welcome_motion(&browser);
    browser.wait_for("frames.length > 5");
}

#[test]
fn the_browser_draws_every_motion() {
    let (_server, browser) = or_skip!(embedded("size=48"));
    browser.script(RECORD_FRAMES);
    welcome_motion(&browser);
    for pose in NamedPose::ALL.iter().filter(|pose| pose.is_moving()) {
        browser.script(&format!("figure.animate = {:?};", pose.as_str()));
        browser.wait_for("!canvas.hidden");
        browser.script("frames.length = 0;");
        browser.wait_for("new Set(frames).size > 5");
    }
    assert_eq!(events(&browser), json!([]));
}
