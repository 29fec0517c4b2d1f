//! Typing, choosing and copying on the page, and what it says.

use serde_json::json;

use super::{
    loaded, opened, requested, says, text,
    webdriver::{Browser, Tab},
};
use crate::support::Server;

/// Control, in the key codes of WebDriver.
const CONTROL: char = '\u{e009}';
const ENTER: char = '\u{e007}';
const TAB: char = '\u{e004}';
const ARROW_LEFT: char = '\u{e012}';
const ARROW_RIGHT: char = '\u{e014}';

/// Replaces the text of a field.
fn retype(browser: &Browser, selector: &str, text: &str) {
    browser.keys(selector, &format!("{CONTROL}a{CONTROL}"));
    browser.keys(selector, text);
}

/// The address that the page offers.
fn address(browser: &Browser) -> String {
    text(browser, "#snippet-url")
}

#[test]
fn typing_a_name_shows_the_player() {
    let Some((server, browser)) = opened("?player=Gwendolin&size=64") else {
        return;
    };
    requested(&browser, "");
    retype(&browser, "#player", "Reynard");
    browser.wait_for(&loaded("^/v1/figure/Reynard\\?size=64$"));
    // Seven letters make one look-up.
    assert_eq!(requested(&browser, "/?player=").len(), 1);
    let views =
        "return [...document.querySelectorAll('#views img')].map(i => i.getAttribute('src'));";
    let views = browser.script(views);
    assert_eq!(views[0], "/v1/figure/Reynard?size=64");
    assert_eq!(views[8], "/v1/combo/Reynard?size=64");
    assert_eq!(
        address(&browser),
        format!("{}/v1/figure/Reynard?size=64", server.url)
    );
    assert_eq!(text(&browser, "#measure"), "64 × 128");
    assert_eq!(text(&browser, "#status"), "Showing Reynard (Java).");
    let alt = browser.script("return document.querySelector('#picture').alt;");
    assert_eq!(alt, "Reynard: figure");
    let page = browser.script("return location.search;");
    assert_eq!(page, "?player=Reynard&size=64");
}

#[test]
fn only_what_can_be_a_player_is_looked_up_while_typing() {
    let Some((_server, browser)) = opened("?player=Gwendolin&size=64") else {
        return;
    };
    requested(&browser, "");
    retype(&browser, "#player", "Two Words");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(requested(&browser, "/?player=").is_empty());
    // Enter asks anyway, and says what the name lacks.
    browser.press(ENTER);
    browser.wait_for(&says(
        "A Java name has only letters, digits and underscores. For a Bedrock player, put a dot in \
         front: .Two Words",
    ));
    assert_eq!(requested(&browser, "/v1/"), Vec::<String>::new());
    browser.screenshot("missing");
    browser.click("#instead");
    browser.wait_for(&loaded("^/v1/figure/.Two%20Words"));
    browser.wait_for(&says("Showing .Two Words (Bedrock)."));
    assert_eq!(
        browser.script("return document.querySelector('#instead').hidden;"),
        true
    );
}

#[test]
fn every_field_changes_the_address() {
    let Some((server, browser)) = opened("?player=Corvina&size=64") else {
        return;
    };
    browser.click("input[name=view][value=isobody]");
    browser.wait_for(&loaded("^/v1/isobody/Corvina\\?size=64$"));
    let disabled = "return [...document.querySelectorAll('.field > :disabled')].map(e => e.name);";
    assert_eq!(browser.script(disabled), json!(["yaw", "pitch", "pose"]));
    browser.keys("#facing", "Back, left");
    browser.keys("#light", "As in");
    browser.keys("#cape", "Shown");
    browser.keys("#overlay", "Hidden");
    browser.keys("#background", "Dark");
    browser.keys("#shape", "Circle");
    browser.keys("#padding", "8 pixels");
    browser.keys("#shadow", "On the ground");
    browser.keys("#format", "SVG");
    retype(&browser, "#size", "96");
    let query = "size=96&facing=back-left&light=game&cape=true&overlay=false&background=202225&padding=8\
        &shape=circle&shadow=true";
    browser.wait_for(&format!(
        "document.querySelector('#snippet-url').textContent.endsWith({})",
        json!(format!("/v1/isobody/Corvina.svg?{query}"))
    ));
    browser.wait_for(&loaded("^/v1/isobody/Corvina.svg"));
    browser.screenshot("options");
    // The page's own address leads to the same picture, and a view without a field keeps its value.
    let page = browser.script("return location.search;");
    let page = page.as_str().unwrap();
    assert_eq!(
        page,
        format!("?player=Corvina&view=isobody&{query}&format=svg")
    );
    let before = address(&browser);
    browser.go(&format!("{}/{page}", server.url));
    browser.wait_for(&loaded("^/v1/isobody/Corvina.svg"));
    assert_eq!(address(&browser), before);
    browser.click("input[name=view][value=face]");
    browser.wait_for(&loaded(
        "^/v1/face/Corvina.svg\\?size=96&overlay=false&background",
    ));
    browser.click("input[name=view][value=isobody]");
    browser.wait_for(&loaded("facing=back-left"));
    assert_eq!(address(&browser), before);
}

