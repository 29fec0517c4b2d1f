//! Typing a name, and the player that the page shows.

use std::{thread, time::Duration};

use effigy_render::View;
use serde_json::json;

use super::{ENTER, offered_url, retype};
use crate::{loaded, opened, requested, says, started};

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
