//! Spec, "Limits". The hour, the length of the health log and how much of it is read are tested
//! where the clock and the log can be set: in `effigy-service` and `effigy-store`.

use std::time::{Duration, Instant};

use crate::support::{Server, assert_error, picture_of};

use fixtures::{Fault, Step};

#[test]
fn a_picture_may_be_kept_for_its_hour() {
    let server = Server::start();
    for x_cache in ["miss", "hit"] {
        let reply = server.get("/head/Gwendolin");
        assert_eq!(reply.header("x-cache"), Some(x_cache));
        let cache_control = reply.header("cache-control").unwrap();
        let seconds = cache_control.strip_prefix("public, max-age=").unwrap();
        let seconds: u64 = seconds.parse().unwrap();
        assert!((3_500..=3_600).contains(&seconds), "{seconds}");
    }
}

#[test]
fn sizes_have_no_upper_limit_of_their_own() {
    let server = Server::start();
    for (path, width, height) in [
        ("/head/UvClassic/3000", 3000, 3000),
        ("/ioshead/UvClassic/left/2100", 2100, 2100),
    ] {
        let image = picture_of(&server.get(path));
        assert_eq!((image.width, image.height), (width, height), "{path}");
    }
}

#[test]
fn a_picture_that_cannot_exist_fails_without_a_look_up() {
    let server = Server::start();
    let digits = format!("/head/UvClassic/{}", "9".repeat(300));
    let rows = [
        ("/head/UvClassic/2147483647", "Failed to render head"),
        ("/head/UvClassic/4294967296", "Failed to render head"),
        (&digits, "Failed to render head"),
        ("/player/UvClassic/1073741824", "Failed to render player"),
        ("/avatar/A/left/2147483647", "Failed to render avatar"),
        ("/ioshead/A/left/2147483648", "Failed to render iOS head"),
        ("/iosbody/A/left/2147483647", "Failed to render iOS body"),
    ];
    for (path, message) in rows {
        assert_error(&server.get(path), 500, message);
    }
    assert_eq!(server.upstream.total_calls(), 0);
}

#[test]
fn inputs_have_at_most_256_bytes() {
    let server = Server::start();
    for input in ["x".repeat(257), "%C3%A9".repeat(129)] {
        let reply = server.get(&format!("/head/{input}"));
        assert_error(&reply, 500, "Failed to render head");
    }
    assert_eq!(server.upstream.total_calls(), 0);
    server.get(&format!("/head/{}", "x".repeat(256)));
    assert_eq!(server.upstream.calls(Step::Identity), 1);
}

#[test]
fn the_health_ping_has_five_seconds() {
    let server = Server::start();
    server.upstream.set_fault(Step::Identity, Some(Fault::Hang));
    let begun = Instant::now();
    let reply = server.get("/health");
    let took = begun.elapsed();
    assert_eq!(reply.status, 503);
    let five = Duration::from_secs(5);
    assert!(took > five - Duration::from_millis(500), "{took:?}");
    assert!(took < five + Duration::from_secs(4), "{took:?}");
}
