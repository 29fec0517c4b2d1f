//! What answers should be.

use std::process::Output;

use effigy_render::{Model, Skin};
use effigy_service::Picture;
use fixtures::{Fixture, Image};
use serde_json::json;

use super::client::Reply;

/// The file that the renderer makes of a drawn skin.
pub fn drawn(picture: Picture, fixture: &Fixture) -> Vec<u8> {
    let model = if fixture.slim {
        Model::Slim
    } else {
        Model::Classic
    };
    let skin = Skin::decode(fixture.png, model).unwrap();
    let drawn = picture.draw(&skin).unwrap();
    drawn.unwrap_or_else(|| fixture.png.to_vec())
}

/// The picture in a successful answer.
#[track_caller]
pub fn picture_of(reply: &Reply) -> Image {
    let body = String::from_utf8_lossy(&reply.body);
    assert_eq!(reply.status, 200, "{body}");
    assert_eq!(reply.header("content-type"), Some("image/png"));
    Image::decode(&reply.body).unwrap()
}

/// Asserts that the answer is this picture of this skin.
#[track_caller]
pub fn assert_picture(reply: &Reply, picture: Picture, skin: &str) {
    let actual = picture_of(reply);
    let expected = Image::decode(&drawn(picture, fixtures::skin(skin))).unwrap();
    if let Err(mismatch) = fixtures::compare(&expected, &actual, 0) {
        panic!("{picture:?} of {skin}: {mismatch}");
    }
}

/// Asserts that the answer is this error and nothing else. Spec, "Error body".
#[track_caller]
pub fn assert_error(reply: &Reply, status: u16, message: &str) {
    let body = String::from_utf8_lossy(&reply.body);
    assert_eq!(reply.status, status, "{body}");
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    assert_eq!(reply.json(), json!({ "error": message }));
}

/// What a program printed.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Asserts that the program refused with one sentence that holds these words.
#[track_caller]
pub fn assert_refused(output: &Output, code: i32, words: &[&str]) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{error}");
    assert!(output.stdout.is_empty());
    for word in words {
        assert!(error.contains(word), "{word} in: {error}");
    }
    let lines = error.lines().take_while(|line| !line.is_empty()).count();
    assert!((1..=2).contains(&lines), "{error}");
}
