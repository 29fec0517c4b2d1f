//! Narrow windows, color schemes, screen readers, and requests to other hosts.

use serde_json::{Value, json};

use super::{IS_CUT, loaded, opened, requested, started, webdriver::Browser};

fn narrow(browser: &Browser, width: u32) {
    browser.emulate([width, 780], 1, true);
}

/// Asserts that the page does not scroll sideways.
#[track_caller]
fn assert_fits(browser: &Browser, width: u32) {
    let wide = browser.value("document.documentElement.scrollWidth");
    assert!(wide.as_u64().unwrap() <= width.into(), "{wide} > {width}");
}

/// The lowest contrast of a text with its background. WCAG 2.2, "Contrast (Minimum)".
const CONTRAST: &str = r#"
const parts = colour => colour.match(/[\d.]+/g).map(Number);
const light = colour => {
  const [r, g, b] = parts(colour).slice(0, 3).map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = element => {
  for (let e = element; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor;
    if ((parts(colour)[3] ?? 1) === 1) return colour;
  }
};
let least = { ratio: 99 };
for (const e of document.querySelectorAll('body *')) {
  const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  if (!own || !e.offsetParent || e.closest('.skip')) continue;
  const [a, b] = [light(getComputedStyle(e).color), light(behind(e))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < least.ratio) least = { ratio, text: e.textContent.trim(), of: e.className };
}
return least;
"#;

#[test]
fn texts_have_enough_contrast_in_both_schemes() {
    let (server, browser) = or_skip!(started());
    for (page, path) in [("page", "?player=Gwendolin"), ("reference", "docs")] {
        let mut grounds = Vec::new();
        for scheme in ["light", "dark"] {
            browser.prefer("prefers-color-scheme", scheme);
            browser.go(&format!("{}/{path}", server.url));
            browser.wait_for("document.readyState === 'complete'");
            grounds.push(browser.value("getComputedStyle(document.body).backgroundColor"));
            let least = browser.script(CONTRAST);
            let ratio = least["ratio"].as_f64().unwrap();
            assert!((4.5..98.0).contains(&ratio), "{page} {scheme}: {least}");
            browser.screenshot(&format!("{page}-{scheme}"));
        }
        assert_ne!(grounds[0], grounds[1], "{page}");
    }
}

#[test]
fn the_reference_does_not_scroll_sideways() {
    let (server, browser) = or_skip!(started());
    narrow(&browser, 320);
    browser.go(&format!("{}/docs", server.url));
    assert_fits(&browser, 320);
    browser.screenshot("reference-narrow");
    assert_eq!(browser.log("browser"), [""; 0]);
}

/// Returns the elements of a selector for which an expression holds, by their classes and texts.
fn found(browser: &Browser, selector: &str, condition: &str) -> Value {
    browser.value(&format!(
        "[...document.querySelectorAll({selector:?})].filter(e => e.offsetParent && {condition})\
         .map(e => e.className + ': ' + e.textContent.trim())"
    ))
}

#[test]
fn the_page_fits_every_width() {
    let (server, browser) = or_skip!(opened("?player=Gwendolin"));
    for width in [320, 768, 1040] {
        narrow(&browser, width);
        browser.go(&format!("{}/?player=Gwendolin", server.url));
        browser.wait_for(&loaded("/Gwendolin"));
        assert_fits(&browser, width);
        let controls = "button, .button, .tiles label, .tabs label, select, input";
        let small = found(&browser, controls, "e.getBoundingClientRect().height < 24");
        assert_eq!(small, json!([]), "{width}: too small for a finger");
        let boxes = ".field, .intro, .exhibit, .use, .tiles, .panel, .worn";
        let cut = found(&browser, boxes, "e.scrollWidth > e.clientWidth");
        assert_eq!(cut, json!([]), "{width}: wider than its place");
        browser.screenshot(&format!("narrow-{width}"));
    }
}

/// Asserts that the middle of an element is in the window, and not covered by another element.
#[track_caller]
fn assert_in_view(browser: &Browser, selector: &str, message: &str) {
    let in_view = browser.script(&format!(
        "const element = $({selector:?}), box = element.getBoundingClientRect(); \
         const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); \
         return box.top >= 0 && box.bottom <= innerHeight + 1 \
             && (element.contains(there) || there.contains(element));"
    ));
    assert_eq!(in_view, true, "{selector}: {message}");
}

#[test]
fn picture_choices_and_url_are_in_one_view() {
    let (server, browser) = or_skip!(opened("?player=Gwendolin"));
    for (width, height, mobile) in [(1280, 900, false), (390, 844, true)] {
        browser.emulate([width, height], 1, mobile);
        browser.go(&format!("{}/?player=Gwendolin", server.url));
        browser.wait_for(&loaded(""));
        // The first pose is in the same window.
        let is_begun =
            "$('[name=pose]').closest('label').getBoundingClientRect().bottom <= innerHeight";
        browser.assert_is(is_begun, true);
        // The first choice, those in the middle, and the last one.
        for choice in ["[name=view]", "[value=faint]", "[name=light]", "#default"] {
            browser.script(&format!(
                "$({choice:?}).closest('label, .field').scrollIntoView({{ block: 'nearest' }});"
            ));
            for selector in [choice, "#stage", "#snippet-url", "[data-copy=snippet-url]"] {
                assert_in_view(&browser, selector, &format!("{width}, at {choice}"));
            }
        }
        // The text to copy is not cut off.
        let code = "$('#snippet-html')";
        browser.assert_is(&format!("{code}.scrollHeight <= {code}.clientHeight"), true);
        browser.screenshot(&format!("one-view-{width}"));
    }
}

/// The elements that a screen reader reads out, by role and name.
fn read_out(browser: &Browser) -> Vec<[String; 2]> {
    let tree = browser.devtools("Accessibility.getFullAXTree", &json!({}));
    let mut elements = Vec::new();
    for node in tree["nodes"].as_array().unwrap() {
        if node["ignored"] == true {
            continue;
        }
        let text = |key: &str| node[key]["value"].as_str().unwrap_or_default().to_owned();
        elements.push([text("role"), text("name")]);
    }
    elements
}

#[test]
fn every_control_and_image_has_a_name() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    let named = [
        "button",
        "link",
        "textbox",
        "searchbox",
        "spinbutton",
        "radio",
        "checkbox",
        "image",
        "heading",
        "radiogroup",
        "slider",
        "combobox",
    ];
    for [role, name] in read_out(&browser) {
        let needs_name = named.contains(&role.as_str());
        assert!(!needs_name || !name.is_empty(), "a {role} without a name");
    }
}

