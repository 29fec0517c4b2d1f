//! How a figure is turned, enlarged and moved, and says so.

use effigy_render::NamedPose;

use super::*;

#[test]
fn it_says_its_side_in_words_and_a_double_click_resets_it() {
    let (_server, browser) = or_skip!(embedded("size=96 zoomable"));
    for (yaw, pitch, expected) in [
        (25, 0, "25 degrees to the right"),
        (0, 10, "from the front, 10 degrees from above"),
        (-90, -20, "90 degrees to the left, 20 degrees from below"),
        (180, 0, "from behind"),
    ] {
        browser.script(&format!("figure.yaw = {yaw}, figure.pitch = {pitch};"));
        browser.wait_for(&format!("figure.internals.ariaValueText === {expected:?}"));
    }
    browser.script("figure.zoom = 3;");
    let middle = place(&browser, "left + 48");
    browser.mouse("mouseMoved", middle, 0, 1);
    browser.script("window.changes = 0; figure.addEventListener('change', () => changes++);");
    for clicks in [1, 2] {
        for kind in ["mousePressed", "mouseReleased"] {
            browser.mouse(kind, middle, 0, clicks);
        }
    }
    browser.wait_for("changes === 1");
    let sides = "[figure.yaw, figure.pitch, figure.zoom]";
    browser.assert_is(sides, json!([25, 16, 1]));
}

#[test]
fn only_a_zoomable_figure_is_enlarged() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    browser.script("document.body.style.height = '5000px';");
    let wheel = |browser: &Browser| {
        let [x, y] = place(browser, "left + 48");
        let event = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": -400 });
        browser.devtools("Input.dispatchMouseEvent", &event);
    };
    browser.script("scrollTo(0, 100);");
    wheel(&browser);
    browser.wait_for("scrollY === 0");
    browser.assert_is("figure.zoom", 1);
    browser.script("figure.zoomable = true;");
    browser.promise("new Promise((done) => setTimeout(done, 100))");
    browser.script("scrollTo(0, 100);");
    wheel(&browser);
    browser.wait_for("figure.zoom === 2");
    browser.assert_is("scrollY", 100);
    // It is as sharp as before, and keeps its place.
    browser.wait_for("!canvas.hidden && canvas.width === 192");
    browser.assert_is("figure.getBoundingClientRect().width", 96);
    browser.keys("effigy-figure", "++-");
    browser.wait_for("figure.zoom === 2.25");
    let yaw = browser.value("figure.yaw");
    browser.script("figure.zoom = 1;");
    let [x, y] = place(&browser, "left + 48");
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
    // Flat views have no side, but they have a size. What is too large is cut off, however it was enlarged.
    browser.script("figure.view = 'face'; figure.focus(); figure.zoom = 2;");
    browser.wait_for("getComputedStyle(figure).overflow === 'clip'");
    browser.keys("effigy-figure", "-");
    browser.wait_for("figure.zoom === 1.75");
}

