//! The links and files of the pages.

use crate::support::Server;

/// The addresses in a page that begin with this text, without it.
fn addresses(page: &str, begin: &str) -> Vec<String> {
    let mut addresses = Vec::new();
    for rest in page.split(begin).skip(1) {
        let (address, _) = rest.split_once('"').unwrap();
        addresses.push(address.replace("&amp;", "&"));
    }
    addresses
}

#[test]
fn the_examples_of_the_reference_can_be_clicked() {
    let server = Server::start();
    let mut links = 0;
    for (page, begin) in [("/docs", "href=\"./"), ("/docs/families", "href=\"../")] {
        let html = String::from_utf8(server.ok(page).body).unwrap();
        for address in addresses(&html, begin) {
            server.ok(&format!("/{address}"));
            links += 1;
        }
    }
    assert!(links > 40, "{links}");
}

#[test]
fn the_page_names_files_that_exist() {
    let server = Server::start();
    let html = String::from_utf8(server.ok("/").body).unwrap();
    let files = addresses(&html, "\"./assets/");
    assert!(files.len() >= 4, "{files:?}");
    for file in files {
        server.ok(&format!("/assets/{file}"));
    }
}
