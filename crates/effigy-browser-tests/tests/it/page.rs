//! Typing, choosing and copying on the page, and its messages.

use std::{thread, time::Duration};

use effigy_parameters::{Control, parameters};
use effigy_render::View;
use effigy_testing::Server;
use serde_json::{Value, json};

use super::{
    loaded, opened, requested, says, started,
    webdriver::{Browser, Tab},
};

/// Control, in the key codes of WebDriver.
const CONTROL: char = '\u{e009}';
const ENTER: char = '\u{e007}';
const TAB: char = '\u{e004}';
const ARROW_RIGHT: char = '\u{e014}';

/// Replaces the text of a field.
fn retype(browser: &Browser, selector: &str, text: &str) {
    browser.keys(selector, &format!("{CONTROL}a{CONTROL}"));
    browser.keys(selector, text);
}

/// The address that the page offers.
fn offered_url(browser: &Browser) -> Value {
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
    let url = format!("{}/v1/figure/Reynard?size=64", server.url);
    assert_eq!(offered_url(&browser), url);
    browser.assert_is("$('#measure').textContent", "64 × 128");
    browser.assert_is(&says("Showing Reynard (Java)."), true);
    browser.assert_is("$('#picture').alt", "Reynard: figure");
    browser.assert_is("location.search", "?player=Reynard&size=64");
}

#[test]
fn every_choice_of_a_view_shows_the_player() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    retype(&browser, "#player", "Reynard");
    browser.wait_for(&loaded("^/v1/figure/Reynard\\?size=64$"));
    for &view in View::ALL {
        let source = format!("$('#view-{view}').getAttribute('src')");
        let expected = format!("./v1/{view}/Reynard?size=64");
        browser.assert_is(&source, expected);
    }
}

#[test]
fn the_history_has_one_entry_for_each_player() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    retype(&browser, "#player", "Reynard");
    browser.wait_for(&loaded("^/v1/figure/Reynard"));
    browser.click("input[name=view][value=face]");
    browser.wait_for(&loaded("^/v1/face/Reynard"));
    // The way back leads to the earlier player, and the way forward to the later one's last view.
    for (way, view, name) in [
        ("back", "figure", "Gwendolin"),
        ("forward", "face", "Reynard"),
    ] {
        browser.script(&format!("history.{way}();"));
        browser.wait_for(&loaded(&format!("^/v1/{view}/{name}\\?size=64$")));
        browser.assert_is("$('#player').value", name);
    }
}

#[test]
fn a_link_within_the_page_loads_nothing() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    browser.script("window.kept = true; location.hash = 'choices';");
    browser.script("history.back();");
    browser.wait_for("location.hash === ''");
    browser.assert_is("window.kept", true);
    browser.assert_is("$('#player').value", "Gwendolin");
}

#[test]
fn a_name_that_no_player_can_have_is_looked_up_by_enter_only() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    requested(&browser, "");
    retype(&browser, "#player", "Two Words");
    thread::sleep(Duration::from_millis(1500));
    assert_eq!(requested(&browser, "/?player="), [""; 0]);
    browser.press(ENTER);
    browser.wait_for("$('#status').textContent.startsWith('No Java player is named Two Words')");
    assert_eq!(requested(&browser, "/v1/"), [""; 0]);
}

