//! How a figure is turned, enlarged and moved, and says so.

use super::*;

#[test]
fn it_says_in_words_from_where_it_is_seen_and_a_double_click_resets_it() {
    let server = Server::start();
    let Some(browser) = embedded(&server, "size=96 zoomable") else {
        return;
    };
    let rows = [
        ("yaw = 25, figure.pitch = 0", "25 degrees to the right"),
        (
            "yaw = 0, figure.pitch = 10",
            "from the front, 10 degrees from above",
        ),
        (
            "yaw = -90, figure.pitch = -20",
            "90 degrees to the left, 20 degrees from below",
        ),
        ("yaw = 180, figure.pitch = 0", "from behind"),
    ];
    for (set, expected) in rows {
        browser.script(&format!("figure.{set};"));
        browser.wait_for(&format!("figure.internals.ariaValueText === {expected:?}"));
    }
    browser.script("figure.zoom = 3;");
    browser.devtools("Input.dispatchMouseEvent", &click(&browser, 1));
    browser.script("window.changes = 0; figure.addEventListener('change', () => changes++);");
    for (kind, count) in [
        ("mousePressed", 1),
        ("mouseReleased", 1),
        ("mousePressed", 2),
        ("mouseReleased", 2),
    ] {
        let mut event = click(&browser, count);
        event["type"] = json!(kind);
        browser.devtools("Input.dispatchMouseEvent", &event);
    }
    browser.wait_for("changes === 1");
    assert_eq!(
        browser.script("return [figure.yaw, figure.pitch, figure.zoom];"),
        json!([25, 16, 1])
    );
}

/// A movement of the mouse to the middle of the figure.
fn click(browser: &Browser, count: u32) -> Value {
    let [x, y] = ["left + 48", "top + 96"]
        .map(|place| browser.script(&format!("return figure.getBoundingClientRect().{place};")));
    json!({ "type": "mouseMoved", "x": x, "y": y, "button": "left", "clickCount": count })
}

#[test]
fn only_a_zoomable_figure_is_enlarged() {
    let server = Server::start();
    let Some(browser) = embedded(&server, "size=96") else {
        return;
    };
    browser.script("document.body.style.height = '5000px';");
    let wheel = |browser: &Browser| {
        let mut event = click(browser, 0);
        event["type"] = json!("mouseWheel");
        (event["deltaX"], event["deltaY"]) = (json!(0), json!(-400));
        browser.devtools("Input.dispatchMouseEvent", &event);
    };
    browser.script("scrollTo(0, 100);");
    wheel(&browser);
    browser.wait_for("scrollY === 0");
    assert_eq!(browser.script("return figure.zoom;"), 1);
    browser.script("figure.zoomable = true;");
    browser.promise("new Promise((done) => setTimeout(done, 100))");
    browser.script("scrollTo(0, 100);");
    wheel(&browser);
    browser.wait_for("figure.zoom === 2");
    assert_eq!(browser.script("return scrollY;"), 100);
    // It is as sharp as before, and keeps its place.
    browser.wait_for("!canvas.hidden && canvas.width === 192");
    assert_eq!(
        browser.script("return figure.getBoundingClientRect().width;"),
        96
    );
    browser.screenshot("element-zoomed");
    browser.keys("effigy-figure", "++-");
    browser.wait_for("figure.zoom === 2.25");
    // Two fingers.
    let fingers = |browser: &Browser, kind: &str, apart: f64| {
        let middle = click(browser, 0);
        let [x, y] = ["x", "y"].map(|axis| middle[axis].as_f64().unwrap());
        let finger = |id: u32, x: f64| json!({ "x": x, "y": y, "id": id });
        let points = json!([finger(1, x - apart), finger(2, x + apart)]);
        let points = if kind == "touchEnd" {
            json!([])
        } else {
            points
        };
        browser.devtools(
            "Input.dispatchTouchEvent",
            &json!({ "type": kind, "touchPoints": points }),
        );
    };
    let yaw = browser.script("return figure.yaw;");
    browser.script("figure.zoom = 1;");
    for (kind, apart) in [
        ("touchStart", 10.0),
        ("touchMove", 12.0),
        ("touchMove", 30.0),
        ("touchEnd", 0.0),
    ] {
        fingers(&browser, kind, apart);
    }
    browser.wait_for("figure.zoom === 3");
    assert_eq!(browser.script("return figure.yaw;"), yaw);
}

