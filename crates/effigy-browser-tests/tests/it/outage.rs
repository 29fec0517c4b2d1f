//! The page while an upstream fails.

use fixtures::{Step, until};

use super::{
    draw_group, loaded, opened, requested, says, says_of_group, started, webdriver::Browser,
};

#[test]
fn an_outage_is_said_beside_a_built_in_player() {
    let (server, browser) = or_skip!(opened("?player=Gwendolin"));
    requested(&browser, "");
    server.fail(Step::Session);
    browser.go(&format!("{}/?player=Reynard", server.url));
    browser.wait_for(&loaded("^/assets/guest.svg"));
    let message = server.error_of("/v1/figure/Reynard");
    browser.wait_for(&says(&format!(
        "{message}. The page shows a built-in player instead."
    )));
    assert_eq!(requested(&browser, "/v1/"), [""; 0]);
    assert_eq!(browser.log("browser"), [""; 0]);
}

#[test]
fn a_group_in_an_outage_has_built_in_players() {
    let (server, browser) = or_skip!(opened("?player=Gwendolin&default=steve"));
    server.fail(Step::Session);
    server.fail(Step::Identity);
    draw_group(&browser, "Gwendolin, Reynard");
    let status = "Showing Gwendolin. Missing: Reynard, shown as a built-in player.";
    browser.wait_for(&says_of_group(status));
}

#[test]
fn the_page_shows_a_player_after_the_outage() {
    let (server, browser) = or_skip!(started());
    server.fail(Step::Session);
    browser.go(&format!("{}/?player=Reynard", server.url));
    browser.wait_for(&loaded("^/assets/guest.svg"));
    server.mend(Step::Session);
    let path = "/v1/figure/Reynard";
    until("the outage is over", || server.get(path).status == 200);
    browser.click(".primary");
    browser.wait_for(&loaded("^/v1/figure/Reynard"));
    browser.wait_for(&says("Showing Reynard (Java)."));
}

/// Searches for Reynard, on a page whose next answers come from `fetch`, a function that gets the
/// real one.
fn search(browser: &Browser, fetch: &str) {
    browser.script(&format!(
        "window.real ??= window.fetch; \
         window.fetch = (...asked) => ({fetch})(() => real(...asked)); \
         $('#player').value = 'Reynard'; $('.primary').click();"
    ));
}

#[test]
fn an_answer_that_is_no_page_is_told() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    let refusal = r#"async () => new Response('{"error":"Too many"}', { status: 429 })"#;
    search(&browser, refusal);
    browser.wait_for(&says("Too many"));
    let no_page = "async () => new Response('<h1>', { status: 502 })";
    search(&browser, no_page);
    browser.wait_for(&says("The server cannot be reached."));
}

#[test]
fn the_page_says_that_an_answer_takes_long() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    let late = "(ask) => new Promise((done) => (window.answer = done)).then(ask)";
    search(&browser, late);
    browser.wait_for(&says("Looking for Reynard."));
    browser.wait_for("getComputedStyle($('#stage')).opacity === '0.6'");
    browser.script("answer();");
    browser.wait_for(&says("Showing Reynard (Java)."));
    browser.wait_for("getComputedStyle($('#stage')).opacity === '1'");
}

#[test]
fn pictures_that_could_not_be_loaded_are_tried_again() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    browser.block(&["*/v1/*"]);
    browser.keys("#player", "\u{e009}a\u{e009}Reynard\u{e007}");
    browser.wait_for(&says("The server cannot be reached"));
    browser.block(&[]);
    browser.click(".primary");
    browser.wait_for(&loaded("^/v1/figure/Reynard"));
    browser.wait_for("!$('#stage').shadowRoot.querySelector('slot').hidden");
    browser.wait_for(&says("Showing Reynard (Java)."));
}
