//! The poses, their sides and their limbs.

use effigy_render::{Angle, NamedPose};

use super::*;

/// Returns the tag of the field of this name.
fn field<'a>(html: &'a str, name: &str) -> &'a str {
    let (_, rest) = html
        .split_once(&format!(" id=\"{name}\" data-live name="))
        .unwrap();
    rest.split('>').next().unwrap()
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
    // It is the picture of another pose until it moves.
    assert_shows("player=a&pose=idle", &["?size=192&amp;pose=idle<"]);
    assert_shows(
        "player=a&pose=Sleeping",
        &["name=\"pose\" value=\"lie\" checked>", "pose=lie<"],
    );
}

#[test]
fn an_angle_is_only_in_the_url_if_the_pose_has_another() {
    let [yaw, _, _] = NamedPose::Lie.camera().angles().unwrap();
    assert_ne!(yaw, Angle::degrees(25.0), "the pose has its own side");
    let rows = [
        ("pose=lie", "pose=lie<".to_owned(), yaw.to_string()),
        (
            "pose=lie&yaw=25",
            "yaw=25&amp;pose=lie<".to_owned(),
            "25".to_owned(),
        ),
        ("yaw=25", "size=192<".to_owned(), "25".to_owned()),
        (
            &format!("pose=lie&yaw={yaw}"),
            "size=192&amp;pose=lie<".to_owned(),
            yaw.to_string(),
        ),
    ];
    for (query, url, shown) in rows {
        let html = assert_shows(&format!("player=a&{query}"), &[&url]);
        let (_, slider) = html.split_once("id=\"yaw-slider\"").unwrap();
        let slider = slider.split('>').next().unwrap();
        assert!(slider.contains(&format!(" value=\"{shown}\"")), "{slider}");
    }
}

#[test]
fn limbs_without_a_value_show_those_of_the_pose() {
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
fn the_element_moves_as_the_picture_does() {
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
fn a_picture_that_is_cut_to_its_content_has_no_sides() {
    let html = assert_shows("player=a&crop=content", &["≤ 192 × "]);
    let (_, picture) = html.split_once("<img id=\"picture\"").unwrap();
    let picture = picture.split('>').next().unwrap();
    assert!(!picture.contains("width="), "{picture}");
    assert!(!html.contains("2x&quot; width="), "the snippet has none");
    assert_shows("player=a&crop=bust", &["width=\"192\" height=\"192\""]);
}
