//! The pages and the element in a real browser, through WebDriver, and the snippets for websites in
//! their languages. Without a chromedriver, the tests that need it say so and pass, unless
//! `EFFIGY_REQUIRE_BROWSER=1`. Screenshots are left under `target/tmp/screenshots`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

/// Returns the part of a browser that a test needs. Without a browser the test ends here.
macro_rules! or_skip {
    ($opened:expr) => {
        match $opened {
            Some(opened) => opened,
            None => return,
        }
    };
}

mod element;
mod embedded_pages;
mod figure;
mod files;
mod languages;
mod looks;
mod outage;
mod page;
mod poses;
mod proxied;
mod substitutes;
mod webdriver;

use effigy_testing::Server;
use serde_json::{Value, json};

use webdriver::{Browser, Tab};

/// The snippets for websites.
const EMBEDDING: &str = include_str!("../../../../docs/embedding.md");

/// The service in the snippets.
const SERVICE: &str = "https://skins.example.org";

/// A server, and a browser with an empty tab.
fn started() -> Option<(Server, Tab)> {
    let tab = Tab::open()?;
    Some((Server::start(), tab))
}

/// A server, and a browser on its page with this query, its pictures loaded.
fn opened(query: &str) -> Option<(Server, Tab)> {
    let (server, browser) = started()?;
    browser.go(&format!("{}/{query}", server.url));
    browser.wait_for(&loaded(""));
    Some((server, browser))
}

/// An expression: the image `i` is in a box that cuts it off, so that it is loaded only when
/// somebody scrolls to it.
const IS_CUT: &str = "(box => box && (box.scrollWidth > box.clientWidth + 1 \
    || box.scrollHeight > box.clientHeight + 1))(i.closest('.gallery-box, .row'))";

/// A condition: the pictures of the page are loaded, and the source of the large one matches
/// `pattern`.
fn loaded(pattern: &str) -> String {
    format!(
        "document.documentElement.classList.contains('live') \
         && !document.body.classList.contains('busy') \
         && [...document.querySelectorAll('img')].filter(i => i.offsetParent && !{IS_CUT})\
            .every(i => i.complete && i.naturalWidth > 0) \
         && new RegExp({pattern:?})\
            .test($('#picture').getAttribute('src').replace('./', '/'))"
    )
}

/// A condition: the page says this.
fn says(text: &str) -> String {
    format!("$('#status').textContent === {}", json!(text))
}

/// Shows a group of these players on the page.
fn draw_group(browser: &Browser, players: &str) {
    browser.script(&format!("$('#players').value = {};", json!(players)));
    browser.click("#group [type=submit]");
}

/// A condition: the page says this about the group.
fn says_of_group(text: &str) -> String {
    format!("$('#group-status').textContent === {}", json!(text))
}

/// The URLs with `part` that were requested since this was last called.
fn requested(browser: &Browser, part: &str) -> Vec<String> {
    let mut urls = Vec::new();
    for entry in browser.log("performance") {
        let event: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
        let message = &event["message"];
        if message["method"] != "Network.requestWillBeSent" {
            continue;
        }
        if let Some(url) = message["params"]["request"]["url"].as_str()
            && url.contains(part)
        {
            urls.push(url.to_owned());
        }
    }
    urls
}
