//! Skin files: chosen, dropped, refused.

use effigy_render::{Camera, NamedPose, PictureSpec, View};
use fixtures::{Fixture, Image, skin, until};
use serde_json::{Value, json};

use effigy_testing::{Picture, as_under_v1, of_view};

use super::{
    loaded, opened, requested, says,
    webdriver::{Browser, unpacked},
};

/// Keeps the blobs of pictures, because the content security policy lets no script fetch them again.
const KEEP: &str = "window.kept = {}; const make = URL.createObjectURL; \
    URL.createObjectURL = blob => { const url = make(blob); kept[url] = blob; return url; };";

/// Holds when the page shows a file.
const DRAWN: &str = "$('#worn-picture').href.startsWith('blob:') \
    && !$('#worn').hidden && !document.body.classList.contains('busy')";

/// The picture on the stage.
const STAGE: &str = "$('#stage').shadowRoot.querySelector('canvas:not([hidden])')";

/// A picture on the page, or of a link.
fn picture(browser: &Browser, id: &str) -> Image {
    let expression = format!(
        "(element => kept[element.src ?? element.href])(document.getElementById('{id}')).arrayBuffer()\
         .then(b => btoa(String.fromCharCode(...new Uint8Array(b))))"
    );
    let text = browser.promise(&expression);
    Image::decode(&unpacked(text.as_str().unwrap())).unwrap()
}

/// Returns `true` if the page shows this picture of a skin.
fn shows(browser: &Browser, id: &str, spec: PictureSpec, skin: &Fixture) -> bool {
    let expected = Picture::from(spec).of(skin);
    picture(browser, id) == Image::decode(&expected).unwrap()
}

fn choose(browser: &Browser, name: &str, bytes: &[u8]) {
    browser.keys("#skin", &browser.file(name, bytes));
}

#[test]
fn a_chosen_file_is_drawn_and_not_kept() {
    let (server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    let calls = server.upstream.total_calls();
    browser.script(KEEP);
    requested(&browser, "");
    choose(&browser, "wizard.png", skin("wizard").png);
    browser.wait_for(DRAWN);
    let shows = |id: &str, spec| shows(&browser, id, spec, skin("wizard"));
    assert!(shows("worn-picture", of_view(View::Figure, 64)));
    // The stage shows as many pixels, which the file does not have while it turns.
    let drawn = picture(&browser, "worn-picture");
    let sides = format!("[{STAGE}.width, {STAGE}.height]");
    browser.assert_is(&sides, json!([drawn.width, drawn.height]));
    for &view in View::ALL {
        let expected = as_under_v1(of_view(view, 64));
        assert!(shows(&format!("view-{view}"), expected), "{view}");
    }
    let straight = as_under_v1(of_view(View::Figure, 32)).with_pose(NamedPose::Straight);
    assert!(shows("pose-straight", straight));
    // The browser loaded the renderer, and sent nothing.
    let requests = requested(&browser, &server.url);
    let requests = requests.iter().filter(|url| !url.starts_with("blob:"));
    // Pictures of the player that the page showed before may come late, and be counted late.
    let expected = ["/assets/effigy_wasm", "/Gwendolin?"];
    let is_other = |url: &&String| !expected.iter().any(|part| url.contains(part));
    assert_eq!(requests.filter(is_other).collect::<Vec<_>>(), [""; 0]);
    // There is no address to copy; no player was looked up.
    browser.assert_is("$('#use').hidden", true);
    assert_eq!(server.upstream.total_calls(), calls);
    browser.click("#back");
    browser.wait_for(&loaded("/Gwendolin"));
}

#[test]
fn small_pictures_of_a_file_are_as_large_as_those_of_a_player() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin"));
    // Browsers take one of more pixels where they have it already.
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
fn a_file_is_turned_and_saved_like_a_player() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    browser.script(KEEP);
    choose(&browser, "wizard.png", skin("wizard").png);
    browser.wait_for(DRAWN);
    browser.assert_is("$('.players [aria-current]')", Value::Null);
    browser.drag("#stage", &[[2, 0]; 40]);
    let camera = Camera::perspective(85.0, 16.0, 30.0);
    let turned = as_under_v1(of_view(View::Figure, 64)).with_camera(camera);
    until("it is turned", || {
        shows(&browser, "worn-picture", turned, skin("wizard"))
    });
    browser.assert_is("$('#worn-picture').download", "wizard-figure.png");
    // A file is saved in its size, however sharp the screen is.
    browser.emulate([800, 780], 2, true);
    let before = browser.value("$('#worn-picture').href");
    browser.click("[name=pose][value=sit]");
    let is_new = format!("$('#worn-picture').href !== {before}");
    browser.wait_for(&format!("{is_new} && {DRAWN} && {STAGE}.width === 128"));
    let widths = ["view-figure", "worn-picture"].map(|id| picture(&browser, id).width);
    assert_eq!(widths, [128, 64]);
}

#[test]
fn without_webassembly_a_file_is_refused() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    browser.script("delete window.WebAssembly;");
    requested(&browser, "");
    choose(&browser, "wizard.png", skin("wizard").png);
    browser.wait_for(&says("This browser cannot draw skin files."));
    browser.wait_for(&loaded("nobody"));
    assert_eq!(requested(&browser, "/v1/"), [""; 0]);
    browser.click(".primary");
    browser.wait_for(&loaded("/Gwendolin"));
}

#[test]
fn a_dropped_file_is_drawn_on_the_arms_that_it_has() {
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
    let is_shown = |fixture| shows(&browser, "view-isobody", body, fixture);
    assert!(is_shown(skin("fox")), "slim arms");
    let mut classic = *skin("fox");
    classic.slim = false;
    let before = browser.value("$('#view-isobody').src");
    browser.keys("#model", "Classic");
    browser.wait_for(&format!("$('#view-isobody').src !== {before} && {DRAWN}"));
    assert!(is_shown(&classic), "classic arms");
}

#[test]
fn what_is_no_skin_is_refused_with_a_reason() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    choose(&browser, "note.png", b"this is no picture");
    browser.wait_for(&says("Not a skin: the file is not a PNG, or it is damaged"));
    browser.wait_for(&loaded("nobody"));
    browser.wait_for("$('#picture').alt === 'No skin'");
    choose(&browser, "large.png", &vec![0; (1 << 20) + 1]);
    browser.wait_for("$('#status').textContent.includes('1 MiB')");
}

#[test]
fn a_wrong_file_leaves_the_good_one_in_place() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    browser.script(KEEP);
    choose(&browser, "wizard.png", skin("wizard").png);
    browser.wait_for(DRAWN);
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
fn poses_of_a_file_are_drawn_when_somebody_comes_near() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    browser.script(KEEP);
    choose(&browser, "wizard.png", skin("wizard").png);
    browser.wait_for(DRAWN);
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
