//! The figure that one can turn.

use serde_json::{Value, json};

use super::{loaded, opened, paths, webdriver::Browser};
use crate::support::Server;

const ARROW_LEFT: char = '\u{e012}';

/// A condition: the figure is that of this URL.
fn shown(url: &str) -> String {
    let url = json!(url);
    format!(
        "document.querySelector('.card.figure .path').textContent === {url} \
         && document.querySelector('.card.figure img').getAttribute('src') === {url} \
         && !document.querySelector('.card.figure .stage').matches('.busy, .failed')"
    )
}

/// The number of requests for figures since the log was last read.
fn figures_requested(browser: &Browser) -> usize {
    let entries = browser.log("performance").into_iter();
    let requests = entries.filter(|entry| {
        let message: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
        let url = &message["message"]["params"]["request"]["url"];
        let is_request = message["message"]["method"] == "Network.requestWillBeSent";
        is_request && url.as_str().is_some_and(|url| url.contains("/v1/figure/"))
    });
    requests.count()
}

#[test]
fn a_slider_turns_it_and_the_other_fields_change_it() {
    let server = Server::start();
    let Some(browser) = opened(&server, "?player=Corvina&size=64") else {
        return;
    };
    browser.keys("#yaw", &ARROW_LEFT.to_string());
    browser.wait_for(&shown("/v1/figure/Corvina?size=64&yaw=20"));
    browser.keys("#pitch", &ARROW_LEFT.to_string().repeat(2));
    browser.keys("#pose", "wave");
    for field in [
        "light][value=game",
        "overlay][value=false",
        "cape][value=false",
    ] {
        browser.click(&format!("input[name={field}]"));
    }
    let query = "&yaw=20&pitch=0&pose=wave&light=game&cape=false&overlay=false";
    browser.wait_for(&shown(&format!("/v1/figure/Corvina?size=64{query}")));
    browser.screenshot("figure");
    // The other pictures stay, and the page's address leads back.
    assert_eq!(paths(&browser)[1], "/avatar/Corvina/right/64");
    let address = format!("?player=Corvina&size=64&direction=right{query}");
    browser.wait_for(&format!("location.search === {}", json!(address)));
    browser.go(&format!("{}/{address}", server.url));
    browser.wait_for(&loaded("/Corvina"));
    browser.wait_for(&shown(&format!("/v1/figure/Corvina?size=64{query}")));
}

#[test]
fn dragging_turns_it_with_few_requests() {
    let server = Server::start();
    let Some(browser) = opened(&server, "?player=Gwendolin&size=64") else {
        return;
    };
    figures_requested(&browser);
    // 80 pixels to the right and 40 down, at 3/4 of a degree per pixel.
    browser.drag(".card.figure .stage", &[[2, 1]; 40]);
    browser.wait_for(&shown("/v1/figure/Gwendolin?size=64&yaw=85&pitch=40"));
    // 12 steps of 5 degrees, and each picture is requested by the script and by the image.
    let requests = figures_requested(&browser);
    assert!((1..=40).contains(&requests), "{requests}");
    let here = browser.script("return location.pathname;");
    assert_eq!(here, "/", "a drag is no click");
    // The other way round, over the back.
    browser.drag(".card.figure .stage", &[[-50, 0]; 4]);
    browser.wait_for(&shown("/v1/figure/Gwendolin?size=64&yaw=-65&pitch=40"));
    // The copied snippet is that of the picture.
    let url = format!(
        "{}/v1/figure/Gwendolin?size=64&yaw=-65&pitch=40",
        server.url
    );
    browser.click(".card.figure [data-copy=bbcode]");
    let said = json!(format!("Copied: [img]{url}[/img]"));
    browser.wait_for(&format!(
        "document.querySelector('#status').textContent === {said}"
    ));
}
