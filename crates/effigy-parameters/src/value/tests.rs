//! Rules of the parsers of values.

use super::*;

#[test]
fn decimals_are_in_their_range() {
    for (text, expected) in [
        ("25", 25.0),
        ("+25", 25.0),
        ("-90", -90.0),
        ("7.25", 7.25),
        ("-.5", -0.5),
        ("5.", 5.0),
        ("1e1", 10.0),
        // A script may compute 0 as a sine.
        ("-1.2e-16", -1.2e-16),
        ("360", 360.0),
    ] {
        assert_eq!(decimal(text, -360..=360), Ok(expected), "{text}");
    }
    #[rustfmt::skip]
    let refused = ["left", "360.1", "-361", "", ".", "-", "1e3", "1 0", "NaN", "inf"];
    for text in refused {
        let error = decimal(text, -360..=360).unwrap_err();
        assert_eq!(error, "a number from -360 to 360", "{text}");
    }
}

#[test]
fn numbers_are_finite() {
    // Milliseconds of scripts may have fractions, and be negative if clocks differ.
    for (text, expected) in [("2592000000.7", 2_592_000_000.7), ("-0.3", -0.3)] {
        assert_eq!(number(text), Ok(expected));
    }
    for text in ["left", "inf", "1e999"] {
        assert_eq!(number(text), Err("a number".into()), "{text}");
    }
}

#[test]
fn whole_numbers_have_only_digits() {
    for text in ["", "-1", "+3", "1.5", "301", "99999999999"] {
        assert!(whole_number(text, 0..=300).is_err(), "{text}");
    }
    assert_eq!(whole_number("0", 0..=300), Ok(0));
    assert_eq!(whole_number("0300", 0..=300), Ok(300));
}

#[test]
fn views_have_their_words_and_those_of_the_specification() {
    assert_eq!(view("Face"), Ok(View::Face));
    assert_eq!(view("avatar"), Ok(View::IsometricBody));
    assert_eq!(view("profile"), Err(quoted(View::WORDS).into()));
}

#[test]
fn switches_have_several_words() {
    for text in ["", "On", "YES", "1", "true"] {
        assert_eq!(switch(text), Ok(true), "{text}");
    }
    for text in ["off", "No", "0", "false"] {
        assert_eq!(switch(text), Ok(false), "{text}");
    }
    for text in ["2", "maybe", " on"] {
        assert!(switch(text).is_err(), "{text}");
    }
}

#[test]
fn colors_are_digits_or_names() {
    let rows = [
        ("202225", [0x20, 0x22, 0x25, 0xff]),
        ("ABCDEF80", [0xab, 0xcd, 0xef, 0x80]),
        ("#a1B2c3", [0xa1, 0xb2, 0xc3, 0xff]),
        ("#f80", [0xff, 0x88, 0x00, 0xff]),
        ("Teal", [0, 0x80, 0x80, 0xff]),
        ("white", [0xff; 4]),
        ("fuchsia", [0xff, 0, 0xff, 0xff]),
    ];
    for (text, expected) in rows {
        assert_eq!(color(text), Ok(Some(expected)), "{text}");
    }
    assert_eq!(color("transparent"), Ok(None));
    assert_eq!(color("12345600"), Ok(None));
    #[rustfmt::skip]
    let refused = ["", "#", "crimson", "2022", "##202225", "+20222", "2022255", "20222580a"];
    for text in refused {
        assert_eq!(color(text), Err(COLOR.into()), "{text}");
    }
}

#[test]
fn rotations_are_three_angles() {
    for text in ["1,-2,.5", "1, -2,\u{a0}.5"] {
        assert_eq!(rotation(text), Ok(Rotation::degrees(1.0, -2.0, 0.5)));
    }
    for text in [
        "", "1,2", "1,2,3,4", "1,2,3,", "1,2,x", "1,2,3,x", "181,0,0",
    ] {
        assert_eq!(rotation(text), Err(ROTATION.into()), "{text}");
    }
}

#[test]
fn lists_have_commas_and_a_last_word() {
    assert_eq!(quoted(&[]), "");
    assert_eq!(quoted(&["a"]), "\"a\"");
    assert_eq!(quoted(&["a", "b"]), "\"a\" or \"b\"");
    assert_eq!(quoted(&["a", "b", "c"]), "\"a\", \"b\" or \"c\"");
}
