//! The page: typing, choosing and copying, and its messages.

mod copying;
mod fields;
mod groups;
mod keyboard;
mod typing;

use serde_json::Value;

use super::webdriver::Browser;

/// The Control key, in the codes of WebDriver.
const CONTROL: char = '\u{e009}';
const ENTER: char = '\u{e007}';

/// Replaces the text of a field.
fn retype(browser: &Browser, selector: &str, text: &str) {
    browser.keys(selector, &format!("{CONTROL}a{CONTROL}"));
    browser.keys(selector, text);
}

/// The address that the page offers.
fn offered_url(browser: &Browser) -> Value {
    browser.value("$('#snippet-url').textContent")
}
