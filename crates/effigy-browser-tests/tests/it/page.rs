//! Typing, choosing and copying on the page, and what it says.

use effigy_parameters::{Control, parameters};
use effigy_render::View;
use serde_json::{Value, json};

use super::{loaded, opened, requested, says, started, webdriver::Browser};

/// Control, in the key codes of WebDriver.
const CONTROL: char = '\u{e009}';
const ENTER: char = '\u{e007}';
const TAB: char = '\u{e004}';
const ARROW_RIGHT: char = '\u{e014}';

fn retype(browser: &Browser, selector: &str, text: &str) {
    browser.keys(selector, &format!("{CONTROL}a{CONTROL}"));
    browser.keys(selector, text);
}

/// The address that the page offers.
fn address(browser: &Browser) -> Value {
    browser.value("$('#snippet-url').textContent")
}

#[test]
fn typing_a_name_shows_the_player() {
    let (server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    requested(&browser, "");
    retype(&browser, "#player", "Reynard");
    browser.wait_for(&loaded("^/v1/figure/Reynard\\?size=64$"));
    // Seven letters make one look-up.
    assert_eq!(requested(&browser, "/?player=").len(), 1);
    let views = "[...document.querySelectorAll('#choices img')]\
        .map(i => i.getAttribute('src').slice(1))";
    let (figure, combo) = ("/v1/figure/Reynard?size=64", "/v1/combo/Reynard?size=64");
    browser.assert_is(&format!("[{views}[0], {views}[8]]"), json!([figure, combo]));
    assert_eq!(address(&browser), format!("{}{figure}", server.url));
    browser.assert_is("$('#measure').textContent", "64 × 128");
    browser.assert_is(&says("Showing Reynard (Java)."), true);
    browser.assert_is("$('#picture').alt", "Reynard: figure");
    browser.assert_is("location.search", "?player=Reynard&size=64");
    // Back leads to the player before, and forward to what the later one became.
    browser.click("input[name=view][value=face]");
    browser.wait_for(&loaded("^/v1/face/Reynard"));
    for (way, view, name) in [
        ("back", "figure", "Gwendolin"),
        ("forward", "face", "Reynard"),
    ] {
        browser.script(&format!("history.{way}();"));
        browser.wait_for(&loaded(&format!("^/v1/{view}/{name}\\?size=64$")));
        browser.assert_is("$('#player').value", name);
    }
    // A link within the page loads nothing.
    browser.script("window.isKept = true; location.hash = 'choices';");
    browser.script("history.back();");
    browser.wait_for("location.hash === ''");
    browser.assert_is(
        "[window.isKept, $('#player').value]",
        json!([true, "Reynard"]),
    );
}

#[test]
fn only_what_can_be_a_player_is_looked_up_while_typing() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    requested(&browser, "");
    retype(&browser, "#player", "Two Words");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(requested(&browser, "/?player=").is_empty());
    // Enter asks anyway, and says what the name lacks.
    browser.press(ENTER);
    browser.wait_for(&says(
        "No Java player is named Two Words; names at Mojang have at most 16 letters, digits and \
         underscores. For a Bedrock player, put a dot in front: .Two Words",
    ));
    assert_eq!(requested(&browser, "/v1/"), [""; 0]);
    browser.click("#instead");
    browser.wait_for(&loaded("^/v1/figure/.Two%20Words"));
    browser.wait_for(&says("Showing .Two Words (Bedrock)."));
    browser.assert_is("$('#instead').hidden", true);
    browser.assert_is("document.activeElement.id", "player");
}

/// Returns the names of the fields for a view that are not small pictures.
fn visible_fields(view: View) -> Vec<&'static str> {
    let mut names = vec!["player"];
    for parameter in parameters() {
        let is_hidden = matches!(parameter.control, Control::Hidden | Control::Tiles { .. });
        if !is_hidden && parameter.affects(view) {
            names.push(parameter.name);
        }
        if parameter.name == "size" {
            names.push("format");
        }
    }
    names
}

