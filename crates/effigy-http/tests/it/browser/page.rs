//! Typing, choosing and copying on the page, and its error messages.

use serde_json::json;

use super::{loaded, opened, paths, webdriver::Browser};
use crate::support::Server;

/// Control, in the key codes of WebDriver.
const CONTROL: char = '\u{e009}';
const ENTER: char = '\u{e007}';
const TAB: char = '\u{e004}';
const ARROW_LEFT: char = '\u{e012}';
const ARROW_RIGHT: char = '\u{e014}';
const SPACE: char = ' ';

/// Replaces the text of a field.
fn retype(browser: &Browser, selector: &str, text: &str) {
    browser.keys(selector, &format!("{CONTROL}a{CONTROL}"));
    browser.keys(selector, text);
}

#[test]
fn typing_a_name_shows_its_pictures() {
    let server = Server::start();
    let Some(browser) = opened(&server, "?player=Gwendolin&hat=hat") else {
        return;
    };
    retype(&browser, "#player", "Reynard");
    browser.wait_for(&loaded("/Reynard"));
    let expected = [
        "/v1/figure/Reynard?size=256",
        "/avatar/Reynard/right/256",
        "/ioshead/Reynard/right/256",
        "/head/Reynard/256/hat",
        "/player/Reynard/256/hat",
        "/v1/bust/Reynard?size=256&overlay=true",
        "/v1/combo/Reynard?size=256&overlay=true",
        "/skin/Reynard",
    ];
    assert_eq!(paths(&browser), expected);
    let measures = "return [...document.querySelectorAll('.measure')].map(m => m.textContent);";
    assert_eq!(
        browser.script(measures),
        json!([
            "256 × 512",
            "256 × 522",
            "256 × 256",
            "256 × 256",
            "256 × 512",
            "256 × 256",
            "392 × 256",
            "64 × 64"
        ])
    );
    let names = "return [...document.querySelectorAll('.card img')].map(i => i.alt);";
    assert_eq!(browser.script(names)[1], "Reynard: isometric body");
    let status = browser.script("return document.querySelector('[role=status]').textContent;");
    assert_eq!(status, "Showing Reynard.");
    // The page's address leads to the same pictures.
    let address = browser.script("return location.search;");
    assert_eq!(address, "?player=Reynard&size=256&direction=right&hat=hat");
}

#[test]
fn size_direction_and_hat_are_live() {
    let server = Server::start();
    let Some(browser) = opened(&server, "?player=Gwendolin") else {
        return;
    };
    retype(&browser, "#size", "64");
    browser.click("input[name=direction][value=left]");
    browser.click("input[name=hat]");
    browser.wait_for(&loaded("/left/64$|/64/hat$|/skin/|overlay=true$|figure"));
    let expected = [
        "/v1/figure/Gwendolin?size=64",
        "/avatar/Gwendolin/left/64",
        "/ioshead/Gwendolin/left/64",
        "/head/Gwendolin/64/hat",
        "/player/Gwendolin/64/hat",
        "/v1/bust/Gwendolin?size=64&overlay=true",
        "/v1/combo/Gwendolin?size=64&overlay=true",
        "/skin/Gwendolin",
    ];
    assert_eq!(paths(&browser), expected);
    browser.click("input[name=behind]");
    browser.wait_for(&loaded(
        "facing=back-left$|/64/hat$|/skin/|overlay=true$|figure",
    ));
    let expected = [
        "/v1/avatar/Gwendolin?size=64&facing=back-left",
        "/v1/ioshead/Gwendolin?size=64&facing=back-left",
    ];
    assert_eq!(paths(&browser)[1..3], expected);
    browser.screenshot("behind");
    let address = browser.script("return location.search;");
    let expected = "?player=Gwendolin&size=64&direction=left&hat=hat&behind=behind";
    assert_eq!(address, expected);
    // A gamertag with blanks, and a name that a path cannot hold as it is.
    retype(&browser, "#player", ".Two Words");
    browser.wait_for(&loaded("/\\.Two%20Words"));
}

#[test]
fn everything_is_reached_by_keyboard() {
    let server = Server::start();
    let Some(browser) = opened(&server, "?player=Gwendolin") else {
        return;
    };
    let focused = "const e = document.activeElement; \
                   return e.id || e.name || e.textContent.trim();";
    let mut stops = Vec::new();
    for _ in 0..13 {
        browser.press(TAB);
        stops.push(browser.script(focused).as_str().unwrap().to_owned());
    }
    let expected = [
        "Skip to the pictures",
        "Effigy",
        "Use it",
        "Reference",
        "Health",
        "player",
        "Show",
        "size",
        "direction",
        "behind",
        "hat",
        "skin",
    ];
    assert_eq!(stops[..12], expected);
    // Enter shows what was typed at once; arrows choose, the space bar ticks.
    retype(&browser, "#player", "Servo");
    browser.press(ENTER);
    browser.wait_for(&loaded("/Servo"));
    browser.script("document.querySelector('[name=direction]:checked').focus();");
    browser.press(ARROW_LEFT);
    browser.wait_for(&loaded(
        "/left/256|/Servo/256$|/skin/|overlay=false$|figure",
    ));
    browser.press(TAB);
    browser.press(SPACE);
    browser.wait_for(&loaded(
        "back-left$|/Servo/256$|/skin/|overlay=false$|figure",
    ));
    browser.press(TAB);
    browser.press(SPACE);
    browser.wait_for(&loaded(
        "back-left$|/Servo/256/hat$|/skin/|overlay=true$|figure",
    ));
}

