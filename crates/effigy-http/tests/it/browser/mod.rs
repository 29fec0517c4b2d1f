//! The page in a real browser, through WebDriver. Without a chromedriver these tests say so and pass,
//! unless `EFFIGY_REQUIRE_BROWSER=1`. Screenshots are left under `target/tmp/screenshots`.

mod figure;
mod files;
mod looks;
mod page;
mod webdriver;

use webdriver::Browser;

use crate::support::Server;

/// A condition: every picture of the page is loaded, and its source matches `pattern`.
fn loaded(pattern: &str) -> String {
    format!(
        "document.documentElement.classList.contains('live') && \
         [...document.querySelectorAll('.card img')].every(i => i.complete && i.naturalWidth > 0 \
         && new RegExp({pattern:?}).test(i.src) && !i.closest('.stage').matches('.busy, .failed'))"
    )
}

/// A browser on the page with this query, its pictures loaded.
fn opened(server: &Server, query: &str) -> Option<Browser> {
    let browser = Browser::open()?;
    browser.go(&format!("{}/{query}", server.url));
    browser.wait_for(&loaded(""));
    Some(browser)
}

/// The paths that the cards show.
fn paths(browser: &Browser) -> Vec<String> {
    let script = "return [...document.querySelectorAll('.path')].map(a => a.textContent);";
    let found = browser.script(script);
    let texts = found.as_array().unwrap().iter();
    texts
        .map(|path| path.as_str().unwrap().to_owned())
        .collect()
}