#[test]
fn every_field_changes_the_address() {
    let (server, browser) = or_skip!(opened("?player=Corvina&size=64"));
    browser.click("input[name=view][value=isobody]");
    browser.wait_for(&loaded("^/v1/isobody/Corvina\\?size=64$"));
    let shown = "[...document.querySelectorAll('#desk [name]')]\
        .filter(e => e.offsetParent && e.type !== 'radio').map(e => e.name).join(' ')";
    browser.assert_is(shown, visible_fields(View::IsometricBody).join(" "));
    browser.keys("#facing", "Back, left");
    browser.click("[name=light][value=game]");
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
    let path = format!("/v1/isobody/Corvina.svg?{query}");
    browser.wait_for(&format!("$('#snippet-url').textContent.endsWith({path:?})"));
    browser.wait_for(&loaded("^/v1/isobody/Corvina.svg"));
    // The page's own address leads to the same picture, and a view without a field keeps its value.
    let page = format!("?player=Corvina&view=isobody&{query}&format=svg");
    browser.assert_is("location.search", page.as_str());
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
    // Any color can be the background.
    for (name, color) in [("background", "123456"), ("outline", "fedcba")] {
        browser.script(&format!(
            "const tint = $('[data-adds-to={name}]'); tint.value = '#{color}'; \
             tint.dispatchEvent(new Event('change', {{ bubbles: true }}));"
        ));
        browser.wait_for(&loaded(&format!("{name}={color}")));
    }
}

#[test]
fn everything_is_reached_by_keyboard() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    let focused =
        "(e => e.id || e.name || e.ariaLabel || e.textContent.trim())(document.activeElement)";
    let stops = [(); 30].map(|()| {
        browser.press(TAB);
        browser.value(focused).as_str().unwrap().to_owned()
    });
    let expected = "Skip to the pictures|Effigy|Reference|Migrating|player|Show|skin|stage|snippet-url|Copy the URL|\
        tab|snippet-html|Copy the HTML|download|skin-file|profile|view|moving|search-pose|pose|Head, arms and legs|size|format|crop|yaw|yaw-slider|pitch|pitch-slider|fov|light";
    assert_eq!(stops.join("|"), expected);
    retype(&browser, "#player", "Servo");
    browser.press(ENTER);
    browser.wait_for(&loaded("/Servo"));
    browser.script("$('[name=view]:checked').focus();");
    browser.press(ARROW_RIGHT);
    browser.wait_for(&loaded("^/v1/portrait/Servo"));
    // The focus stays.
    browser.assert_is("document.activeElement.value", "portrait");
    // In one column, the keyboard goes down the page.
    browser.script("$('#download').focus();");
    browser.emulate([640, 900], 1, false);
    browser.wait_for("$('#choices').nextElementSibling?.id === 'use'");
    browser.assert_is(focused, "download");
    browser.script("$('[data-copy=snippet-url]').focus();");
    browser.press(TAB);
    browser.assert_is(focused, "view");
    browser.devtools("Emulation.clearDeviceMetricsOverride", &json!({}));
    browser.wait_for("$('.exhibit').nextElementSibling?.id === 'use'");
}