#[test]
fn a_click_looks_a_missing_name_up_as_a_gamertag() {
    let (_server, browser) = or_skip!(opened("?player=Two%20Words&size=64"));
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
fn a_view_has_the_fields_that_affect_it() {
    let (_server, browser) = or_skip!(opened("?player=Corvina&size=64"));
    browser.click("input[name=view][value=isobody]");
    browser.wait_for(&loaded("^/v1/isobody/Corvina\\?size=64$"));
    let shown = "[...document.querySelectorAll('#desk [name]')]\
        .filter(e => e.offsetParent && e.type !== 'radio').map(e => e.name).join(' ')";
    browser.assert_is(shown, visible_fields(View::IsometricBody).join(" "));
}

/// The query of the picture for which [`fill_in_fields`] asks.
const FILLED_IN: &str = "size=96&facing=back-left&light=game&cape=true&overlay=false\
    &background=202225&padding=8&shape=circle&shadow=true";

/// Fills in most fields of the isometric body.
fn fill_in_fields(browser: &Browser) {
    browser.keys("#facing", "Back, left");
    browser.click("[name=light][value=game]");
    browser.keys("#cape", "Shown");
    browser.keys("#overlay", "Hidden");
    browser.keys("#background", "Dark");
    browser.keys("#shape", "Circle");
    browser.keys("#padding", "8 pixels");
    browser.keys("#shadow", "On the ground");
    browser.keys("#format", "SVG");
    retype(browser, "#size", "96");
    let path = format!("/v1/isobody/Corvina.svg?{FILLED_IN}");
    browser.wait_for(&format!("$('#snippet-url').textContent.endsWith({path:?})"));
    browser.wait_for(&loaded("^/v1/isobody/Corvina.svg"));
}

#[test]
fn every_field_changes_the_address() {
    let (server, browser) = or_skip!(opened("?player=Corvina&size=64&view=isobody"));
    fill_in_fields(&browser);
    let offered = offered_url(&browser);
    // The page's own address leads to the same picture.
    let page = format!("?player=Corvina&view=isobody&{FILLED_IN}&format=svg");
    browser.assert_is("location.search", page.as_str());
    browser.go(&format!("{}/{page}", server.url));
    browser.wait_for(&loaded("^/v1/isobody/Corvina.svg"));
    assert_eq!(offered_url(&browser), offered);
}

#[test]
fn a_view_without_a_field_keeps_its_value_for_others() {
    let (_server, browser) = or_skip!(opened("?player=Corvina&size=64&view=isobody"));
    fill_in_fields(&browser);
    let offered = offered_url(&browser);
    browser.click("input[name=view][value=face]");
    browser.wait_for(&loaded(
        "^/v1/face/Corvina.svg\\?size=96&overlay=false&background",
    ));
    browser.click("input[name=view][value=isobody]");
    browser.wait_for(&loaded("facing=back-left"));
    assert_eq!(offered_url(&browser), offered);
}

#[test]
fn any_color_can_be_chosen() {
    let (_server, browser) = or_skip!(opened("?player=Corvina&size=64"));
    for (name, color) in [("background", "123456"), ("outline", "fedcba")] {
        browser.script(&format!(
            "const tint = $('[data-adds-to={name}]'); tint.value = '#{color}'; \
             tint.dispatchEvent(new Event('change', {{ bubbles: true }}));"
        ));
        browser.wait_for(&loaded(&format!("{name}={color}")));
    }
}

/// The name of the element that has the focus.
const FOCUSED: &str =
    "(e => e.id || e.name || e.ariaLabel || e.textContent.trim())(document.activeElement)";

#[test]
fn the_tab_key_reaches_everything_in_order() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    for stop in [
        "Skip to the pictures",
        "Effigy",
        "Reference",
        "Migrating",
        "player",
        "Show",
        "skin",
        "stage",
        "snippet-url",
        "Copy the URL",
        "tab",
        "snippet-html",
        "Copy the HTML",
        "download",
        "skin-file",
        "profile",
        "view",
        "moving",
        "search-pose",
        "pose",
        "Head, arms and legs",
        "size",
        "format",
        "crop",
        "yaw",
        "yaw-slider",
        "pitch",
        "pitch-slider",
        "fov",
        "light",
    ] {
        browser.press(TAB);
        browser.assert_is(FOCUSED, stop);
    }
}

#[test]
fn keys_show_a_player_and_choose_a_view() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    retype(&browser, "#player", "Servo");
    browser.press(ENTER);
    browser.wait_for(&loaded("/Servo"));
    browser.script("$('[name=view]:checked').focus();");
    browser.press(ARROW_RIGHT);
    browser.wait_for(&loaded("^/v1/portrait/Servo"));
    browser.assert_is("document.activeElement.value", "portrait");
}

#[test]
fn the_tab_key_goes_down_a_page_of_one_column() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    browser.script("$('#download').focus();");
    browser.emulate([640, 900], 1, false);
    browser.wait_for("$('#choices').nextElementSibling?.id === 'use'");
    browser.assert_is(FOCUSED, "download");
    browser.script("$('[data-copy=snippet-url]').focus();");
    browser.press(TAB);
    browser.assert_is(FOCUSED, "view");
    browser.devtools("Emulation.clearDeviceMetricsOverride", &json!({}));
    browser.wait_for("$('.exhibit').nextElementSibling?.id === 'use'");
}

/// The page of a player with a space in the name, which may use the clipboard.
fn opened_to_copy() -> Option<(Server, Tab)> {
    let (server, browser) = opened("?player=.Two%20Words&size=64&view=isobody")?;
    let permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
    browser.devtools(
        "Browser.grantPermissions",
        &json!({ "permissions": permissions, "origin": server.url }),
    );
    Some((server, browser))
}

