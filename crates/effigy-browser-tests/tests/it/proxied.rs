//! The page below a path, and a family at the root of a host.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    thread,
};

use effigy_http::Family;
use effigy_testing::Server;
use fixtures::client::{exchange, request};

use super::{loaded, started, webdriver::Tab};

/// The path below which the proxy serves the pages.
const PREFIX: &str = "/skins";

/// A proxy that removes the prefix from each path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proxy {
    /// It tells the prefix in `X-Forwarded-Prefix`.
    TellsPrefix,
    /// It says nothing of the prefix.
    HidesPrefix,
}

/// Starts a proxy that runs as long as this process, and returns its address.
fn start_proxy(server: String, proxy: Proxy) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let own_address = address.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let server = server.clone();
            let host = own_address.clone();
            thread::spawn(move || pass_on(&mut stream.unwrap(), &server, &host, proxy));
        }
    });
    address
}

/// Reads the head of a request, or returns `None` if the browser closes the connection before: it
/// opens connections that it does not use.
fn read_head(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).unwrap_or(0) == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    Some(String::from_utf8(head).unwrap())
}

/// Sends the request of a browser to the server, and its response to the browser.
fn pass_on(stream: &mut TcpStream, server: &str, host: &str, proxy: Proxy) {
    let Some(head) = read_head(stream) else {
        return;
    };
    let path = head.split(' ').nth(1).unwrap();
    let Some(path) = path.strip_prefix(PREFIX) else {
        let missing = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        let _ = stream.write_all(missing.as_bytes());
        return;
    };
    let accept = head.lines().find_map(|line| line.strip_prefix("Accept: "));
    let mut headers = vec![
        ("X-Forwarded-For", "192.0.2.1"),
        ("Accept", accept.unwrap_or("*/*")),
    ];
    if proxy == Proxy::TellsPrefix {
        headers.push(("X-Forwarded-Prefix", PREFIX));
    }
    let forwarded = request(host, "GET", path, &headers);
    let _ = stream.write_all(&exchange(server, forwarded.as_bytes()));
}

/// Asserts that no request of the page has failed.
fn assert_all_found(browser: &Tab) {
    let failed = "performance.getEntriesByType('resource').filter(e => e.responseStatus >= 400)\
        .map(e => e.name)";
    browser.assert_is(failed, serde_json::json!([]));
}

/// Opens the page below the path of a proxy, and chooses another view. Asserts that the page offers
/// addresses with this prefix.
#[track_caller]
fn assert_page_works(browser: &Tab, proxy: &str, prefix: &str) {
    browser.go(&format!("http://{proxy}{PREFIX}/?player=Reynard&size=64"));
    browser.wait_for(&loaded("^/v1/figure/Reynard"));
    browser.assert_is(
        "$('#snippet-url').textContent",
        format!("http://{proxy}{prefix}/v1/figure/Reynard?size=64"),
    );
    // The script loads the page again, and the pictures of the choices.
    browser.click("input[name=view][value=face]");
    browser.wait_for(&loaded("^/v1/face/Reynard"));
    browser.assert_is("location.pathname", format!("{PREFIX}/"));
    assert_all_found(browser);
}

#[test]
fn the_page_works_below_a_path_that_the_proxy_tells() {
    let (server, browser) = or_skip!(started());
    let proxy = start_proxy(server.address().to_owned(), Proxy::TellsPrefix);
    assert_page_works(&browser, &proxy, PREFIX);
}

#[test]
fn the_page_works_below_a_path_that_nobody_tells() {
    let (server, browser) = or_skip!(started());
    let proxy = start_proxy(server.address().to_owned(), Proxy::HidesPrefix);
    assert_page_works(&browser, &proxy, "");
}

#[test]
fn every_page_finds_its_files_below_a_path() {
    let (server, browser) = or_skip!(started());
    for proxy in [Proxy::TellsPrefix, Proxy::HidesPrefix] {
        let address = start_proxy(server.address().to_owned(), proxy);
        for path in ["/docs", "/docs/families", "/docs/", "/no/such/page"] {
            browser.go(&format!("http://{address}{PREFIX}{path}"));
            browser.wait_for(
                "document.readyState === 'complete' && document.images.length > 0 \
                 && document.styleSheets[0]?.cssRules.length > 0",
            );
            assert_all_found(&browser);
            browser.assert_is("new URL($('.mark').href).pathname", format!("{PREFIX}/"));
        }
    }
}

#[test]
fn a_family_is_at_the_root_of_its_host() {
    let browser = or_skip!(Tab::open());
    let server = Server::start_with(|settings| {
        let host = ("avatars.localhost".to_owned(), Family::Crafthead);
        settings.config.family_hosts.push(host);
    });
    let (_, port) = server.address().rsplit_once(':').unwrap();
    browser.go(&format!("http://avatars.localhost:{port}/helm/Notch/64"));
    browser.wait_for("document.images.length === 1 && document.images[0].naturalWidth === 64");
    browser.go(&format!("http://avatars.localhost:{port}/"));
    browser.wait_for("document.body.textContent.includes('crafthead')");
    browser.go(&format!("http://localhost:{port}/?player=Notch"));
    browser.wait_for(&loaded("^/v1/figure/Notch"));
}
