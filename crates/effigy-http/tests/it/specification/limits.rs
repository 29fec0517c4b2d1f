//! Spec, "Limits". The lifetime of pictures, the time of the health ping, and the length of the
//! health log are tested where the clock and the log can be set: in `effigy-service`,
//! `effigy-upstream` and `effigy-store`.

use crate::support::{Server, assert_specified_error};

#[test]
fn a_size_that_cannot_be_drawn_fails_without_a_look_up() {
    let server = Server::start();
    let many_digits = format!("/head/UvClassic/{}", "9".repeat(300));
    let rows = [
        ("/head/UvClassic/2147483647", "Failed to render head"),
        ("/head/UvClassic/4294967296", "Failed to render head"),
        (&many_digits, "Failed to render head"),
        ("/player/UvClassic/1073741824", "Failed to render player"),
        ("/avatar/A/left/2147483647", "Failed to render avatar"),
        ("/ioshead/A/left/2147483648", "Failed to render iOS head"),
        ("/iosbody/A/left/2147483647", "Failed to render iOS body"),
    ];
    for (path, message) in rows {
        assert_specified_error(&server.get(path), 500, message);
    }
    assert_eq!(server.upstream.total_calls(), 0);
}

#[test]
fn an_input_of_more_than_256_bytes_is_not_looked_up() {
    let server = Server::start();
    let letters = "x".repeat(257);
    let two_bytes_each = "%C3%A9".repeat(129);
    for input in [letters, two_bytes_each] {
        let reply = server.get(&format!("/head/{input}"));
        assert_specified_error(&reply, 500, "Failed to render head");
    }
    assert_eq!(server.upstream.total_calls(), 0);
    server.get(&format!("/head/{}", "x".repeat(256)));
    assert_eq!(server.upstream.total_calls(), 1);
}
