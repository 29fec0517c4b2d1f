//! Assertions about errors, and the content of compressed responses.

use std::io::Read;

use fixtures::client::Reply;
use flate2::read::GzDecoder;
use serde_json::json;

pub(crate) const MOJANG_IS_DOWN: &str = "Mojang is not answering; try again later";

pub(crate) const NOBODY: &str =
    "No Java player is named Nobody. For a Bedrock player, put a dot in front: .Nobody";

/// Asserts that the response is this error and nothing else. Spec, "Error body".
#[track_caller]
pub(crate) fn assert_specified_error(reply: &Reply, status: u16, message: &str) {
    assert_error(reply, status, message);
    assert_eq!(reply.json(), json!({ "error": message }));
}

/// Asserts that the response is this error, with or without a code.
#[track_caller]
pub(crate) fn assert_error(reply: &Reply, status: u16, message: &str) {
    let text = String::from_utf8_lossy(&reply.body);
    let begin: String = text.chars().take(500).collect();
    assert_eq!(reply.status, status, "{begin}");
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.header("etag"), None);
    // Only a missing player under `/v1/` may be cached, which has a test of its own.
    if status != 404 {
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    let mut error = reply.json();
    error.as_object_mut().unwrap().remove("code");
    assert_eq!(error, json!({ "error": message }));
}

/// The content of a compressed body.
pub(crate) fn unzipped(reply: &Reply) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut decoder = GzDecoder::new(reply.body.as_slice());
    decoder.read_to_end(&mut plain).unwrap();
    plain
}
