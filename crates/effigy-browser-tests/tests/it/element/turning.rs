//! Turning and enlarging a figure, by mouse, fingers and keyboard.

use effigy_render::NamedPose;

use super::*;

#[test]
fn turning_takes_no_requests() {
    let (_server, browser) = or_skip!(embedded("size=96 pose=walk"));
    // Nothing is loaded before it is needed.
    assert_eq!(requested(&browser, "wasm"), [""; 0]);
    browser.drag("effigy-figure", &[[2, 1]; 40]);
    browser.wait_for(&drawn("85"));
    browser.assert_is("figure.pitch", 46);
    assert_eq!(requested(&browser, "/v1/figure/"), [""; 0]);
    requested(&browser, "");
    browser.drag("effigy-figure", &[[-5, 0]; 40]);
    browser.wait_for(&drawn("-65"));
    browser.keys("effigy-figure", &"\u{e012}".repeat(2));
    browser.wait_for(&drawn("-95"));
    browser.script("figure.setAttribute('pose', 'sit');");
    assert_eq!(requested(&browser, "/"), [""; 0]);
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
fn a_button_that_is_released_elsewhere_ends_the_turn() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    let [x, y] = point(&browser, "right - 4");
    let mouse = |kind, right: f64, buttons| browser.mouse(kind, [x + right, y], buttons, 1);
    mouse("mousePressed", 0.0, 1);
    // From the first move on, the mouse is outside of the figure.
    mouse("mouseMoved", 40.0, 1);
    browser.wait_for(&drawn("55"));
    mouse("mouseReleased", 40.0, 0);
    mouse("mouseMoved", -20.0, 0);
    mouse("mouseMoved", -40.0, 0);
    browser.assert_is("figure.yaw", 55);
}

#[test]
fn a_finger_turns_the_figure_sideways_only() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    let [x, y] = point(&browser, "left + 48");
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

/// A condition: the browser handles these gestures itself.
fn leaves_to_browser(gestures: &str) -> String {
    format!("getComputedStyle(figure).touchAction === {gestures:?}")
}

#[test]
fn two_fingers_zoom_the_page() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    browser.wait_for(&leaves_to_browser("pan-y pinch-zoom"));
    let [x, y] = point(&browser, "left + 48");
    browser.touch("touchStart", &[[x, y]]);
    for (kind, right) in [
        ("touchStart", 0.0),
        ("touchMove", 30.0),
        ("touchMove", 40.0),
    ] {
        browser.touch(kind, &[[x + right, y], [x + right + 20.0, y]]);
    }
    browser.touch("touchEnd", &[]);
    browser.assert_is("figure.yaw", 25);
}

#[test]
fn two_fingers_zoom_a_zoomable_figure() {
    let (_server, browser) = or_skip!(embedded("size=96 zoomable"));
    browser.wait_for(&leaves_to_browser("pan-y"));
    let yaw = browser.value("figure.yaw");
    let [x, y] = point(&browser, "left + 48");
    for (kind, apart) in [
        ("touchStart", 10.0),
        ("touchMove", 12.0),
        ("touchMove", 30.0),
    ] {
        browser.touch(kind, &[[x - apart, y], [x + apart, y]]);
    }
    browser.touch("touchEnd", &[]);
    browser.wait_for("figure.zoom === 3");
    browser.assert_is("figure.yaw", yaw);
}

/// Turns the wheel of the mouse over the figure, by four of its steps.
fn turn_wheel(browser: &Browser) {
    let [x, y] = point(browser, "left + 48");
    let event = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": -400 });
    browser.devtools("Input.dispatchMouseEvent", &event);
}

#[test]
fn the_wheel_scrolls_the_page() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    browser.script("document.body.style.height = '5000px'; scrollTo(0, 100);");
    turn_wheel(&browser);
    browser.wait_for("scrollY === 0");
    browser.assert_is("figure.zoom", 1);
}

#[test]
fn the_wheel_enlarges_a_zoomable_figure() {
    let (_server, browser) = or_skip!(embedded("size=96 zoomable"));
    browser.script("document.body.style.height = '5000px'; scrollTo(0, 100);");
    turn_wheel(&browser);
    browser.wait_for("figure.zoom === 2");
    browser.assert_is("scrollY", 100);
    // The figure is as sharp as before, and keeps its place.
    browser.wait_for("!canvas.hidden && canvas.width === 192");
    browser.assert_is("figure.getBoundingClientRect().width", 96);
    browser.keys("effigy-figure", "++-");
    browser.wait_for("figure.zoom === 2.25");
}

/// A flat view cannot be turned, but enlarged.
#[test]
fn a_flat_view_is_enlarged_and_cut_off() {
    let (_server, browser) = or_skip!(embedded("size=96 zoomable view=face"));
    browser.script("figure.focus(); figure.zoom = 2;");
    browser.wait_for("getComputedStyle(figure).overflow === 'clip'");
    browser.keys("effigy-figure", "-");
    browser.wait_for("figure.zoom === 1.75");
}

