//! The keyboard, which reaches everything on the page.

use serde_json::json;

use super::{ENTER, retype};
use crate::{loaded, opened};

const TAB: char = '\u{e004}';
const ARROW_RIGHT: char = '\u{e014}';

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
