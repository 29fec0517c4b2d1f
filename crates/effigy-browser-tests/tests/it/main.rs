//! The page in a real browser, through WebDriver. Without a chromedriver these tests say so and pass,
//! unless `EFFIGY_REQUIRE_BROWSER=1`. Screenshots are left under `target/tmp/screenshots`.
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
mod embedding;
mod figure;
mod files;
mod looks;
mod outage;
mod page;
mod poses;
mod proxied;
mod substitutes;
mod webdriver;

use serde_json::{Value, json};
use webdriver::{Browser, Tab};

use effigy_testing::Server;

/// The pictures that a box cuts off are loaded when somebody scrolls to them.
const IS_CUT: &str = "(box => box && (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1))\
    (i.closest('.gallery-box, .row'))";

/// A condition: the pictures of the page are loaded, and the source of the large one matches `pattern`.
fn loaded(pattern: &str) -> String {
    format!(
        "document.documentElement.classList.contains('live') && \
         !document.body.classList.contains('busy') && \
         [...document.querySelectorAll('img')].filter(i => i.offsetParent && !{IS_CUT}).every(i => i.complete && i.naturalWidth > 0) && \
         new RegExp({pattern:?}).test($('#picture').getAttribute('src').replace('./', '/'))"
    )
}

/// A server, and a browser with an empty tab.
fn started() -> Option<(Server, Tab)> {
    Some((Server::start(), Tab::open()?))
}

/// A server, and a browser on its page with this query, its pictures loaded.
fn opened(query: &str) -> Option<(Server, Tab)> {
    let (server, browser) = started()?;
    browser.go(&format!("{}/{query}", server.url));
    browser.wait_for(&loaded(""));
    Some((server, browser))
}

/// A condition: the page says this.
fn says(text: &str) -> String {
    format!("$('#status').textContent === {}", json!(text))
}

/// The URLs with `part` that were requested since this was last called.
fn requested(browser: &Browser, part: &str) -> Vec<String> {
    let urls = browser.log("performance").into_iter().filter_map(|entry| {
        let message: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
        let is_request = message["message"]["method"] == "Network.requestWillBeSent";
        let url = message["message"]["params"]["request"]["url"].as_str()?;
        (is_request && url.contains(part)).then(|| url.to_owned())
    });
    urls.collect()
}