/// Clicks a button, and asserts that it copies this text and keeps its place in the page.
#[track_caller]
fn assert_copies(browser: &Browser, form: &str, expected: &str) {
    let button = format!("[data-copy=snippet-{form}]");
    let place = format!(
        "const place = $({button:?}).getBoundingClientRect(); \
         return [place.left, place.top + scrollY, place.width];"
    );
    let before = browser.script(&place);
    browser.click(&button);
    browser.wait_for(&says(&format!("Copied: {expected}")));
    browser.wait_for(&format!("$({button:?}).textContent.startsWith('Copied')"));
    let copied = browser.promise("navigator.clipboard.readText()");
    assert_eq!(copied, expected);
    assert_eq!(browser.script(&place), before, "the button keeps its place");
}

#[test]
fn one_click_copies_the_url() {
    let (server, browser) = or_skip!(opened_to_copy());
    let url = format!("{}/v1/isobody/.Two%20Words?size=64", server.url);
    assert_copies(&browser, "url", &url);
}

#[test]
fn one_click_copies_each_kind_of_snippet() {
    let (server, browser) = or_skip!(opened_to_copy());
    for (form, snippet) in [
        (
            "html",
            "<img src=\"{server}/v1/isobody/.Two%20Words?size=64\" \
             srcset=\"{server}/v1/isobody/.Two%20Words?size=128 2x\" width=\"64\" height=\"131\" \
             alt=\".Two Words\" loading=\"lazy\">",
        ),
        (
            "markdown",
            "![.Two Words]({server}/v1/isobody/.Two%20Words?size=64)",
        ),
        (
            "bbcode",
            "[img]{server}/v1/isobody/.Two%20Words?size=64[/img]",
        ),
        (
            "element",
            "<script type=\"module\" src=\"{server}/v1/effigy-figure.js\"></script>\n\
             <effigy-figure player=\".Two Words\" view=\"isobody\" size=\"64\"></effigy-figure>",
        ),
        (
            "discord",
            "{\"embeds\": [{\"title\": \".Two Words\", \
             \"thumbnail\": {\"url\": \"{server}/v1/isobody/.Two%20Words?size=64\"}}]}",
        ),
    ] {
        browser.click(&format!("[name=tab][value={form}]"));
        let expected = snippet.replace("{server}", &server.url);
        assert_copies(&browser, form, &expected);
    }
}

#[test]
fn without_the_clipboard_interface_a_selection_is_copied() {
    let (server, browser) = or_skip!(opened_to_copy());
    browser.script("navigator.clipboard.writeText = () => Promise.reject();");
    let url = format!("{}/v1/isobody/.Two%20Words?size=64", server.url);
    assert_copies(&browser, "url", &url);
}

#[test]
fn the_form_works_without_scripts() {
    let (server, browser) = or_skip!(started());
    let off = json!({ "value": true });
    browser.devtools("Emulation.setScriptExecutionDisabled", &off);
    browser.go(&server.url);
    let pictures_loaded = "[...document.images].filter(i => i.offsetParent)\
        .every(i => i.complete && i.naturalWidth > 0)";
    browser.wait_for(pictures_loaded);
    browser.assert_is("document.documentElement.className", "");
    retype(&browser, "#player", "Aurelia");
    retype(&browser, "#yaw", "20");
    browser.click("[name=pose][value=sit]");
    browser.click(".primary");
    browser.wait_for("location.search.includes('Aurelia')");
    browser.wait_for(pictures_loaded);
    let expected = "/v1/figure/Aurelia?size=192&yaw=20&pose=sit";
    let source = "$('#picture').getAttribute('src').slice(1)";
    browser.assert_is(source, expected);
    assert_eq!(offered_url(&browser), format!("{}{expected}", server.url));
    // Nothing is shown that needs the script.
    browser.assert_is(
        "[...document.querySelectorAll('.scripted')].filter(e => e.offsetParent).length",
        0,
    );
}

#[test]
fn a_missing_player_is_a_silhouette_until_the_next_one() {
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
}

#[test]
fn the_page_says_who_of_a_list_is_missing() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    browser.script("$('#players').value = 'Gwendolin, Nobody, Reynard';");
    browser.click("#group [type=submit]");
    browser.wait_for(
        "$('#group-status').textContent === 'Showing Gwendolin, Reynard. Missing: Nobody.' \
        && $('#group-picture').alt === 'Gwendolin, Reynard'",
    );
}

#[test]
fn a_list_without_a_single_player_has_no_picture() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    browser.script("$('#players').value = 'Nobody';");
    browser.click("#group [type=submit]");
    browser.wait_for("$('#group-status').textContent.startsWith('No Java player is named Nobody')");
    browser.wait_for("$('#group-shown').hidden");
}
