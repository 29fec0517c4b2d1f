//! The fields of the page, and the address that they make.

use effigy_parameters::{Control, parameters};
use effigy_render::View;

use super::{offered_url, retype};
use crate::{loaded, opened, webdriver::Browser};

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