#[test]
fn it_moves_where_motion_is_welcome_and_seen() {
    let server = Server::start();
    let Some(browser) = embedded(&server, "size=96 animate=walk") else {
        return;
    };
    // The tests ask for less motion: the server's picture shows a moment of the walk.
    assert!(
        browser
            .script("return image.src;")
            .as_str()
            .unwrap()
            .contains("pose=walk")
    );
    assert_eq!(requested(&browser, "wasm"), [""; 0]);
    browser.script(
        "window.frames = []; const put = CanvasRenderingContext2D.prototype.putImageData; \
         CanvasRenderingContext2D.prototype.putImageData = function (image, ...at) { \
             frames.push(image.data.reduce((sum, value, at) => (sum * 31 + value * at) % 1e9, 0)); \
             put.call(this, image, ...at); };",
    );
    let prefer = |motion: &str| {
        let feature = json!({ "name": "prefers-reduced-motion", "value": motion });
        browser.devtools(
            "Emulation.setEmulatedMedia",
            &json!({ "features": [feature] }),
        );
    };
    prefer("no-preference");
    browser.wait_for("new Set(frames).size > 10");
    assert_eq!(
        browser.script("return figure.yaw;"),
        25,
        "only the limbs move"
    );
    browser.script("figure.turn = true;");
    browser.wait_for("figure.yaw > 35");
    let rests = |why: &str| {
        browser.promise("new Promise((done) => setTimeout(done, 300))");
        browser.script("frames.length = 0;");
        browser.promise("new Promise((done) => setTimeout(done, 500))");
        // A busy machine tells late that the figure is out of sight. Half a second has 30 frames.
        let frames = browser.script("return frames.length;");
        assert!(frames.as_u64().unwrap() < 3, "{why}: {frames}");
    };
    browser.script("document.body.style.height = '5000px'; scrollTo(0, 3000);");
    rests("out of sight");
    browser.script("scrollTo(0, 0);");
    browser.wait_for("frames.length > 5");
    prefer("reduce");
    rests("not welcome");
    prefer("no-preference");
    browser.wait_for("frames.length > 5");
}

#[test]
fn a_turn_is_no_click_and_ends_with_the_place_in_the_page() {
    let server = Server::start();
    let Some(browser) = embedded(&server, "size=96") else {
        return;
    };
    browser.script(
        "const link = document.createElement('a'); link.href = '#went'; figure.before(link); link.append(figure);",
    );
    browser.drag("effigy-figure", &[[2, 0]; 40]);
    browser.wait_for(&drawn("85"));
    assert_eq!(browser.script("return location.hash;"), "");
    browser.script("figure.click();");
    assert_eq!(browser.script("return location.hash;"), "#went");
    // It is taken out of the page while a button is down.
    let pressed = "figure.dispatchEvent(new PointerEvent('pointerdown', { isPrimary: true, clientX: 9, pointerId: 1 }))";
    let moved = "figure.dispatchEvent(new PointerEvent('pointermove', { isPrimary: true, clientX: 99, pointerId: 1 }))";
    browser.script(&format!(
        "try {{ {pressed}; }} catch {{}} const page = figure.parentNode; figure.remove(); page.append(figure); {moved};"
    ));
    assert_eq!(browser.script("return figure.yaw;"), 85);
}

#[test]
fn a_zoom_is_cut_off_however_it_is_set() {
    let server = Server::start();
    let Some(browser) = embedded(&server, "size=96 view=face zoomable") else {
        return;
    };
    browser.script("figure.focus(); figure.zoom = 3;");
    browser.wait_for("getComputedStyle(figure).overflow === 'clip'");
    // Flat views have no side, but they have a size.
    browser.script("figure.dispatchEvent(new KeyboardEvent('keydown', { key: '-' }));");
    assert_eq!(browser.script("return figure.zoom;"), 2.75);
}

#[test]
fn two_fingers_are_left_to_the_page_unless_they_zoom_the_figure() {
    let server = Server::start();
    let Some(browser) = embedded(&server, "size=96") else {
        return;
    };
    let touches = |expected: &str| {
        browser.wait_for(&format!(
            "getComputedStyle(figure).touchAction === {expected:?}"
        ));
    };
    touches("pan-y pinch-zoom");
    let [x, y] = ["x", "y"].map(|axis| click(&browser, 0)[axis].as_f64().unwrap());
    let touch = |kind: &str, places: &[f64]| {
        let points = places.iter().enumerate();
        let points = points.map(|(id, right)| json!({ "x": x + right, "y": y, "id": id }));
        let points: Vec<_> = points.collect();
        browser.devtools(
            "Input.dispatchTouchEvent",
            &json!({ "type": kind, "touchPoints": points }),
        );
    };
    touch("touchStart", &[0.0]);
    touch("touchStart", &[0.0, 20.0]);
    touch("touchMove", &[30.0, 50.0]);
    touch("touchMove", &[40.0, 60.0]);
    touch("touchEnd", &[]);
    assert_eq!(browser.script("return figure.yaw;"), 25);
    browser.script("figure.zoomable = true;");
    touches("pan-y");
    // The keyboard has a double click too.
    browser.script("figure.yaw = 80; figure.zoom = 2; figure.addEventListener('dblclick', () => (window.reset = true));");
    browser.keys("effigy-figure", "\u{e011}");
    assert_eq!(
        browser.script("return [figure.yaw, figure.zoom, reset];"),
        json!([25, 1, true])
    );
}