#[test]
fn one_click_copies() {
    let server = Server::start();
    let Some(browser) = opened(&server, "?player=.Two%20Words&size=64") else {
        return;
    };
    let permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
    browser.devtools(
        "Browser.grantPermissions",
        &json!({ "permissions": permissions, "origin": server.url }),
    );
    // A message of the page stays until the next action.
    let status = |said: &str| {
        let said = json!(said);
        format!("document.querySelector('#status').textContent === {said}")
    };
    browser.wait_for(&status("Showing .Two Words."));
    let url = format!("{}/avatar/.Two%20Words/right/64", server.url);
    let rows = [
        ("url", url.clone()),
        (
            "html",
            format!("<img src=\"{url}\" width=\"64\" height=\"131\" alt=\".Two Words\">"),
        ),
        ("markdown", format!("![.Two Words]({url})")),
        ("bbcode", format!("[img]{url}[/img]")),
    ];
    for (form, expected) in rows {
        browser.click(&format!(".card.avatar [data-copy={form}]"));
        browser.wait_for(&status(&format!("Copied: {expected}")));
        let copied = browser.promise("navigator.clipboard.readText()");
        assert_eq!(copied, expected);
    }
    // Without the clipboard interface, the page copies by a selection.
    browser.script("navigator.clipboard.writeText = () => Promise.reject();");
    browser.click(".card.skin [data-copy=url]");
    let skin = format!("{}/skin/.Two%20Words", server.url);
    browser.wait_for(&status(&format!("Copied: {skin}")));
    let copied = browser.promise("navigator.clipboard.readText()");
    assert_eq!(copied, skin);
}

#[test]
fn failures_say_what_the_service_says() {
    let server = Server::start();
    let Some(browser) = opened(&server, "?player=Gwendolin") else {
        return;
    };
    retype(&browser, "#player", "Nobody");
    browser.wait_for("document.querySelectorAll('.stage.failed').length === 8");
    let troubles = "return [...document.querySelectorAll('.trouble')].map(t => t.innerText);";
    assert_eq!(
        browser.script(troubles),
        json!([
            "No such player",
            "Failed to render avatar",
            "Failed to render iOS head",
            "Failed to render head",
            "Failed to render player",
            "No such player",
            "No such player",
            "Failed to get skin"
        ])
    );
    browser.wait_for(
        "document.querySelector('#status.bad').textContent.startsWith('No such player. Failed to render avatar.')",
    );
    browser.screenshot("failed");
    retype(&browser, "#player", "Melchior");
    browser.wait_for(&loaded("/Melchior"));
    let left = browser.script("return document.querySelectorAll('.trouble:not([hidden])').length;");
    assert_eq!(left, 0);
}

#[test]
fn the_form_works_without_scripts() {
    let server = Server::start();
    let Some(browser) = Browser::open() else {
        return;
    };
    let off = json!({ "value": true });
    browser.devtools("Emulation.setScriptExecutionDisabled", &off);
    browser.go(&server.url);
    let pictures = "[...document.querySelectorAll('.card img')]";
    let came = format!("{pictures}.every(i => i.complete && i.naturalWidth > 0)");
    browser.wait_for(&came);
    let live = browser.script("return document.documentElement.className;");
    assert_eq!(live, "", "the script does not run");
    retype(&browser, "#player", "Aurelia");
    browser.click("input[name=direction][value=left]");
    // The fields of the figure belong to the form.
    browser.keys("#yaw", &ARROW_RIGHT.to_string());
    browser.keys("#pose", "sit");
    browser.click(".primary");
    browser.wait_for("location.search.includes('Aurelia')");
    browser.wait_for(&came);
    let sources = browser.script(&format!(
        "return {pictures}.map(i => i.getAttribute('src'));"
    ));
    assert_eq!(sources[0], "/v1/figure/Aurelia?size=256&yaw=30&pose=sit");
    assert_eq!(sources[1], "/avatar/Aurelia/left/256");
    let shown =
        "return [...document.querySelectorAll('.scripted')].filter(e => e.offsetParent).length;";
    assert_eq!(
        browser.script(shown),
        0,
        "what needs the script is not shown"
    );
    browser.screenshot("without-scripts");
}