#[test]
fn any_color_can_be_the_background() {
    let Some((_server, browser)) = opened("?player=Gwendolin&size=64") else {
        return;
    };
    browser.script(
        "const tint = document.querySelector('#tint'); tint.value = '#123456'; \
         tint.dispatchEvent(new Event('change', { bubbles: true }));",
    );
    browser.wait_for(&loaded("background=123456$"));
}

#[test]
fn everything_is_reached_by_keyboard() {
    let Some((_server, browser)) = opened("?player=Gwendolin") else {
        return;
    };
    let focused = "const e = document.activeElement; \
                   return e.id || e.name || e.textContent.trim();";
    let stops = (0..25).map(|_| {
        browser.press(TAB);
        browser.script(focused).as_str().unwrap().to_owned()
    });
    let stops: Vec<String> = stops.collect();
    let expected = "Skip to the pictures|Effigy|Reference|Migrating|player|Show|stage|view|size|yaw|pitch|pose|\
        light|overlay|cape|background|tint|shape|padding|shadow|format|skin|Copy the URL|Copy the HTML|\
        Copy the Markdown";
    assert_eq!(stops.join("|"), expected);
    retype(&browser, "#player", "Servo");
    browser.press(ENTER);
    browser.wait_for(&loaded("/Servo"));
    browser.script("document.querySelector('[name=view]:checked').focus();");
    browser.press(ARROW_RIGHT);
    browser.wait_for(&loaded("^/v1/portrait/Servo"));
    let here = browser.script("return document.activeElement.value;");
    assert_eq!(here, "portrait", "the focus stays");
}

#[test]
fn one_click_copies() {
    let Some((server, browser)) = opened("?player=.Two%20Words&size=64&view=isobody") else {
        return;
    };
    let permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
    browser.devtools(
        "Browser.grantPermissions",
        &json!({ "permissions": permissions, "origin": server.url }),
    );
    let url = format!("{}/v1/isobody/.Two%20Words?size=64", server.url);
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
        let selector = format!("[data-copy=snippet-{form}]");
        let place = format!(
            "const place = document.querySelector({}).getBoundingClientRect(); \
             return [place.left, place.top + scrollY, place.width];",
            json!(selector)
        );
        let before = browser.script(&place);
        browser.click(&selector);
        browser.wait_for(&says(&format!("Copied: {expected}")));
        assert!(text(&browser, &selector).starts_with("Copied"));
        assert_eq!(browser.promise("navigator.clipboard.readText()"), expected);
        assert_eq!(browser.script(&place), before, "the button keeps its place");
    }
    // Without the clipboard interface, the page copies by a selection.
    browser.script("navigator.clipboard.writeText = () => Promise.reject();");
    browser.click("[data-copy=snippet-url]");
    browser.wait_for(&says(&format!("Copied: {url}")));
    assert_eq!(browser.promise("navigator.clipboard.readText()"), url);
}

#[test]
fn the_form_works_without_scripts() {
    let server = Server::start();
    let Some(browser) = Tab::open() else {
        return;
    };
    let off = json!({ "value": true });
    browser.devtools("Emulation.setScriptExecutionDisabled", &off);
    browser.go(&server.url);
    let came = "[...document.images].every(i => i.complete && i.naturalWidth > 0)";
    browser.wait_for(came);
    let live = browser.script("return document.documentElement.className;");
    assert_eq!(live, "", "the script does not run");
    retype(&browser, "#player", "Aurelia");
    browser.keys("#yaw", &ARROW_LEFT.to_string());
    browser.keys("#pose", "sit");
    browser.click(".primary");
    browser.wait_for("location.search.includes('Aurelia')");
    browser.wait_for(came);
    let source = "return document.querySelector('#picture').getAttribute('src');";
    let expected = "/v1/figure/Aurelia?size=192&yaw=20&pose=sit";
    assert_eq!(browser.script(source), expected);
    assert!(address(&browser).ends_with(expected));
    let shown =
        "return [...document.querySelectorAll('.scripted')].filter(e => e.offsetParent).length;";
    assert_eq!(
        browser.script(shown),
        0,
        "what needs the script is not shown"
    );
    browser.screenshot("without-scripts");
    retype(&browser, "#player", "Nobody");
    browser.click(".primary");
    browser.wait_for(&says(
        "No Java player is named Nobody. For a Bedrock player, put a dot in front: .Nobody",
    ));
    browser.wait_for(came);
    browser.click("#instead");
    browser.wait_for(&says("No Bedrock player has the gamertag Nobody."));
}
