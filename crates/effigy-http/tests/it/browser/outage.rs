//! The page while an upstream fails.

use std::{thread, time::Duration};

use fixtures::{Fault, Step};
use serde_json::Value;

use super::{loaded, opened, requested, says};

#[test]
fn an_outage_is_one_sentence_and_a_built_in_player() {
    let Some((server, browser)) = opened("?player=Gwendolin") else {
        return;
    };
    requested(&browser, "");
    server
        .upstream
        .set_fault(Step::Session, Some(Fault::status(500)));
    browser.go(&format!("{}/?player=Reynard", server.url));
    browser.wait_for(&loaded("^/assets/guest.svg"));
    browser.wait_for(&says(
        "Mojang is not answering; try again later. The page shows a built-in player instead.",
    ));
    assert_eq!(requested(&browser, "/v1/"), Vec::<String>::new());
    assert_eq!(browser.log("browser"), Vec::<Value>::new());
    browser.screenshot("outage");
    server.upstream.set_fault(Step::Session, None);
    thread::sleep(Duration::from_secs(2));
    browser.click(".primary");
    browser.wait_for(&loaded("^/v1/figure/Reynard"));
    browser.wait_for(&says("Showing Reynard (Java)."));
}