#[test]
fn it_moves_where_motion_is_welcome_and_seen() {
    let (_server, browser) = or_skip!(embedded("size=96 animate=walk"));
    // The tests ask for less motion: the server's picture shows a moment of the walk.
    browser.assert_is("image.src.includes('pose=walk')", true);
    assert_eq!(requested(&browser, "wasm"), [""; 0]);
    browser.script(
        "window.frames = []; const put = CanvasRenderingContext2D.prototype.putImageData; \
         CanvasRenderingContext2D.prototype.putImageData = function (image, ...at) { \
             frames.push(image.data.reduce((sum, value, at) => (sum * 31 + value * at) % 1e9, 0)); \
             put.call(this, image, ...at); };",
    );
    let prefer = |motion| browser.prefer("prefers-reduced-motion", motion);
    prefer("no-preference");
    browser.wait_for("new Set(frames).size > 10");
    // Only the limbs move.
    browser.assert_is("figure.yaw", 25);
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
    let (_server, browser) = or_skip!(embedded("size=96"));
    browser.script(
        "const link = document.createElement('a'); link.href = '#went'; figure.before(link); link.append(figure);",
    );
    browser.drag("effigy-figure", &[[2, 0]; 40]);
    browser.wait_for(&drawn("85"));
    browser.assert_is("location.hash", "");
    browser.script("figure.click();");
    browser.assert_is("location.hash", "#went");
    // It is taken out of the page while a button is down.
    let pressed = "figure.dispatchEvent(new PointerEvent('pointerdown', { isPrimary: true, clientX: 9, pointerId: 1 }))";
    let moved = "figure.dispatchEvent(new PointerEvent('pointermove', { isPrimary: true, clientX: 99, pointerId: 1 }))";
    browser.script(&format!(
        "try {{ {pressed}; }} catch {{}} const page = figure.parentNode; figure.remove(); page.append(figure); {moved};"
    ));
    browser.assert_is("figure.yaw", 85);
}

#[test]
fn two_fingers_are_left_to_the_page_unless_they_zoom_the_figure() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    let touches = |expected: &str| {
        browser.wait_for(&format!(
            "getComputedStyle(figure).touchAction === {expected:?}"
        ));
    };
    touches("pan-y pinch-zoom");
    let [x, y] = place(&browser, "left + 48");
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
    browser.script("figure.zoomable = true;");
    touches("pan-y");
    // The keyboard has a double click too.
    browser.script("figure.yaw = 80; figure.zoom = 2; figure.addEventListener('dblclick', () => (window.reset = true));");
    browser.keys("effigy-figure", "\u{e011}");
    browser.assert_is("[figure.yaw, figure.zoom, reset]", json!([25, 1, true]));
}

#[test]
fn it_plays_every_motion() {
    let (_server, browser) = or_skip!(embedded("size=48"));
    browser.script(
        "window.frames = []; const put = CanvasRenderingContext2D.prototype.putImageData; \
         CanvasRenderingContext2D.prototype.putImageData = function (image, ...at) { \
             frames.push(image.data.reduce((sum, value, at) => (sum * 31 + value * at) % 1e9, 0)); \
             put.call(this, image, ...at); };",
    );
    browser.prefer("prefers-reduced-motion", "no-preference");
    for pose in NamedPose::ALL.iter().filter(|pose| pose.is_moving()) {
        browser.script(&format!("figure.animate = {:?};", pose.as_str()));
        browser.wait_for("!canvas.hidden");
        browser.script("frames.length = 0;");
        browser.wait_for("new Set(frames).size > 5");
    }
    assert_eq!(events(&browser), json!([]), "the browser draws all of them");
}

#[test]
fn a_turn_begins_at_the_side_of_the_pose() {
    let (_server, browser) = or_skip!(embedded("size=96 pose=sleeping"));
    let [yaw, pitch, _] = NamedPose::Lie.camera().angles().unwrap();
    let [yaw, pitch] = [yaw, pitch].map(|angle| angle.to_degrees());
    browser.wait_for(&served(&format!("yaw={yaw}&pitch={pitch}")));
    browser.drag("effigy-figure", &[[2, 0]; 20]);
    browser.wait_for(&drawn(&(yaw + 30.0).to_string()));
    browser.script("figure.dispatchEvent(new Event('dblclick')); figure.pose = 'walk';");
    browser.assert_is("[figure.yaw, figure.pitch]", json!([25, 16]));
    // A head looks the same way in every pose, and attributes count more than the pose.
    browser.script("figure.pose = 'lie'; figure.view = 'cube';");
    browser.assert_is("figure.yaw", 25);
    browser.script("figure.view = 'figure'; figure.setAttribute('yaw', '-10');");
    let side = "`${figure.yaw},${figure.pitch}`";
    browser.assert_is(side, format!("-10,{pitch}"));
}
