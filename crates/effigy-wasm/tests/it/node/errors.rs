//! Errors in Node.js are those of the library, and none of them ends the use of a skin.

use std::error::Error;
use std::fs;

use effigy_render::{NamedPose, Skin};
use fixtures::{Image, broken};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::node::{evaluate, installed};

/// Asserts that each expression fails with this message.
#[track_caller]
fn assert_fail(rows: &[(&str, &str)]) {
    let expressions: Vec<String> = rows.iter().map(|row| row.0.to_owned()).collect();
    let Some(outcomes) = evaluate(&expressions) else {
        return;
    };
    for ((expression, message), outcome) in rows.iter().zip(outcomes) {
        assert_eq!(outcome, *message, "{expression}");
    }
}

/// Returns the message of an error and of its causes, as a script sees it.
fn message(error: &dyn Error) -> String {
    let mut message = format!("Error: {error}");
    let mut next = error.source();
    while let Some(cause) = next {
        message += &format!(": {cause}");
        next = cause.source();
    }
    message
}

#[test]
fn broken_skin_has_the_message_of_the_library() {
    let Some(folder) = installed() else {
        return;
    };
    let files = TempDir::new_in(folder).unwrap();
    let mut expressions = Vec::new();
    let mut expected = Vec::new();
    for (number, (name, bytes)) in broken().into_iter().enumerate() {
        // Lenient decoders make the pixels up.
        let Err(error) = Skin::decode(&bytes, None) else {
            continue;
        };
        let path = files.path().join(number.to_string());
        fs::write(&path, bytes).unwrap();
        expressions.push(format!("Skin.decode(readFileSync({path:?}))"));
        expected.push((name, message(&error)));
    }
    let outcomes = evaluate(&expressions).unwrap();
    for (outcome, (name, message)) in outcomes.iter().zip(expected) {
        assert_eq!(*outcome, message, "{name}");
    }
    assert!(outcomes.len() > 20, "only {} files", outcomes.len());
}

#[test]
fn picture_that_is_no_skin_is_refused_with_its_dimensions() {
    let expected = "Error: this picture is 64 x 128 pixels; a skin is 64 x 64 or 64 x 32, or a \
                    multiple of that up to 1024 wide";
    let body = "Skin.decode(skin('knight').body({ size: 64 }).toPng())";
    assert_fail(&[(body, expected)]);
}

#[test]
fn broken_cape_is_called_a_cape() {
    assert_fail(&[
        (
            "skin('knight', { cape: Buffer.from('x') })",
            "Error: the cape can't be used: the file is not a PNG, or it is damaged: it ends too \
             early",
        ),
        (
            "skin('knight', { cape: skin('knight').body({ size: 8 }).toPng() })",
            "Error: the cape can't be used: this picture is 8 x 16 pixels; a cape is 64 x \
             32, 46 x 22 or 22 x 17, or up to 16 times as wide and high",
        ),
    ]);
}

#[test]
fn only_bytes_are_a_skin_file() {
    let refused = |kind: &str, given: &str| {
        format!(
            "TypeError: The file of {kind} must be a Buffer, a Uint8Array or an ArrayBuffer, not \
             {given}"
        )
    };
    let not_skin = |given| refused("a skin", given);
    assert_fail(&[
        ("Skin.decode()", &not_skin("undefined")),
        ("Skin.decode(null)", &not_skin("null")),
        (
            "Skin.decode('knight.png')",
            &not_skin("a value of the type String"),
        ),
        (
            "Skin.decode(Promise.resolve(file('knight')))",
            &not_skin("a value of the type Promise"),
        ),
        (
            "Skin.decode({ length: 8 })",
            &not_skin("a value of the type Object"),
        ),
        (
            "Skin.decode([137, 80])",
            &not_skin("a value of the type Array"),
        ),
        (
            "skin('knight', { cape: 'cape.png' })",
            &refused("a cape", "a value of the type String"),
        ),
    ]);
}

#[test]
fn mistaken_options_of_a_skin_are_refused() {
    assert_fail(&[
        (
            "Skin.decode(file('knight'), 'slim')",
            "TypeError: The options of a skin must be an object, not 'slim'",
        ),
        (
            "Skin.decode(file('knight'), { Model: 'slim' })",
            "TypeError: A skin has no option \"Model\". The options are model, cape and name",
        ),
    ]);
}

#[test]
fn parameters_that_are_not_an_object_are_refused() {
    let message = "TypeError: The parameters of a picture must be an object, not";
    assert_fail(&[
        ("skin('knight').figure(64)", &format!("{message} 64")),
        ("skin('knight').figure(64n)", &format!("{message} 64n")),
        (
            "skin('knight').picture('face', 'size=64')",
            &format!("{message} 'size=64'"),
        ),
        ("skin('knight').face(false)", &format!("{message} false")),
    ]);
}

