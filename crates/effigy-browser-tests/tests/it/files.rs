//! Skin files: chosen, dropped, refused.

use effigy_render::{Camera, NamedPose, PictureSpec, View};
use fixtures::{Fixture, Image, skin, until};
use serde_json::{Value, json};

use effigy_testing::{Picture, Server, as_under_v1, of_view};

use super::{
    loaded, opened, requested, says,
    webdriver::{Browser, Tab, unpacked},
};

/// Keeps the blobs of pictures in `kept`, because the content security policy lets no script fetch
/// them again.
const KEEP: &str = "window.kept = {}; const make = URL.createObjectURL; \
    URL.createObjectURL = blob => { const url = make(blob); kept[url] = blob; return url; };";

/// A condition: the page shows a file.
const DRAWN: &str = "$('#worn-picture').href.startsWith('blob:') \
    && !$('#worn').hidden && !document.body.classList.contains('busy')";

/// The canvas on the stage.
const STAGE: &str = "$('#stage').shadowRoot.querySelector('canvas:not([hidden])')";

/// The picture that an image on the page shows, or to which a link leads.
fn picture(browser: &Browser, id: &str) -> Image {
    let expression = format!(
        "(element => kept[element.src ?? element.href])(document.getElementById('{id}'))\
         .arrayBuffer().then(b => btoa(String.fromCharCode(...new Uint8Array(b))))"
    );
    let text = browser.promise(&expression);
    Image::decode(&unpacked(text.as_str().unwrap())).unwrap()
}

/// Returns `true` if the page shows this picture of a skin.
fn shows(browser: &Browser, id: &str, spec: PictureSpec, skin: &Fixture) -> bool {
    let expected = Picture::from(spec).of(skin);
    picture(browser, id) == Image::decode(&expected).unwrap()
}

/// Chooses a file with this content.
fn choose(browser: &Browser, name: &str, bytes: &[u8]) {
    browser.keys("#skin", &browser.file(name, bytes));
}

/// A server, and a browser on its page that shows the file of the wizard.
fn with_wizard() -> Option<(Server, Tab)> {
    let (server, browser) = opened("?player=Gwendolin&size=64")?;
    browser.script(KEEP);
    requested(&browser, "");
    choose(&browser, "wizard.png", skin("wizard").png);
    browser.wait_for(DRAWN);
    Some((server, browser))
}

#[test]
fn a_chosen_file_is_drawn_in_every_view() {
    let (_server, browser) = or_skip!(with_wizard());
    let figure = of_view(View::Figure, 64);
    assert!(shows(&browser, "worn-picture", figure, skin("wizard")));
    for &view in View::ALL {
        let expected = as_under_v1(of_view(view, 64));
        let id = format!("view-{view}");
        assert!(shows(&browser, &id, expected, skin("wizard")), "{view}");
    }
    let straight = as_under_v1(of_view(View::Figure, 32)).with_pose(NamedPose::Straight);
    assert!(shows(&browser, "pose-straight", straight, skin("wizard")));
}

/// The stage needs room for turning, but only while it turns.
#[test]
fn the_stage_has_the_pixels_of_a_chosen_file() {
    let (_server, browser) = or_skip!(with_wizard());
    let file = picture(&browser, "worn-picture");
    let sides = format!("[{STAGE}.width, {STAGE}.height]");
    browser.assert_is(&sides, json!([file.width, file.height]));
}

#[test]
fn a_chosen_file_is_not_sent_to_the_server() {
    let (server, browser) = or_skip!(with_wizard());
    let known = [
        "blob:",
        "/assets/effigy_wasm",
        // The pictures of the player that the page showed before may be late.
        "/Gwendolin?",
    ];
    for url in requested(&browser, &server.url) {
        assert!(known.iter().any(|part| url.contains(part)), "{url}");
    }
}

#[test]
fn a_chosen_file_has_no_address() {
    let (_server, browser) = or_skip!(with_wizard());
    browser.assert_is("$('#use').hidden", true);
    browser.assert_is("$('.players [aria-current]')", Value::Null);
    browser.click("#back");
    browser.wait_for(&loaded("/Gwendolin"));
}

#[test]
fn small_pictures_of_a_file_are_as_large_as_those_of_a_player() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    // A browser that has a larger picture already shows that one.
    let small = "$('#view-figure')";
    browser.script(&format!(
        "{small}.srcset = '/v1/figure/Gwendolin?size=192 3x';"
    ));
    browser.wait_for(&format!(
        "{small}.currentSrc.endsWith('=192') && {small}.naturalWidth == 64"
    ));
    choose(&browser, "wizard.png", skin("wizard").png);
    browser.wait_for(DRAWN);
    browser.wait_for(&format!("{small}.naturalWidth == 64"));
}