#[test]
fn one_click_copies() {
    let (server, browser) = or_skip!(opened("?player=.Two%20Words&size=64&view=isobody"));
    let permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
    browser.devtools(
        "Browser.grantPermissions",
        &json!({ "permissions": permissions, "origin": server.url }),
    );
    let url = format!("{}/v1/isobody/.Two%20Words?size=64", server.url);
    let rows = [
        ("url", "{url}"),
        (
            "html",
            "<img src=\"{url}\" srcset=\"{server}/v1/isobody/.Two%20Words?size=128 2x\" width=\"64\" height=\"131\" \
             alt=\".Two Words\" loading=\"lazy\">",
        ),
        ("markdown", "![.Two Words]({url})"),
        ("bbcode", "[img]{url}[/img]"),
        (
            "element",
            "<script type=\"module\" src=\"{server}/v1/effigy-figure.js\"></script>\n\
             <effigy-figure player=\".Two Words\" view=\"isobody\" size=\"64\"></effigy-figure>",
        ),
        (
            "discord",
            r#"{"embeds": [{"title": ".Two Words", "thumbnail": {"url": "{url}"}}]}"#,
        ),
    ];
    for (form, expected) in rows {
        let expected = expected.replace("{url}", &url);
        let expected = expected.replace("{server}", &server.url);
        let selector = format!("[data-copy=snippet-{form}]");
        let place = format!(
            "const place = $({selector:?}).getBoundingClientRect(); \
             return [place.left, place.top + scrollY, place.width];"
        );
        if form != "url" {
            browser.click(&format!("[name=tab][value={form}]"));
        }
        let before = browser.script(&place);
        browser.click(&selector);
        browser.wait_for(&says(&format!("Copied: {expected}")));
        browser.wait_for(&format!("$({selector:?}).textContent.startsWith('Copied')"));
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
    let (server, browser) = or_skip!(started());
    let off = json!({ "value": true });
    browser.devtools("Emulation.setScriptExecutionDisabled", &off);
    browser.go(&server.url);
    let came = "[...document.images].filter(i => i.offsetParent).every(i => i.complete && i.naturalWidth > 0)";
    browser.wait_for(came);
    // The script does not run.
    browser.assert_is("document.documentElement.className", "");
    retype(&browser, "#player", "Aurelia");
    retype(&browser, "#yaw", "20");
    browser.click("[name=pose][value=sit]");
    browser.click(".primary");
    browser.wait_for("location.search.includes('Aurelia')");
    browser.wait_for(came);
    let expected = "/v1/figure/Aurelia?size=192&yaw=20&pose=sit";
    let source = "$('#picture').getAttribute('src').slice(1)";
    browser.assert_is(source, expected);
    assert_eq!(address(&browser), format!("{}{expected}", server.url));
    // What needs the script is not shown.
    browser.assert_is(
        "[...document.querySelectorAll('.scripted')].filter(e => e.offsetParent).length",
        0,
    );
}

#[test]
fn a_missing_player_is_one_message_and_one_silhouette() {
    let (_server, browser) = or_skip!(opened("?player=Nobody"));
    let seen = "[...document.images].filter(i => i.offsetParent && !i.closest('.players, .top'))\
        .map(i => i.getAttribute('src').split('?')[0])";
    let others = format!("{seen}.filter(src => src !== './assets/nobody.svg')");
    browser.assert_is(&others, json!([]));
    let hidden = "['choices', 'use', 'address'].map(id => document.getElementById(id).hidden)";
    browser.assert_is(hidden, json!([false, true, true]));
    retype(&browser, "#player", "@Reynard");
    browser.press(ENTER);
    browser.wait_for(&loaded("^/v1/figure/Reynard"));
    browser.assert_is(hidden, json!([false, false, false]));
    browser.assert_is("$('#player').value", "Reynard");
}

#[test]
fn a_size_that_is_too_large_is_told() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    let note = "(e => e.hidden ? '' : e.textContent)($('#note'))";
    retype(&browser, "#size", "5000");
    let expected = "Size must be a whole number from 1 to 2048; 5000 is ignored.";
    browser.wait_for(&format!("{note} === {expected:?}"));
    browser.wait_for(&loaded("^/v1/figure/Gwendolin\\?size=192$"));
    retype(&browser, "#size", "100");
    browser.wait_for(&loaded("size=100"));
    browser.assert_is(note, "");
}

#[test]
fn a_pasted_list_of_players_is_one_picture() {
    let (server, browser) = or_skip!(opened("?player=Gwendolin"));
    browser.script("$('#players').value = 'Gwendolin\\nReynard Hazel; .Two Words';");
    browser.click("[formaction='./v1/sheet']");
    let path = "/v1/sheet?players=Gwendolin,Reynard,Hazel,.Two%20Words&size=96&padding=4";
    let players = "Gwendolin, Reynard, Hazel, .Two Words";
    browser.wait_for(&format!(
        "$('#group-picture').naturalWidth === 208 \
        && $('#snippet-group').textContent === '{}{path}' \
        && $('#group-status').textContent === 'Showing {players}.' \
        && $('#group-picture').alt === {players:?}",
        server.url
    ));
    browser.script("$('#players').value = 'Gwendolin, Nobody, Reynard';");
    browser.click("#group [type=submit]");
    browser.wait_for(
        "$('#group-status').textContent === 'Showing Gwendolin, Reynard. Missing: Nobody.' \
        && $('#group-picture').alt === 'Gwendolin, Reynard'",
    );
    browser.script("$('#players').value = 'Nobody';");
    browser.click("#group [type=submit]");
    browser.wait_for("$('#group-status').textContent.startsWith('No Java player is named Nobody')");
    browser.wait_for("$('#group-shown').hidden");
}
