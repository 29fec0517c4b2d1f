//! Assertions about responses.

use std::io::Read;

use fixtures::{Image, client::Reply};
use flate2::read::GzDecoder;
use serde_json::json;

use super::Picture;

pub(crate) const MOJANG_IS_DOWN: &str = "Mojang is not answering; try again later";

pub(crate) const NOBODY: &str =
    "No Java player is named Nobody. For a Bedrock player, put a dot in front: .Nobody";

/// The picture in a successful response.
#[track_caller]
pub(crate) fn picture_of(reply: &Reply) -> Image {
    let body = String::from_utf8_lossy(&reply.body);
    assert_eq!(reply.status, 200, "{body}");
    assert_eq!(reply.header("content-type"), Some("image/png"));
    Image::decode(&reply.body).unwrap()
}

#[track_caller]
pub(crate) fn assert_picture(reply: &Reply, picture: impl Into<Picture>, skin: &str) {
    let picture = picture.into();
    let file = picture.of(fixtures::skin(skin));
    assert_eq!(reply.header("content-type"), Some("image/png"));
    if (reply.status, &reply.body) == (200, &file) {
        return;
    }
    // The same pixels may be compressed in another way.
    let (actual, expected) = (picture_of(reply), Image::decode(&file).unwrap());
    if let Err(mismatch) = fixtures::compare(&expected, &actual, 0) {
        panic!("{picture:?} of {skin}: {mismatch}");
    }
}

/// Asserts that the response is this error and nothing else. Spec, "Error body".
#[track_caller]
pub(crate) fn assert_specified_error(reply: &Reply, status: u16, message: &str) {
    assert_error(reply, status, message);
    assert_eq!(reply.json(), json!({ "error": message }));
}

/// Asserts that the response is this error, with or without a code.
#[track_caller]
pub(crate) fn assert_error(reply: &Reply, status: u16, message: &str) {
    let body = String::from_utf8_lossy(&reply.body);
    assert_eq!(reply.status, status, "{body}");
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.header("etag"), None);
    // A missing player under `/v1/` has a test of its own.
    if status != 404 {
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    let mut body = reply.json();
    body.as_object_mut().unwrap().remove("code");
    assert_eq!(body, json!({ "error": message }));
}

/// The content of a compressed body.
pub(crate) fn unzipped(reply: &Reply) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut decoder = GzDecoder::new(reply.body.as_slice());
    decoder.read_to_end(&mut plain).unwrap();
    plain
}