#[test]
fn invalid_values_name_the_valid_ones() {
    let poses: Vec<String> = NamedPose::WORDS
        .iter()
        .map(|word| format!("\"{word}\""))
        .collect();
    let (last, others) = poses.split_last().unwrap();
    let unknown_pose = format!("Error: pose must be {} or {last}", others.join(", "));
    let unknown_view = "Error: view must be \"face\", \"bust\", \"body\", \"body-back\", \
                        \"body-left\", \"body-right\", \"combo\", \"isohead\", \"isobody\", \
                        \"figure\", \"portrait\", \"cube\" or \"layout\"";
    let wrong_size = "Error: size must be a whole number from 1 to 2048";
    assert_fail(&[
        ("skin('knight').figure({ pose: 'moonwalk' })", &unknown_pose),
        // Values are not separated as in URLs, so a user can't add a parameter.
        (
            "skin('knight').figure({ pose: 'walk&size=9' })",
            &unknown_pose,
        ),
        ("skin('knight').picture('profile')", unknown_view),
        ("skin('knight').picture()", unknown_view),
        ("skin('knight').figure({ size: 0 })", wrong_size),
        ("skin('knight').figure({ size: 100000 })", wrong_size),
        ("skin('knight').figure({ size: 1.5 })", wrong_size),
        ("skin('knight').figure({ size: NaN })", wrong_size),
        (
            "skin('knight', { model: 'thin' })",
            "Error: model must be \"classic\" or \"slim\"",
        ),
        (
            "skin('knight').figure({ 'right-arm': [1, 2] })",
            "Error: right-arm must be three numbers from -180 to 180 with commas between them",
        ),
    ]);
}

#[test]
fn unknown_parameters_suggest_the_one_that_is_meant() {
    assert_fail(&[
        (
            "skin('knight').figure({ poze: 'walk' })",
            "Error: Unknown parameter \"poze\". Did you mean \"pose\"?",
        ),
        (
            "skin('knight').figure({ width: 64 })",
            "Error: Unknown parameter \"width\". Did you mean \"size\"?",
        ),
        (
            "skin('knight').face({ flip: true })",
            "Error: Unknown parameter \"flip\". \"facing\" mirrors isometric views, and \
             \"upside-down\" turns all views over that are not flat",
        ),
    ]);
}

#[test]
fn parameters_that_the_view_lacks_are_refused() {
    assert_fail(&[
        (
            "skin('knight').head({ pose: 'walk' })",
            "Error: pose applies only to figure, portrait and cube",
        ),
        (
            "skin('knight').figure({ crop: 'head', shadow: true })",
            "Error: shadow must be left out of a picture that is cropped to the head or the bust",
        ),
    ]);
}

#[test]
fn pictures_that_do_not_move_have_no_moving_files() {
    assert_fail(&[
        (
            "skin('knight').face().toGif()",
            "Error: Only figures, portraits and cubes can move: use toPng() for \"face\", not \
             toApng() or toGif()",
        ),
        (
            "skin('knight').isobody({ size: 513 }).toApng()",
            "Error: Only figures, portraits and cubes can move: use toPng() for \"isobody\", not \
             toApng() or toGif()",
        ),
        (
            "skin('knight').figure({ size: 513 }).toApng()",
            "Error: size must be a whole number from 1 to 512 for a moving picture",
        ),
    ]);
}

#[test]
fn errors_have_codes() {
    let rows = [
        ("Skin.decode(Buffer.from('x'))", "invalid_skin"),
        ("skin('knight', { cape: Buffer.from('x') })", "invalid_cape"),
        ("skin('knight', { model: 'thin' })", "invalid_request"),
        ("skin('knight').picture('profile')", "invalid_request"),
        (
            "skin('knight').figure({ pose: 'moonwalk' })",
            "invalid_request",
        ),
        ("skin('knight').figure({ poze: 'walk' })", "invalid_request"),
        ("skin('knight').head({ pose: 'walk' })", "invalid_request"),
        ("skin('knight').face().toGif()", "invalid_request"),
        ("Skin.decode('knight.png')", "none"),
    ];
    let expressions: Vec<String> = rows
        .iter()
        .map(|row| format!("codeOf(() => {})", row.0))
        .collect();
    let Some(outcomes) = evaluate(&expressions) else {
        return;
    };
    for ((expression, code), outcome) in rows.iter().zip(outcomes) {
        assert_eq!(outcome, *code, "{expression}");
    }
}

#[test]
fn svg_with_too_many_texels_is_a_picture_too_large() {
    let Some(folder) = installed() else {
        return;
    };
    let path = folder.join("texels.png");
    fs::write(&path, skin_of_different_texels().encode()).unwrap();
    let expression = format!(
        "codeOf(() => Skin.decode(readFileSync({path:?})).figure({{ size: 1024 }}).toSvg())"
    );
    let outcomes = evaluate(&[expression]).unwrap();
    assert_eq!(outcomes, ["picture_too_large"]);
}

/// Returns a skin of the largest size whose neighboring texels differ in color.
fn skin_of_different_texels() -> Image {
    let mut skin = Image::new(1024, 1024);
    for (number, texel) in (0_u32..).zip(skin.rgba.chunks_exact_mut(4)) {
        let [red, green, blue, _] = number.wrapping_mul(2_654_435_761).to_le_bytes();
        texel.copy_from_slice(&[red, green, blue, 255]);
    }
    skin
}

#[test]
fn skin_draws_after_an_error() {
    let script = "(() => { \
        const knight = skin('knight'); \
        const before = knight.face().toPng(); \
        const errors = [() => knight.figure({ pose: 'moonwalk' }), () => knight.face().toGif()]; \
        const names = errors.map(outcome).map((text) => text.split(':')[0]); \
        return [names.join(), before.equals(knight.face().toPng())]; })()";
    let Some(outcomes) = evaluate(&[script.to_owned()]) else {
        return;
    };
    let expected: Value = serde_json::json!(["Error,Error", true]);
    assert_eq!(outcomes, [expected]);
}
