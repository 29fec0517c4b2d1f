//! Spec, "Errors": the table, the failure conditions, and what is no error.

use crate::support::{ERRORS, Server, assert_specified_error, picture_of, pictures};

#[test]
fn a_bad_direction_is_refused_before_any_look_up() {
    let server = Server::start();
    for endpoint in ["avatar", "ioshead", "iosbody"] {
        for rest in " / /up /lef /front/64 /left%20 /64 //64 /.png".split(' ') {
            let reply = server.get(&format!("/{endpoint}/Gwendolin{rest}"));
            let message = "Direction must be \"left\" or \"right\"";
            assert_specified_error(&reply, 400, message);
        }
    }
    assert_eq!(server.upstream.total_calls(), 0);
}

/// The Java failure conditions.
#[test]
fn java_players_that_cannot_be_resolved() {
    let server = Server::start();
    let rows = [
        // Username or UUID not found.
        "Nobody 11111111-2222-4333-8444-555555555555 11111111222243338444555555555555",
        // Invalid UUID format: a name, which no player has.
        "11111111-2222-4333-8444-55555555555 1111111122224333844455555555555g",
        // Textures that are missing or are not skins.
        "LostTexture HtmlFace Truncated OddSize",
        // Malformed records.
        "Propertyless BadBase NotJson WrongTypes NoUrl",
    ];
    for input in rows.iter().flat_map(|row| row.split(' ')) {
        for ((_, path), message) in pictures(input, 64).iter().zip(ERRORS) {
            assert_specified_error(&server.get(path), 500, message);
        }
    }
    assert_eq!(server.get("/allstats").json()["count"], 0);
}

/// Bedrock requests never fail for a missing skin.
#[test]
fn bedrock_players_without_a_skin_are_no_error() {
    let server = Server::start();
    let steve = picture_of(&server.get("/head/Steve"));
    let inputs =
        ".NoPocketSkin .Nobody 00001 .PocketBroken .PocketBadValue .PocketWrong .PocketStranger";
    for input in inputs.split(' ') {
        // Malformed records and textures are an outage, which is not stored; a missing player or skin is.
        let stored = !input.starts_with(".Pocket");
        let path = format!("/head/{input}");
        let first = server.get(&path);
        assert_eq!(picture_of(&first), steve, "{input}");
        let second = server.get(&path);
        assert_eq!(second.body, first.body, "{input}");
        let is_hit = second.header("x-cache") == Some("hit");
        let no_cache = second.header("cache-control") == Some("no-cache");
        assert_eq!((is_hit, no_cache), (stored, !stored), "{input}");
    }
}

#[test]
fn a_browser_gets_a_page_instead() {
    let server = Server::start();
    for (accepted, content_type) in [
        ("text/html,*/*;q=0.8", "text/html; charset=utf-8"),
        ("image/avif,image/webp,*/*;q=0.8", "application/json"),
    ] {
        let reply = server.ask("GET", "/nowhere", &[("Accept", accepted)]);
        assert_eq!(reply.status, 404, "{accepted}");
        assert_eq!(reply.header("content-type"), Some(content_type));
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    assert_specified_error(&server.get("/nowhere"), 404, "Not found");
    assert_eq!(server.upstream.total_calls(), 0);
}

#[test]
fn other_methods_are_not_allowed() {
    let server = Server::start();
    let methods = Some("GET, HEAD, OPTIONS");
    for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"] {
        let reply = server.ask(method, "/head/Gwendolin", &[]);
        assert_specified_error(&reply, 405, "Method not allowed");
        assert_eq!(reply.header("allow"), methods, "{method}");
    }
    // Scripts of other sites ask before they send a request.
    let reply = server.ask("OPTIONS", "/head/Gwendolin", &[]);
    assert_eq!((reply.status, reply.body.len()), (204, 0));
    assert_eq!(reply.header("allow"), methods);
    assert_eq!(reply.header("access-control-allow-methods"), methods);
    assert_eq!(reply.header("access-control-allow-headers"), Some("*"));
    assert!(reply.header("access-control-max-age").is_some());
    assert_eq!(server.upstream.total_calls(), 0);
}
