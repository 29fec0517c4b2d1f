//! The HTML of `docs/embedding.md` in a page of another site.

use crate::{
    beyond::embedding::{SERVICE, blocks},
    support::Server,
};

use super::webdriver::{Tab, file};

#[test]
fn the_html_shows_pictures_in_their_places() {
    let server = Server::start();
    let Some(browser) = Tab::open() else {
        return;
    };
    let html = blocks("html").concat().replace(SERVICE, &server.url);
    let html = format!("<!doctype html><body>{html}");
    let (_folder, page) = file("page.html", html.as_bytes());
    browser.go(&format!("file://{}", page.display()));
    let places = "[...document.images].map(i => [i.width, i.height])";
    let expected = "[[64,64],[64,64],[64,64],[64,131],[64,128]]";
    browser.wait_for(
        "document.images.length > 0 && [...document.images].every(i => i.complete && i.naturalWidth)",
    );
    let found = browser.script(&format!("return JSON.stringify({places});"));
    assert_eq!(found, expected);
    // A picture that is not enlarged has the proportions of its place.
    let stretched = "return [...document.images].filter(i => \
        Math.abs(i.naturalHeight / i.naturalWidth - i.height / i.width) > 0.01).length;";
    assert_eq!(browser.script(stretched), 0);
    let edges = "return getComputedStyle(document.images[1]).imageRendering;";
    assert_eq!(browser.script(edges), "pixelated");
    browser.wait_for(
        "customElements.get('effigy-figure') && document.querySelector('effigy-figure').shadowRoot.querySelector('img').naturalWidth",
    );
    browser.screenshot("embedding");
}