#[test]
fn a_screen_reader_finds_the_parts_of_the_page() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    let elements = read_out(&browser);
    for (role, name) in [
        ("heading", "Put a face to the name."),
        ("textbox", "Player"),
        ("spinbutton", "Size in pixels"),
        ("group", "View"),
        ("group", "Pose"),
        ("radio", "Isometric body"),
        ("radio", "Walk"),
        ("radio", "Markdown"),
        ("slider", "Turn"),
        ("slider", "Tilt"),
        ("slider", "Gwendolin: figure"),
        ("combobox", "Shape"),
        ("button", "Copy the URL"),
        ("region", "Use it"),
    ] {
        let element = [role, name].map(str::to_owned);
        assert!(elements.contains(&element), "{role} {name}: {elements:#?}");
    }
}

#[test]
fn nothing_comes_from_another_host() {
    let (server, browser) = or_skip!(started());
    // The browser's start page has requests of its own.
    requested(&browser, "");
    browser.go(&format!("{}/?player=Gwendolin", server.url));
    browser.wait_for(&loaded(""));
    let urls = requested(&browser, "");
    assert!(urls.len() >= 10, "{urls:?}");
    for url in urls {
        let own = url.starts_with(&server.url) || url.starts_with("data:");
        assert!(own, "{url}");
    }
    // The policy's blocked requests and the script's exceptions would be in this log.
    assert_eq!(browser.log("browser"), [""; 0]);
}

#[test]
fn pictures_are_as_sharp_as_the_screen() {
    let (server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    browser.emulate([1000, 780], 2, true);
    browser.go(&format!("{}/?player=Gwendolin&size=64", server.url));
    browser.wait_for(&loaded(""));
    let sharp = format!(
        "[...document.querySelectorAll('#picture, #choices img')]\
         .filter(i => i.offsetParent && !{IS_CUT})\
         .every(i => {{
            const size = url => new URL(url).searchParams.get('size');
            return size(i.currentSrc) === String(2 * size(i.src)) && i.complete;
         }})"
    );
    browser.wait_for(&sharp);
    browser.assert_is("$('#picture').getBoundingClientRect().width", 64);
}

#[test]
fn a_turning_figure_is_as_sharp_as_the_screen() {
    let (server, browser) = or_skip!(started());
    browser.emulate([1000, 780], 2, true);
    browser.go(&format!("{}/?player=Gwendolin&size=64", server.url));
    browser.wait_for(&loaded(""));
    browser.script("window.canvas = $('#stage').shadowRoot.querySelector('canvas');");
    browser.script("$('#stage').yaw = 60;");
    browser.promise("$('#stage').load()");
    browser.wait_for(
        "!canvas.hidden && canvas.width === 128 && canvas.getBoundingClientRect().width === 64",
    );
    browser.drag("#stage", &[[2, 0]; 20]);
    browser.wait_for("canvas.hidden && $('#picture').currentSrc.includes('size=128')");
}

#[test]
fn forced_colors_show_the_focus_and_the_choice() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    browser.prefer("forced-colors", "active");
    let focused = json!({ "enabled": true });
    browser.devtools("Emulation.setFocusEmulationEnabled", &focused);
    // The page of a server that lists players has this paragraph.
    browser.script(
        "$('.intro').insertAdjacentHTML('beforeend', \
         '<p class=players><a href=/ aria-current=true>Gwendolin</a></p>');",
    );
    let marks = |selector: &str| {
        browser.script(&format!(
            "const marked = getComputedStyle($({selector:?})); \
             return [marked.borderTopWidth, marked.outlineStyle, marked.outlineOffset];"
        ))
    };
    for (chosen, label) in [
        ("[name=view]:checked", ".tiles label:has(:checked)"),
        ("[name=tab]:checked", ".tabs label:has(:checked)"),
        (".players [aria-current]", ".players [aria-current]"),
    ] {
        assert_eq!(marks(label)[0], "3px", "{label}");
        assert_eq!(marks(label)[1], "none", "{label}");
        browser.script(&format!("$({chosen:?}).focus({{ focusVisible: true }});"));
        assert_eq!(marks(label), json!(["3px", "solid", "2px"]), "{label}");
    }
    browser.screenshot("forced-colors");
}

#[test]
fn a_missing_page_has_its_picture_beside_its_words() {
    let (server, browser) = or_skip!(started());
    let beside_each_other =
        "$('.stage').getBoundingClientRect().left > $('.intro').getBoundingClientRect().right";
    browser.go(&format!("{}/nothing/here", server.url));
    browser.assert_is(beside_each_other, true);
    browser.screenshot("not-found");
    narrow(&browser, 320);
    browser.assert_is(beside_each_other, false);
    browser.screenshot("not-found-narrow");
}
