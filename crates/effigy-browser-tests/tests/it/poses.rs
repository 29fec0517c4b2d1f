//! Choosing a pose, moving its limbs, and pictures that move.

use effigy_render::NamedPose;
use serde_json::{Value, json};

use super::{loaded, opened, requested, webdriver::Browser};

const ARROW_RIGHT: char = '\u{e014}';

/// A condition: the picture of the page is loaded, and its address and the one that the page offers
/// end in this way.
fn shown(query: &str) -> String {
    format!(
        "$('#snippet-url').textContent.endsWith({query:?}) \
         && $('#picture').getAttribute('src').endsWith({query:?}) && $('#picture').complete"
    )
}

/// Returns the poses that the page offers at this moment.
fn offered(browser: &Browser) -> Value {
    browser.value(
        "[...document.querySelectorAll('#poses label')].filter(label => label.offsetParent)\
         .map(label => label.querySelector('input').value)",
    )
}

#[test]
fn a_word_that_people_type_finds_a_pose() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    let all = offered(&browser).as_array().unwrap().len();
    assert_eq!(all, NamedPose::ALL.len());
    requested(&browser, "");
    browser.keys("#search-pose", "Sneak");
    assert_eq!(offered(&browser), json!(["crouch"]));
    browser.assert_is("$('#none-pose').hidden", true);
    browser.keys("#search-pose", "xyz");
    assert_eq!(offered(&browser), json!([]));
    browser.assert_is("$('#none-pose').hidden", false);
    // A search doesn't change the picture.
    assert_eq!(requested(&browser, "/?player="), [""; 0]);
    browser.script(
        "$('#search-pose').value = ''; \
         $('#search-pose').dispatchEvent(new Event('input', { bubbles: true }));",
    );
    assert_eq!(offered(&browser).as_array().unwrap().len(), all);
}

#[test]
fn only_poses_in_sight_are_loaded() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    browser.wait_for("$('#pose-straight').naturalWidth > 0");
    assert_eq!(requested(&browser, "pose=faint"), [""; 0]);
    let height = browser.value("$('#poses').offsetHeight");
    assert!(height.as_u64().unwrap() < 300, "{height}");
    browser.script("$('#poses').scrollTo(0, 9999);");
    browser.wait_for("$('#pose-faint').naturalWidth > 0");
}

#[test]
fn arrow_keys_go_through_the_poses() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    browser.script("$('[name=pose]:checked').focus();");
    browser.press(ARROW_RIGHT);
    browser.wait_for(&shown("size=64&pose=idle"));
}

#[test]
fn arrow_keys_go_on_to_the_next_group_of_poses() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    // The last pose of a group.
    browser.script("$('[name=pose][value=read]').click();");
    browser.wait_for(&shown("size=64&pose=read"));
    browser.script("$('[name=pose]:checked').focus();");
    browser.press(ARROW_RIGHT);
    browser.wait_for(&shown("size=64&pose=wave"));
    browser.assert_is("document.activeElement.value", "wave");
}

/// The yaw and pitch of a pose, in degrees.
fn side_of(pose: NamedPose) -> [f64; 2] {
    let [yaw, pitch, _] = pose.camera().angles().unwrap();
    [yaw.to_degrees(), pitch.to_degrees()]
}

#[test]
fn a_pose_has_its_own_side() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    let [yaw, pitch] = side_of(NamedPose::Lie);
    browser.click("[name=pose][value=lie]");
    browser.wait_for(&shown("size=64&pose=lie"));
    let fields = "[$('#yaw').placeholder, $('#pitch').placeholder, $('#yaw').value]";
    browser.assert_is(fields, json!([yaw.to_string(), pitch.to_string(), ""]));
    let side = "`${$('#stage').yaw},${$('#stage').pitch}`";
    browser.assert_is(side, format!("{yaw},{pitch}"));
    browser.click("[name=pose][value='']");
    browser.wait_for(&shown("/Gwendolin?size=64"));
    browser.assert_is(fields, json!(["25", "16", ""]));
}

#[test]
fn a_chosen_side_stays_until_a_double_click() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64&pose=lie"));
    let [yaw, pitch] = side_of(NamedPose::Lie);
    // A turn begins at the side of the pose, with 3/4 of a degree per pixel.
    browser.drag("#stage", &[[-2, 0]; 20]);
    let turned = yaw - 30.0;
    browser.wait_for(&shown(&format!("size=64&yaw={turned}&pose=lie")));
    browser.click("[name=pose][value='']");
    browser.wait_for(&shown(&format!("size=64&yaw={turned}&pitch={pitch}")));
    browser.script("$('#stage').dispatchEvent(new Event('dblclick'));");
    browser.wait_for(&shown("/Gwendolin?size=64"));
}

