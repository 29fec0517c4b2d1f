//! The codes of errors, and the header that says who is shown in place of a player.

use fixtures::{Fault, Step};
use serde_json::json;

use crate::support::{Server, assert_specified_error};

#[test]
fn errors_beyond_the_specification_have_a_code() {
    let server = Server::start();
    let rows = [
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
    ];
    for (path, status, code) in rows {
        let reply = server.get(path);
        let body = reply.json();
        assert_eq!(reply.status, status, "{path}: {body}");
        assert_eq!(body["code"], code, "{path}: {body}");
        assert!(body["error"].is_string(), "{path}: {body}");
    }
}

#[test]
fn outages_and_uploads_have_a_code() {
    let server = Server::start_forgetful();
    server.fail(Step::Session);
    let reply = server.get("/v1/face/Gwendolin");
    assert_eq!(reply.status, 502);
    assert_eq!(reply.json()["code"], "upstream_unavailable");
    let reply = server.post("/v1/preview/face", b"no skin");
    assert_eq!(reply.status, 400);
    assert_eq!(reply.json()["code"], "invalid_skin");
    let form = [("Content-Type", "multipart/form-data; boundary=x")];
    let reply = server.post_with("/v1/preview/face", &form, b"--x--");
    assert_eq!(reply.status, 415);
    assert_eq!(reply.json()["code"], "unsupported_media_type");
    let reply = server.post("/v1/preview/face", &vec![0; (1 << 20) + 1]);
    assert_eq!(reply.status, 413);
    assert_eq!(reply.json()["code"], "file_too_large");
}

#[test]
fn a_player_of_a_list_has_the_code_of_its_error() {
    let server = Server::start();
    let list = server.ok("/v1/profiles?players=Gwendolin,Nobody").json();
    assert_eq!(list[0]["name"], "Gwendolin");
    assert_eq!(list[1]["code"], "player_not_found");
    assert_eq!(list[1]["status"], json!(404));
}

#[test]
fn errors_of_the_specification_have_no_code() {
    let server = Server::start();
    let direction = "Direction must be \"left\" or \"right\"";
    let method = "Method not allowed";
    assert_specified_error(&server.get("/head/Nobody"), 500, "Failed to render head");
    assert_specified_error(&server.get("/avatar/Gwendolin/up"), 400, direction);
    assert_specified_error(&server.get("/head/%zz"), 400, "Malformed URL");
    assert_specified_error(&server.get("/nowhere"), 404, "Not found");
    for path in ["/head/Gwendolin", "/minecraft/mhf", "/allstats"] {
        assert_specified_error(&server.ask("POST", path, &[]), 405, method);
    }
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
    ] {
        for _ in 0..2 {
            let shown = server.ok(path);
            let substitute = shown.header("x-effigy-substitute");
            assert_eq!(substitute, Some("default"), "{path}");
        }
    }
    for path in [
        "/v1/face/Gwendolin?default=steve",
        "/v1/face?uuid=null&name=Gwendolin&default=alex",
        "/v1/face/MHF_Steve",
        "/minotar/helm/Gwendolin/64",
        // The specification does not tell a fallback.
        "/head/.Nobody",
    ] {
        let shown = server.ok(path);
        assert_eq!(shown.header("x-effigy-substitute"), None, "{path}");
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
    ] {
        let shown = server.ok(path);
        let substitute = shown.header("x-effigy-substitute");
        assert_eq!(substitute, Some("fallback"), "{path}");
    }
}
