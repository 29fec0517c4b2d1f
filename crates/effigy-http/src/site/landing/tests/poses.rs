//! Tests of poses, angles and limbs on the page.

use effigy_render::{Angle, NamedPose};

use super::*;

/// Returns the tag of the field of this name.
fn field<'a>(html: &'a str, name: &str) -> &'a str {
    between(html, &format!(" id=\"{name}\" data-live name="), ">")
}

#[test]
fn every_pose_is_one_choice() {
    let html = assert_shows("player=a", &[]);
    let choices = html.matches("type=\"radio\" name=\"pose\"").count();
    assert_eq!(choices, NamedPose::ALL.len());
    for pose in NamedPose::ALL {
        let value = match pose {
            NamedPose::Stand => "",
            _ => pose.as_str(),
        };
        let choice = format!("name=\"pose\" value=\"{value}\"");
        assert_eq!(html.matches(&choice).count(), 1, "{pose}");
    }
}

/// Its still picture is the one of another pose.
#[test]
fn pose_that_differs_only_in_motion_stays_chosen() {
    assert_shows("player=a&pose=idle", &["?size=192&amp;pose=idle<"]);
}

#[test]
fn synonym_chooses_its_pose() {
    assert_shows(
        "player=a&pose=Sleeping",
        &["name=\"pose\" value=\"lie\" checked>", "pose=lie<"],
    );
}

/// Asserts the end of the picture's URL, and the value of the slider for the yaw.
#[track_caller]
fn check_yaw(query: &str, url: &str, yaw: &str) {
    let html = assert_shows(&format!("player=a&{query}"), &[url]);
    let slider = between(&html, "id=\"yaw-slider\"", ">");
    assert_eq!(attribute(slider, "value"), Some(yaw), "{query}");
}

#[test]
fn angle_is_in_the_url_if_the_pose_has_another_one() {
    let [yaw, _, _] = NamedPose::Lie.camera().angles().unwrap();
    assert_ne!(yaw, Angle::degrees(25.0), "the default of other poses");
    let yaw = yaw.to_string();
    check_yaw("yaw=25", "size=192<", "25");
    check_yaw("pose=lie", "size=192&amp;pose=lie<", &yaw);
    check_yaw("pose=lie&yaw=25", "yaw=25&amp;pose=lie<", "25");
    check_yaw(
        &format!("pose=lie&yaw={yaw}"),
        "size=192&amp;pose=lie<",
        &yaw,
    );
}

#[test]
fn limbs_without_a_value_show_the_angles_of_the_pose() {
    let pose = NamedPose::Cheer.at(0.0);
    let arm = pose.right_arm;
    let expected = format!("placeholder=\"{},{},{}\"", arm.x, arm.y, arm.z);
    let html = assert_shows("player=a&pose=cheer&left-arm=1,2,3&right-knee=60", &[]);
    assert!(field(&html, "right-arm").contains(" value=\"\""));
    assert!(field(&html, "right-arm").contains(&expected), "{expected}");
    assert!(field(&html, "left-arm").contains(" value=\"1,2,3\""));
    assert!(field(&html, "right-knee").contains(" value=\"60\""));
    let elbow = format!("placeholder=\"{}\"", pose.left_elbow);
    assert!(field(&html, "left-elbow").contains(&elbow));
}

#[test]
fn element_moves_as_the_picture_does() {
    let rows = [
        (
            "pose=walk&format=apng",
            " pose=&quot;walk&quot; animate&gt;",
        ),
        ("format=gif", " size=&quot;192&quot; turn&gt;"),
        ("pose=walk", " pose=&quot;walk&quot;&gt;"),
    ];
    for (query, attributes) in rows {
        assert_shows(&format!("player=a&{query}"), &[attributes]);
    }
}

#[test]
fn picture_that_is_cut_to_its_content_has_no_sides() {
    let html = assert_shows("player=a&crop=content", &["≤ 192 × "]);
    let picture = between(&html, "<img id=\"picture\"", ">");
    assert!(!picture.contains("width="), "{picture}");
    assert!(!html.contains("2x&quot; width="), "the snippet has sides");
}

#[test]
fn picture_with_another_crop_has_sides() {
    assert_shows("player=a&crop=bust", &["width=\"192\" height=\"192\""]);
}