#[test]
fn one_click_starts_and_ends_the_motion() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64&pose=walk"));
    browser.keys("#format", "SVG");
    browser.wait_for(&shown("Gwendolin.svg?size=64&pose=walk"));
    browser.click("#moving");
    browser.wait_for(&shown("Gwendolin.apng?size=64&pose=walk"));
    browser.assert_is("$('#format').value", "apng");
    browser.click("#moving");
    browser.wait_for(&shown("Gwendolin.svg?size=64&pose=walk"));
}

#[test]
fn only_views_that_can_move_do() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64&pose=walk"));
    browser.click("#moving");
    browser.wait_for(&shown("Gwendolin.apng?size=64&pose=walk"));
    browser.click("[name=view][value=portrait]");
    browser.wait_for(&loaded("^/v1/portrait/Gwendolin.apng"));
    browser.click("[name=view][value=face]");
    browser.wait_for(&loaded("^/v1/face/Gwendolin\\?"));
    // The switch is hidden for a view that cannot move.
    browser.assert_is("$('#moving').offsetParent", Value::Null);
    browser.click("[name=view][value=figure]");
    browser.wait_for(&loaded("^/v1/figure/Gwendolin.apng"));
}

#[test]
fn a_format_that_moves_sets_the_switch() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64&pose=walk"));
    browser.keys("#format", "GIF");
    browser.wait_for(&shown("Gwendolin.gif?size=64&pose=walk"));
    browser.assert_is("$('#moving').checked", true);
}

#[test]
fn a_picture_that_begins_to_move_shrinks_to_its_maximum() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=600"));
    browser.click("#moving");
    browser.wait_for(&shown("Gwendolin.apng?size=512"));
    browser.assert_is("$('#note').hidden", true);
}

#[test]
fn a_slider_turns_a_limb_from_its_place_in_the_pose() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64&pose=cheer"));
    let arm = NamedPose::Cheer.at(0.0).right_arm;
    browser.click(".limbs summary");
    // A slider has whole degrees.
    let [x, y, z] = [arm.x, arm.y, arm.z].map(|angle| angle.to_degrees().round());
    browser.assert_is("$('#right-arm-x').value", x.to_string());
    browser.keys("#right-arm-x", &ARROW_RIGHT.to_string());
    let query = format!("size=64&pose=cheer&right-arm={},{y},{z}", x + 1.0);
    browser.wait_for(&shown(&query));
    browser.keys("#left-knee-bend", &ARROW_RIGHT.to_string());
    browser.wait_for("$('#snippet-url').textContent.includes('&left-knee=')");
}

#[test]
fn a_text_that_is_no_rotation_is_told_until_the_reset() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64&pose=cheer"));
    browser.click(".limbs summary");
    let before = browser.value("$('#right-arm-x').value");
    browser.keys("#right-arm-x", &ARROW_RIGHT.to_string());
    browser.keys("#head", "up");
    browser.wait_for("$('#note').textContent.startsWith('Head must be three numbers')");
    browser.click("#reset-limbs");
    browser.wait_for(&shown("/Gwendolin?size=64&pose=cheer"));
    browser.assert_is("$('#right-arm-x').value", before);
    browser.assert_is("$('#note').hidden", true);
}

#[test]
fn the_stage_shows_a_limb_while_its_slider_moves() {
    let (_server, browser) = or_skip!(opened("?player=Gwendolin&size=64"));
    browser.script(
        "$('.limbs details').open = true; const slider = $('#right-elbow-bend'); \
         slider.value = 90; slider.dispatchEvent(new Event('input', { bubbles: true }));",
    );
    // The browser draws, and the page does not change yet.
    browser.wait_for("$('#stage').shadowRoot.querySelector('canvas:not([hidden])')");
    browser.assert_is("$('#stage').getAttribute('right-elbow')", "90");
    assert_eq!(requested(&browser, "right-elbow"), [""; 0]);
    browser.script("$('#right-elbow-bend').dispatchEvent(new Event('change', { bubbles: true }));");
    browser.wait_for(&shown("size=64&right-elbow=90"));
}
