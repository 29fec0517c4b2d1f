//! Assertions about responses with pictures.

use fixtures::{Image, client::Reply};

use crate::Picture;

/// The picture in a successful response.
///
/// # Panics
///
/// When the response is an error or no PNG.
#[must_use]
#[track_caller]
pub fn picture_of(reply: &Reply) -> Image {
    let body = String::from_utf8_lossy(&reply.body);
    assert_eq!(reply.status, 200, "{body}");
    assert_eq!(reply.header("content-type"), Some("image/png"));
    Image::decode(&reply.body).expect("the body is a PNG")
}

/// Asserts that a response is a PNG with the pixels of this picture of a skin of the fixtures.
///
/// # Panics
///
/// When it is not.
#[track_caller]
pub fn assert_picture(reply: &Reply, picture: impl Into<Picture>, skin: &str) {
    let picture = picture.into();
    let file = picture.of(fixtures::skin(skin));
    let actual = picture_of(reply);
    if reply.body == file {
        return;
    }
    // The same pixels may be compressed in another way.
    let expected = Image::decode(&file).expect("the renderer writes PNG files");
    if let Err(mismatch) = fixtures::compare(&expected, &actual, 0) {
        panic!("{picture:?} of {skin}: {mismatch}");
    }
}
