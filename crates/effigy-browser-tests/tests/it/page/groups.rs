//! Pictures of several players.

use crate::{draw_group, opened, says_of_group};

#[test]
fn a_pasted_list_of_players_is_one_picture() {
    let (server, browser) = or_skip!(opened("?player=Gwendolin"));
    browser.script("$('#players').value = 'Gwendolin\\nReynard Hazel; .Two Words';");
    browser.click("[formaction='./v1/sheet']");
    let path = "/v1/sheet?players=Gwendolin,Reynard,Hazel,.Two%20Words&size=96";
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
fn a_picture_of_players_can_have_their_names() {
    let (server, browser) = or_skip!(opened("?player=Gwendolin"));
    browser.click("#group [name=names]");
    draw_group(&browser, "Gwendolin, Reynard");
    let path = "/v1/group?players=Gwendolin,Reynard&size=96&names=true";
    browser.wait_for(&format!(
        "$('#snippet-group').textContent === '{}{path}' && $('#group-picture').naturalWidth > 0",
        server.url
    ));
}

#[test]
fn the_page_says_who_of_a_list_is_missing() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    draw_group(&browser, "Gwendolin, Nobody, Reynard");
    let status = "Showing Gwendolin, Reynard. Missing: Nobody.";
    browser.wait_for(&says_of_group(status));
    browser.assert_is("$('#group-picture').alt", "Gwendolin, Reynard");
}

#[test]
fn a_list_without_a_single_player_has_no_picture() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    draw_group(&browser, "Nobody");
    browser.wait_for("$('#group-status').textContent.startsWith('No Java player is named Nobody')");
    browser.wait_for("$('#group-shown').hidden");
}