#[test]
fn the_side_is_said_in_words() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    for (yaw, pitch, expected) in [
        (25, 0, "25 degrees to the right"),
        (0, 10, "from the front, 10 degrees from above"),
        (-90, -20, "90 degrees to the left, 20 degrees from below"),
        (180, 0, "from behind"),
    ] {
        browser.script(&format!("figure.yaw = {yaw}, figure.pitch = {pitch};"));
        browser.wait_for(&format!("figure.internals.ariaValueText === {expected:?}"));
    }
}

#[test]
fn a_double_click_resets_side_and_zoom() {
    let (_server, browser) = or_skip!(embedded("size=96 zoomable"));
    browser.script("figure.yaw = 80, figure.pitch = 0, figure.zoom = 3;");
    let middle = point(&browser, "left + 48");
    browser.mouse("mouseMoved", middle, 0, 1);
    browser.script("window.changes = 0; figure.addEventListener('change', () => changes++);");
    for clicks in [1, 2] {
        for kind in ["mousePressed", "mouseReleased"] {
            browser.mouse(kind, middle, 0, clicks);
        }
    }
    browser.wait_for("changes === 1");
    browser.assert_is(
        "[figure.yaw, figure.pitch, figure.zoom]",
        json!([25, 16, 1]),
    );
}

#[test]
fn the_home_key_is_a_double_click() {
    let (_server, browser) = or_skip!(embedded("size=96 zoomable"));
    browser.script(
        "figure.yaw = 80; figure.zoom = 2; \
         figure.addEventListener('dblclick', () => (window.clicked = true));",
    );
    browser.keys("effigy-figure", "\u{e011}");
    browser.assert_is("[figure.yaw, figure.zoom, clicked]", json!([25, 1, true]));
}

#[test]
fn a_turn_is_no_click_on_a_link() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    browser.script(
        "const link = document.createElement('a'); link.href = '#went'; \
         figure.before(link); link.append(figure);",
    );
    browser.drag("effigy-figure", &[[2, 0]; 40]);
    browser.wait_for(&drawn("85"));
    browser.assert_is("location.hash", "");
    browser.script("figure.click();");
    browser.assert_is("location.hash", "#went");
}

#[test]
fn a_figure_that_leaves_the_page_stops_turning() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    browser.script(
        "const send = (type, clientX) => figure.dispatchEvent( \
             new PointerEvent(type, { isPrimary: true, clientX, pointerId: 1 })); \
         try { send('pointerdown', 9); } catch {} \
         const page = figure.parentNode; figure.remove(); page.append(figure); \
         send('pointermove', 99);",
    );
    browser.assert_is("figure.yaw", 25);
}

#[test]
fn only_a_figure_that_can_be_turned_or_zoomed_is_a_tab_stop() {
    let (_server, browser) = or_skip!(embedded("size=96 view=face"));
    let has_tab_index = |expected: &str| {
        browser.wait_for(&format!("figure.getAttribute('tabindex') === {expected}"));
    };
    has_tab_index("null");
    browser.script("figure.zoomable = true;");
    has_tab_index("'0'");
    // A stop with the focus keeps it until it loses it.
    browser.script("figure.focus(); figure.zoomable = false;");
    pause(&browser, 100);
    browser.assert_is("document.activeElement === figure", true);
    browser.script("figure.blur(); figure.label = 'Gwen';");
    has_tab_index("null");
}

#[test]
fn a_tab_index_of_the_page_stays() {
    let (_server, browser) = or_skip!(embedded("size=96 view=face tabindex=-1"));
    browser.script("figure.view = 'cube';");
    browser.wait_for("figure.internals.role === 'slider'");
    browser.assert_is("figure.getAttribute('tabindex')", "-1");
}

#[test]
fn a_turn_begins_at_the_side_of_the_pose() {
    let (_server, browser) = or_skip!(embedded("size=96 pose=sleeping"));
    let [yaw, pitch, _] = NamedPose::Lie.camera().angles().unwrap();
    let yaw = yaw.to_degrees();
    let pitch = pitch.to_degrees();
    browser.wait_for(&served(&format!("yaw={yaw}&pitch={pitch}")));
    browser.drag("effigy-figure", &[[2, 0]; 20]);
    browser.wait_for(&drawn(&(yaw + 30.0).to_string()));
    browser.script("figure.dispatchEvent(new Event('dblclick')); figure.pose = 'walk';");
    browser.assert_is("[figure.yaw, figure.pitch]", json!([25, 16]));
}

#[test]
fn a_head_looks_the_same_way_in_every_pose() {
    let (_server, browser) = or_skip!(embedded("size=96 view=cube pose=lie"));
    browser.assert_is("figure.yaw", 25);
}

#[test]
fn an_attribute_counts_more_than_the_side_of_the_pose() {
    let (_server, browser) = or_skip!(embedded("size=96 pose=lie yaw=-10"));
    let [_, pitch, _] = NamedPose::Lie.camera().angles().unwrap();
    let side = "`${figure.yaw},${figure.pitch}`";
    browser.assert_is(side, format!("-10,{}", pitch.to_degrees()));
}
