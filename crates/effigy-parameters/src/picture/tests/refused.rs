//! Values that are refused, with their messages.

use super::*;

#[test]
fn contradicting_parameters_are_errors() {
    let light = "light-from must be left out unless the light is \"soft\"";
    let shadow = "shadow must be left out of a picture that is cropped to the head or the bust";
    for (view, query, reason) in [
        (View::Figure, "light-from=0,0&light=none", light),
        (View::IsometricHead, "light=game&light-from=0,0", light),
        (View::Figure, "crop=head&shadow", shadow),
        (View::Figure, "crop=bust&shadow", shadow),
    ] {
        let error = spec(view, query).unwrap_err();
        assert_eq!(error.to_string(), reason, "{query}");
    }
    for query in [
        "crop=content&shadow",
        "crop=head&shadow=false",
        "light=soft&light-from=0,0",
    ] {
        assert!(spec(View::Figure, query).is_ok(), "{query}");
    }
}

#[test]
fn invalid_parameters_are_errors() {
    let rows = [
        (
            "size=0 size=2049",
            "size must be a whole number from 1 to 2048",
        ),
        (
            "yaw=360.1 yaw=left",
            "yaw must be a number from -360 to 360",
        ),
        ("pitch=-90.1", "pitch must be a number from -90 to 90"),
        (
            "pose=moonwalk",
            "pose must be \"stand\", \"idle\", \"straight\", \"walk\", \"run\", \"march\", \
             \"wave\", \"salute\", \"point\", \"cheer\", \"arms-crossed\", \"hands-on-hips\", \
             \"facepalm\", \"think\", \"shrug\", \"sit\", \"cross-legged\", \"kneel\", \
             \"crouch\", \"archer\", \"lunge\", \"kick\", \"fight\", \"read\", \"trudge\", \
             \"cower\", \"zombie\", \"dance\", \"dab\", \"clap\", \"throw\", \"fly\", \
             \"recline\", \"lie\" or \"faint\"",
        ),
        (
            "light=bright",
            "light must be \"none\", \"soft\" or \"game\"",
        ),
        (
            "cape=maybe cape=181",
            "cape must be \"true\", \"false\" or degrees from 0 to 180",
        ),
        ("fov=-1 fov=90.1", "fov must be a number from 0 to 90"),
        ("phase=1.01", "phase must be a number from 0 to 1"),
        (
            "right-arm=1,2",
            "right-arm must be three numbers from -180 to 180 with commas between them",
        ),
        (
            "background=crimson",
            "background must be \"rgb\", \"rrggbb\" or \"rrggbbaa\" in hexadecimal digits, or a \
             basic name such as \"white\"",
        ),
        (
            "padding=257 padding=-1",
            "padding must be a whole number from 0 to 256",
        ),
        (
            "shape=round",
            "shape must be \"square\", \"rounded\" or \"circle\"",
        ),
        ("model=alex", "model must be \"classic\" or \"slim\""),
        ("shadow=2", "shadow must be \"true\" or \"false\""),
    ];
    assert_refused(&rows);
}

/// Asserts that each of the queries, with spaces between them, is refused for a reason.
#[track_caller]
fn assert_refused(rows: &[(&str, &str)]) {
    for (queries, reason) in rows {
        for query in queries.split(' ') {
            let error = spec(View::Figure, query).unwrap_err();
            assert_eq!(error.to_string(), *reason, "{query}");
        }
    }
}

#[test]
fn invalid_crops_outlines_and_directions_are_errors() {
    assert_refused(&[
        (
            "crop=feet",
            "crop must be \"full\", \"bust\", \"head\" or \"content\"",
        ),
        (
            "outline-width=0 outline-width=33 outline-width=1.5",
            "outline-width must be a whole number from 1 to 32",
        ),
        (
            "light-from=1 light-from=361,0 light-from=0,91 light-from=0,0,0 light-from=left,0",
            "light-from must be a yaw from -360 to 360, a comma and a pitch from -90 to 90",
        ),
    ]);
}

#[test]
fn invalid_facing_is_an_error() {
    let error = spec(View::IsometricHead, "facing=front").unwrap_err();
    let reason = "facing must be \"left\", \"right\", \"back-left\" or \"back-right\"";
    assert_eq!(error.to_string(), reason);
}
