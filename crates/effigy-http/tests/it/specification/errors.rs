//! Spec, "Errors": the table, the failure conditions, and the conditions that are not errors.

use crate::support::{ERRORS, Server, assert_specified_error, picture_of, pictures};

#[test]
fn a_bad_direction_is_refused_before_any_look_up() {
    let server = Server::start();
    for endpoint in ["avatar", "ioshead", "iosbody"] {
        for rest in [
            "",
            "/",
            "/up",
            "/lef",
            "/front/64",
            "/left%20",
            "/64",
            "//64",
            "/.png",
        ] {
            let reply = server.get(&format!("/{endpoint}/Gwendolin{rest}"));
            let message = "Direction must be \"left\" or \"right\"";
            assert_specified_error(&reply, 400, message);
        }
    }
    assert_eq!(server.upstream.total_calls(), 0);
}

/// The Java failure conditions.
#[test]
fn a_java_player_who_cannot_be_resolved_is_an_error() {
    let server = Server::start();
    let unknown = [
        "Nobody",
        "11111111-2222-4333-8444-555555555555",
        "11111111222243338444555555555555",
    ];
    // Neither is a UUID, so they are names, which no player has.
    let malformed_uuids = [
        "11111111-2222-4333-8444-55555555555",
        "1111111122224333844455555555555g",
    ];
    let unusable_textures = ["LostTexture", "HtmlFace", "Truncated", "OddSize"];
    let malformed_records = ["Propertyless", "BadBase", "NotJson", "WrongTypes", "NoUrl"];
    let conditions: [&[&str]; 4] = [
        &unknown,
        &malformed_uuids,
        &unusable_textures,
        &malformed_records,
    ];
    for input in conditions.concat() {
        for ((_, path), message) in pictures(input, 64).iter().zip(ERRORS) {
            assert_specified_error(&server.get(path), 500, message);
        }
    }
    assert_eq!(server.get("/allstats").json()["count"], 0);
}

/// A missing player or skin is an answer of the upstream, so the picture is stored.
#[test]
fn a_bedrock_player_without_a_skin_is_shown_as_steve() {
    let server = Server::start();
    let steve = picture_of(&server.get("/head/Steve"));
    for input in [".NoPocketSkin", ".Nobody", "00001"] {
        let path = format!("/head/{input}");
        let first = server.get(&path);
        assert_eq!(picture_of(&first), steve, "{input}");
        let second = server.get(&path);
        assert_eq!(second.body, first.body, "{input}");
        assert_eq!(second.header("x-cache"), Some("hit"), "{input}");
    }
}

/// A malformed record or texture is an outage, so the picture is not stored.
#[test]
fn a_bedrock_outage_is_shown_as_steve_and_not_stored() {
    let server = Server::start();
    let steve = picture_of(&server.get("/head/Steve"));
    for input in [
        ".PocketBroken",
        ".PocketBadValue",
        ".PocketWrong",
        ".PocketStranger",
    ] {
        let path = format!("/head/{input}");
        for _ in 0..2 {
            let reply = server.get(&path);
            assert_eq!(picture_of(&reply), steve, "{input}");
            assert_ne!(reply.header("x-cache"), Some("hit"), "{input}");
            assert_eq!(reply.header("cache-control"), Some("no-cache"), "{input}");
        }
    }
}

#[test]
fn a_browser_gets_a_page_for_a_missing_path() {
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
    for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"] {
        let reply = server.ask(method, "/head/Gwendolin", &[]);
        assert_specified_error(&reply, 405, "Method not allowed");
        let allowed = reply.header("allow");
        assert_eq!(allowed, Some("GET, HEAD, OPTIONS"), "{method}");
    }
    assert_eq!(server.upstream.total_calls(), 0);
}

/// Scripts of other sites ask before they send a request.
#[test]
fn options_allow_scripts_of_other_sites_to_ask() {
    let server = Server::start();
    let reply = server.ask("OPTIONS", "/head/Gwendolin", &[]);
    assert_eq!(reply.status, 204);
    assert!(reply.body.is_empty());
    let methods = Some("GET, HEAD, OPTIONS");
    assert_eq!(reply.header("allow"), methods);
    assert_eq!(reply.header("access-control-allow-methods"), methods);
    assert_eq!(reply.header("access-control-allow-headers"), Some("*"));
    assert!(reply.header("access-control-max-age").is_some());
    assert_eq!(server.upstream.total_calls(), 0);
}
