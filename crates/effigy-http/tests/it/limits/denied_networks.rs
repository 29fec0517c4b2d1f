//! Networks that the operator denies.

use crate::support::{GREEDY, OTHER, Server, assert_error};

/// A server that denies the network of the greedy client.
fn start() -> Server {
    Server::start_with(|settings| {
        settings.config.denied = vec!["192.0.2.1/32".parse().unwrap()];
    })
}

#[test]
fn a_denied_network_gets_403_before_any_route() {
    let server = start();
    for path in [
        "/",
        "/head/Gwendolin",
        "/avatar/Gwendolin/up",
        "/v1/face/Gwendolin",
        "/health",
        "/nowhere",
    ] {
        for method in ["GET", "POST", "BREW"] {
            let reply = server.ask(method, path, &[GREEDY]);
            assert_error(&reply, 403, "Requests from this address are denied");
            assert_eq!(reply.json()["code"], "access_denied", "{method} {path}");
        }
        assert_eq!(server.ask("OPTIONS", path, &[GREEDY]).status, 403, "{path}");
    }
    assert_eq!(server.upstream.total_calls(), 0);
    let denied = "effigy_requests_total{route=\"denied\",status=\"403\"}";
    assert_eq!(server.metric(denied), 24.0);
}

#[test]
fn others_are_answered_while_a_network_is_denied() {
    let server = start();
    assert_eq!(server.ask("GET", "/head/Gwendolin", &[OTHER]).status, 200);
    // The proxy itself has another address.
    assert_eq!(server.get("/head/Gwendolin").status, 200);
}

#[test]
fn a_denied_network_gets_no_picture_from_memory_either() {
    let server = start();
    server.ok("/head/Gwendolin");
    assert_eq!(server.ask("GET", "/head/Gwendolin", &[GREEDY]).status, 403);
}
