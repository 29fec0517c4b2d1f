//! Spec, "Limits". The hour, the time of the health ping, the length of the health log and how much of it is read are
//! tested where the clock and the log can be set: in `effigy-service`, `effigy-upstream` and `effigy-store`.

use crate::support::{Server, assert_specified_error};

#[test]
fn what_cannot_be_drawn_fails_without_a_look_up() {
    let server = Server::start();
    // Inputs have at most 256 bytes.
    let letters = format!("/head/{}", "x".repeat(257));
    let bytes = format!("/head/{}", "%C3%A9".repeat(129));
    let digits = format!("/head/UvClassic/{}", "9".repeat(300));
    let rows = [
        ("/head/UvClassic/2147483647", "Failed to render head"),
        ("/head/UvClassic/4294967296", "Failed to render head"),
        (&digits, "Failed to render head"),
        (&letters, "Failed to render head"),
        (&bytes, "Failed to render head"),
        ("/player/UvClassic/1073741824", "Failed to render player"),
        ("/avatar/A/left/2147483647", "Failed to render avatar"),
        ("/ioshead/A/left/2147483648", "Failed to render iOS head"),
        ("/iosbody/A/left/2147483647", "Failed to render iOS body"),
    ];
    for (path, message) in rows {
        assert_specified_error(&server.get(path), 500, message);
    }
    assert_eq!(server.upstream.total_calls(), 0);
    server.get(&format!("/head/{}", "x".repeat(256)));
    assert_eq!(server.upstream.total_calls(), 1);
}
