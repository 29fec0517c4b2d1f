//! A server to test, its clients, and the responses that it should send.

mod expected;

use std::{io::Read, net::TcpStream};

use effigy_render::{Camera, PictureSpec};

pub(crate) use effigy_testing::{
    ERRORS, Picture, Server, as_under_v1, assert_picture, avatar, bust, combo, head, ioshead,
    of_view, picture_of, pictures, player, skin_of, svg,
};
pub(crate) use expected::{MOJANG_IS_DOWN, NOBODY, assert_error, assert_specified_error, unzipped};

/// The header of a client that asks for more than its share.
pub(crate) const GREEDY: (&str, &str) = ("X-Forwarded-For", "192.0.2.1");

/// The header of another client.
pub(crate) const OTHER: (&str, &str) = ("X-Forwarded-For", "192.0.2.2");

/// The header of a form whose fields are separated by the boundary `x`.
pub(crate) const FORM: (&str, &str) = ("Content-Type", "multipart/form-data; boundary=x");

/// More seconds than the age up to which a record is used without a check.
pub(crate) const MORE_THAN_FRESH: u64 = 63;

/// More seconds than the interval in which one profile is checked.
pub(crate) const MORE_THAN_INTERVAL: u64 = 6;

/// The UUID of a player of the fixtures.
pub(crate) fn uuid_of(player: &str) -> &'static str {
    fixtures::player(player).uuid().unwrap()
}

/// The picture of a view that is turned to this side, in degrees.
pub(crate) fn turned(spec: PictureSpec, yaw: f64, pitch: f64) -> PictureSpec {
    spec.with_camera(Camera::perspective(yaw, pitch, 30.0))
}

/// The body of a form with these fields, separated by the boundary `x`.
pub(crate) fn form_body(fields: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        let head = format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(value);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--x--\r\n");
    body
}

/// The status of the first response on a connection, or `None` if the connection ends before.
pub(crate) fn status(stream: &mut TcpStream) -> Option<u16> {
    let mut line = [0; 12];
    stream.read_exact(&mut line).ok()?;
    let line = std::str::from_utf8(&line).ok()?;
    line.strip_prefix("HTTP/1.1 ")?.parse().ok()
}

/// The statuses of the responses on one connection, in their order. Bodies must not contain
/// `HTTP/1.1 `.
pub(crate) fn statuses(responses: &[u8]) -> Vec<u16> {
    let text = String::from_utf8_lossy(responses);
    let from_status = text.split("HTTP/1.1 ").skip(1);
    from_status.map(|rest| rest[..3].parse().unwrap()).collect()
}