#[test]
fn a_file_is_turned_and_saved() {
    let (_server, browser) = or_skip!(with_wizard());
    browser.drag("#stage", &[[2, 0]; 40]);
    let camera = Camera::perspective(85.0, 16.0, 30.0);
    let turned = as_under_v1(of_view(View::Figure, 64)).with_camera(camera);
    until("the file to save is turned", || {
        shows(&browser, "worn-picture", turned, skin("wizard"))
    });
    browser.assert_is("$('#worn-picture').download", "wizard-figure.png");
}

#[test]
fn a_file_is_saved_in_its_size_on_a_sharp_screen() {
    let (_server, browser) = or_skip!(with_wizard());
    browser.emulate([800, 780], 2, true);
    let before = browser.value("$('#worn-picture').href");
    browser.click("[name=pose][value=sit]");
    let is_new = format!("$('#worn-picture').href !== {before}");
    browser.wait_for(&format!("{is_new} && {DRAWN} && {STAGE}.width === 128"));
    assert_eq!(picture(&browser, "view-figure").width, 128);
    assert_eq!(picture(&browser, "worn-picture").width, 64);
}

#[test]
fn without_webassembly_a_file_is_refused() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    browser.script("delete window.WebAssembly;");
    requested(&browser, "");
    choose(&browser, "wizard.png", skin("wizard").png);
    browser.wait_for(&says("This browser cannot draw skin files."));
    browser.wait_for(&loaded("/Gwendolin"));
    assert_eq!(requested(&browser, "/v1/"), [""; 0]);
}

#[test]
fn a_dropped_file_is_drawn_with_its_own_arms() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    browser.script(KEEP);
    let path = browser.file("fox.png", skin("fox").png);
    let data = json!({ "items": [], "files": [path], "dragOperationsMask": 1 });
    for step in ["dragEnter", "dragOver", "drop"] {
        let event = json!({ "type": step, "x": 300, "y": 400, "data": data });
        browser.devtools("Input.dispatchDragEvent", &event);
    }
    browser.wait_for(DRAWN);
    let body = as_under_v1(of_view(View::IsometricBody, 64));
    let slim = skin("fox");
    assert!(shows(&browser, "view-isobody", body, slim));
    let mut classic = *slim;
    classic.slim = false;
    let before = browser.value("$('#view-isobody').src");
    browser.keys("#model", "Classic");
    browser.wait_for(&format!("$('#view-isobody').src !== {before} && {DRAWN}"));
    assert!(shows(&browser, "view-isobody", body, &classic));
}

#[test]
fn a_wrong_file_is_refused_with_a_reason_and_the_player_stays() {
    let (server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    let url = format!("{}/v1/figure/Gwendolin?size=64", server.url);
    choose(&browser, "note.png", b"this is no picture");
    browser.wait_for(&says("Not a skin: the file is not a PNG, or it is damaged"));
    browser.assert_is("$('#snippet-url').textContent", url);
    browser.assert_is("$('#use').hidden", false);
    browser.keys("#default", "Steve");
    browser.wait_for(&loaded("^/v1/figure/Gwendolin\\?size=64&default=steve$"));
}

#[test]
fn a_file_that_is_too_large_is_refused() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    choose(&browser, "large.png", &vec![0; (1 << 20) + 1]);
    browser.wait_for("$('#status').textContent.includes('1 MiB')");
}

#[test]
fn a_wrong_file_leaves_the_good_one_in_place() {
    let (_server, browser) = or_skip!(with_wizard());
    choose(&browser, "note.png", b"this is no picture");
    browser.wait_for(&says(
        "Still showing wizard.png. Not a skin: the file is not a PNG, or it is damaged",
    ));
    browser.wait_for(DRAWN);
    browser.click("[name=pose][value=straight]");
    let straight = as_under_v1(of_view(View::Figure, 64)).with_pose(NamedPose::Straight);
    until("it is drawn", || {
        shows(&browser, "worn-picture", straight, skin("wizard"))
    });
}

#[test]
fn poses_of_a_file_are_drawn_in_sight_only() {
    let (_server, browser) = or_skip!(with_wizard());
    let is_drawn = "$('#pose-faint').src.startsWith('blob:')";
    browser.assert_is(is_drawn, false);
    browser.script("$('#poses').scrollTo(0, 9999);");
    browser.wait_for(is_drawn);
    let [yaw, pitch, fov] = NamedPose::Faint.camera().angles().unwrap();
    let camera = Camera::perspective(yaw.to_degrees(), pitch.to_degrees(), fov.to_degrees());
    let faint = as_under_v1(of_view(View::Figure, 32)).with_pose(NamedPose::Faint);
    assert!(shows(
        &browser,
        "pose-faint",
        faint.with_camera(camera),
        skin("wizard")
    ));
}
