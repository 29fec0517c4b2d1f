//! Copying addresses and snippets.

use effigy_testing::Server;
use serde_json::json;

use crate::{
    opened, says,
    webdriver::{Browser, Tab},
};

/// The page of a player with a space in the name, which may use the clipboard.
fn opened_to_copy() -> Option<(Server, Tab)> {
    let (server, browser) = opened("?player=.Two%20Words&size=64&view=isobody")?;
    let permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
    browser.devtools(
        "Browser.grantPermissions",
        &json!({ "permissions": permissions, "origin": server.url }),
    );
    Some((server, browser))
}

/// Clicks a button, and asserts that it copies this text and keeps its place in the page.
#[track_caller]
fn assert_copies(browser: &Browser, form: &str, expected: &str) {
    let button = format!("[data-copy=snippet-{form}]");
    let place = format!(
        "const place = $({button:?}).getBoundingClientRect(); \
         return [place.left, place.top + scrollY, place.width];"
    );
    let before = browser.script(&place);
    browser.click(&button);
    browser.wait_for(&says(&format!("Copied: {expected}")));
    browser.wait_for(&format!("$({button:?}).textContent.startsWith('Copied')"));
    let copied = browser.promise("navigator.clipboard.readText()");
    assert_eq!(copied, expected);
    assert_eq!(browser.script(&place), before, "the button keeps its place");
}

#[test]
fn one_click_copies_the_url() {
    let (server, browser) = or_skip!(opened_to_copy());
    let url = format!("{}/v1/isobody/.Two%20Words?size=64", server.url);
    assert_copies(&browser, "url", &url);
}

#[test]
fn one_click_copies_each_kind_of_snippet() {
    let (server, browser) = or_skip!(opened_to_copy());
    for (form, snippet) in [
        (
            "html",
            "<img src=\"{server}/v1/isobody/.Two%20Words?size=64\" \
             srcset=\"{server}/v1/isobody/.Two%20Words?size=128 2x\" width=\"64\" height=\"131\" \
             alt=\".Two Words\" loading=\"lazy\">",
        ),
        (
            "markdown",
            "![.Two Words]({server}/v1/isobody/.Two%20Words?size=64)",
        ),
        (
            "bbcode",
            "[img]{server}/v1/isobody/.Two%20Words?size=64[/img]",
        ),
        (
            "element",
            "<script type=\"module\" src=\"{server}/v1/effigy-figure.js\"></script>\n\
             <effigy-figure player=\".Two Words\" view=\"isobody\" size=\"64\"></effigy-figure>",
        ),
        (
            "discord",
            "{\"embeds\": [{\"title\": \".Two Words\", \
             \"thumbnail\": {\"url\": \"{server}/v1/isobody/.Two%20Words?size=64\"}}]}",
        ),
    ] {
        browser.click(&format!("[name=tab][value={form}]"));
        let expected = snippet.replace("{server}", &server.url);
        assert_copies(&browser, form, &expected);
    }
}

#[test]
fn without_the_clipboard_interface_a_selection_is_copied() {
    let (server, browser) = or_skip!(opened_to_copy());
    browser.script("navigator.clipboard.writeText = () => Promise.reject();");
    let url = format!("{}/v1/isobody/.Two%20Words?size=64", server.url);
    assert_copies(&browser, "url", &url);
}
