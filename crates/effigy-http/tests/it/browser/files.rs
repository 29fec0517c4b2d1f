//! Skin files: chosen, dropped, refused.

use effigy_render::{Facing, Layers, PictureSpec, Size, View};
use fixtures::skin;
use serde_json::json;

use crate::support::{Picture, SKIN, Server, avatar, bust, combo, head, ioshead, player};

use super::{
    loaded, opened,
    webdriver::{Browser, file, unpacked},
};

/// Keeps the blobs of pictures, because the content security policy lets no script fetch them again.
const KEEP: &str = "window.kept = {}; const make = URL.createObjectURL; \
    URL.createObjectURL = blob => { const url = make(blob); kept[url] = blob; return url; };";

/// The bytes of the picture on a card.
fn picture(browser: &Browser, card: &str) -> Vec<u8> {
    let expression = format!(
        "kept[document.querySelector('.card.{card} img').src].arrayBuffer()\
         .then(b => btoa(String.fromCharCode(...new Uint8Array(b))))"
    );
    let text = browser.promise(&expression);
    unpacked(text.as_str().unwrap())
}

fn count(server: &Server) -> u64 {
    server.get("/allstats").json()["count"].as_u64().unwrap()
}

#[test]
fn a_chosen_file_is_drawn_and_not_kept() {
    let server = Server::start();
    let Some(browser) = opened(&server, "?player=Gwendolin&size=64") else {
        return;
    };
    let (rendered, calls) = (count(&server), server.upstream.total_calls());
    browser.script(KEEP);
    let (_folder, path) = file("wizard.png", skin("wizard").png);
    browser.keys("#skin", path.to_str().unwrap());
    browser.wait_for(&loaded("^blob:"));
    let (right, base) = (Facing::Right, Layers::Base);
    let figure = PictureSpec::new(View::Figure, Size::new(64).unwrap());
    let rows = [
        ("figure", Picture::of_spec(figure)),
        ("avatar", avatar(right, 64)),
        ("ioshead", ioshead(right, 64)),
        ("head", head(base, 64)),
        ("player", player(base, 64)),
        ("bust", bust(base, 64)),
        ("combo", combo(base, 64)),
        ("skin", SKIN),
    ];
    for (card, expected) in rows {
        assert!(
            picture(&browser, card) == expected.of(skin("wizard")),
            "{card}"
        );
    }
    // There is no address to copy; no player was looked up or counted.
    let offered =
        "return [...document.querySelectorAll('.copy, .path')].filter(e => e.offsetParent).length;";
    assert_eq!(browser.script(offered), 0);
    assert_eq!(count(&server), rendered);
    assert_eq!(server.upstream.total_calls(), calls);
    browser.screenshot("file");
    browser.click("#back");
    browser.wait_for(&loaded("/Gwendolin"));
}

#[test]
fn a_dropped_file_is_drawn_on_the_arms_that_it_has() {
    let server = Server::start();
    let Some(browser) = opened(&server, "?player=Gwendolin&size=64") else {
        return;
    };
    browser.script(KEEP);
    let (_folder, path) = file("fox.png", skin("fox").png);
    let data = json!({ "items": [], "files": [path], "dragOperationsMask": 1 });
    for step in ["dragEnter", "dragOver", "drop"] {
        let event = json!({ "type": step, "x": 300, "y": 400, "data": data });
        browser.devtools("Input.dispatchDragEvent", &event);
    }
    browser.wait_for(&loaded("^blob:"));
    let body = avatar(Facing::Right, 64);
    assert!(
        picture(&browser, "avatar") == body.of(skin("fox")),
        "slim arms"
    );
    let mut classic = *skin("fox");
    classic.slim = false;
    browser.click("input[name=model][value=classic]");
    browser.wait_for(&loaded("^blob:"));
    assert!(
        picture(&browser, "avatar") == body.of(&classic),
        "classic arms"
    );
}

#[test]
fn what_is_no_skin_is_refused_with_a_reason() {
    let server = Server::start();
    let Some(browser) = opened(&server, "?player=Gwendolin&size=64") else {
        return;
    };
    let (_folder, path) = file("note.png", b"this is no picture");
    browser.keys("#skin", path.to_str().unwrap());
    browser.wait_for("document.querySelectorAll('.stage.failed').length === 8");
    let said = browser.script("return document.querySelector('.card.avatar .trouble').innerText;");
    assert_eq!(said, "Not a skin: the texture is not a readable png");
    let (_folder, path) = file("large.png", &vec![0; (1 << 20) + 1]);
    browser.keys("#skin", path.to_str().unwrap());
    browser.wait_for("document.querySelector('#status').textContent.includes('1 MiB')");
}
