//! The codes of errors, and the header that says who is shown in place of a player.

use fixtures::{Fault, Step, client::Reply};

use crate::support::{FORM, Server, assert_specified_error};

/// Asserts that a response is an error with this status and code.
#[track_caller]
fn assert_code(reply: &Reply, status: u16, code: &str) {
    let body = reply.json();
    assert_eq!(reply.status, status, "{body}");
    assert_eq!(body["code"], code, "{body}");
    assert!(body["error"].is_string(), "{body}");
}

#[test]
fn errors_beyond_the_specification_have_a_code() {
    let server = Server::start();
    for (path, status, code) in [
        ("/v1/face/Nobody", 404, "player_not_found"),
        ("/v1/profile/.Nobody", 404, "player_not_found"),
        ("/v1/cape/Gwendolin", 404, "no_cape"),
        ("/v1/face/.NoPocketSkin", 404, "no_skin"),
        ("/v1/face/{uuid}", 400, "invalid_player"),
        ("/v1/face/Gwendolin?size=x", 400, "invalid_request"),
        ("/v1/face/Gwendolin?siez=8", 400, "invalid_request"),
        ("/v1/face/%zz", 400, "invalid_request"),
        ("/v1/nothing/Gwendolin", 404, "not_found"),
        ("/v1/refresh/Gwendolin", 405, "method_not_allowed"),
        ("/v1/profile/OddSize/x/y", 404, "not_found"),
        ("/crafatar/avatars/x", 422, "invalid_request"),
        ("/minotar/nothing", 404, "not_found"),
        ("/visage/face/64/Nobody", 400, "player_not_found"),
    ] {
        assert_code(&server.get(path), status, code);
    }
}

#[test]
fn an_outage_has_a_code() {
    let server = Server::start_forgetful();
    server.fail(Step::Session);
    let reply = server.get("/v1/face/Gwendolin");
    assert_code(&reply, 502, "upstream_unavailable");
}

#[test]
fn a_refused_upload_has_a_code() {
    let server = Server::start();
    let path = "/v1/preview/face";
    assert_code(&server.post(path, b"no skin"), 400, "invalid_skin");
    let form = server.post_with(path, &[FORM], b"--x--");
    assert_code(&form, 415, "unsupported_media_type");
    let too_large = vec![0; (1 << 20) + 1];
    assert_code(&server.post(path, &too_large), 413, "file_too_large");
}

#[test]
fn an_entry_of_a_list_has_the_code_of_its_error() {
    let server = Server::start();
    let list = server.ok("/v1/profiles?players=Gwendolin,Nobody").json();
    assert_eq!(list[1]["code"], "player_not_found");
}

#[test]
fn errors_of_the_specification_have_no_code() {
    let server = Server::start();
    let direction = "Direction must be \"left\" or \"right\"";
    for (method, path, status, message) in [
        ("GET", "/head/Nobody", 500, "Failed to render head"),
        ("GET", "/avatar/Gwendolin/up", 400, direction),
        ("GET", "/head/%zz", 400, "Malformed URL"),
        ("GET", "/nowhere", 404, "Not found"),
        ("POST", "/head/Gwendolin", 405, "Method not allowed"),
        ("POST", "/minecraft/mhf", 405, "Method not allowed"),
        ("POST", "/allstats", 405, "Method not allowed"),
    ] {
        let reply = server.ask(method, path, &[]);
        assert_specified_error(&reply, status, message);
    }
}

#[track_caller]
fn assert_substitute(reply: &Reply, path: &str, expected: Option<&str>) {
    let substitute = reply.header("x-effigy-substitute");
    assert_eq!(substitute, expected, "{path}");
}

#[test]
fn a_header_says_that_the_default_is_shown() {
    let server = Server::start();
    for path in [
        "/v1/face/Nobody?default=Gwendolin",
        "/v1/face/Nobody.svg?default=steve",
        "/v1/face?uuid=null&name=Nobody&default=alex",
        "/v1/skin/Nobody?default=steve",
        "/minotar/helm/Nobody/64",
        "/v1/group?players=Gwendolin,Nobody&default=steve",
        "/v1/sheet?players=Gwendolin,Nobody&default=default-skin",
        "/v1/group.json?players=Gwendolin,Nobody&default=Reynard",
    ] {
        // At a miss and at a hit.
        for _ in 0..2 {
            assert_substitute(&server.ok(path), path, Some("default"));
        }
    }
}

#[test]
fn no_header_says_that_the_player_is_shown() {
    let server = Server::start();
    for path in [
        "/v1/face/Gwendolin?default=steve",
        "/v1/face?uuid=null&name=Gwendolin&default=alex",
        "/v1/face/MHF_Steve",
        "/minotar/helm/Gwendolin/64",
        "/v1/group?players=Gwendolin,Reynard&default=steve",
        "/v1/group?players=Gwendolin,Nobody",
        "/v1/group?players=Gwendolin,Nobody&default=Nobody2",
        // The specification has no such header.
        "/head/.Nobody",
    ] {
        assert_substitute(&server.ok(path), path, None);
    }
}

#[test]
fn a_header_says_that_the_built_in_player_is_shown() {
    let server = Server::start();
    let down = Fault::status(503);
    server.upstream.set_fault_everywhere(Some(&down));
    for path in [
        "/v1/face/Gwendolin?default=Servo",
        "/v1/face/Gwendolin?default=steve",
        "/v1/group?players=Gwendolin,Reynard&default=Servo",
        "/v1/sheet?players=Gwendolin,Reynard&default=default-skin",
    ] {
        assert_substitute(&server.ok(path), path, Some("fallback"));
    }
}
