//! The look-ups that requests share: at once, and within a minute.

use std::{thread, time::Duration};

use fixtures::{Fault, Step};

use crate::support::{Server, uuid_of};

/// Asserts the number of calls of each step since the calls were last reset, and resets them.
#[track_caller]
fn assert_calls(server: &Server, [identity, session, texture]: [u64; 3]) {
    assert_eq!(server.upstream.calls(Step::Identity), identity);
    assert_eq!(server.upstream.calls(Step::Session), session);
    assert_eq!(server.upstream.calls(Step::Texture), texture);
    server.upstream.reset_calls();
}

#[test]
fn v1_and_families_look_a_player_up_once() {
    let server = Server::start();
    server.ok("/v1/face/Notch");
    assert_calls(&server, [1, 1, 1]);
    let uuid = uuid_of("Notch");
    for path in [
        "/v1/isobody/Notch",
        "/minotar/helm/notch",
        "/mc-heads/body/Notch",
        // The record of the name is also the record of the UUID.
        &format!("/crafatar/avatars/{uuid}"),
        &format!("/crafatar/renders/body/{uuid}"),
    ] {
        server.ok(path);
    }
    assert_calls(&server, [0, 0, 0]);
}

/// Spec: every uncached render begins with a fresh look-up.
#[test]
fn each_specified_picture_takes_a_fresh_look_up() {
    let server = Server::start();
    server.ok("/v1/face/Notch");
    server.upstream.reset_calls();
    for path in [
        "/head/Notch",
        "/player/Notch",
        "/skin/Notch",
        "/head/Notch/21",
        "/head/Notch/22",
    ] {
        server.ok(path);
        assert_calls(&server, [1, 1, 1]);
    }
}

/// A server whose upstreams are so slow that simultaneous requests overlap.
fn slow_server() -> Server {
    let server = Server::start();
    let slow = Fault::Slow(Duration::from_millis(200));
    server.upstream.set_fault_everywhere(Some(&slow));
    server
}

/// Asks for all paths at once.
fn ask_at_once(server: &Server, paths: &[&str]) {
    thread::scope(|scope| {
        for path in paths {
            scope.spawn(move || server.ok(path));
        }
    });
}

#[test]
fn skin_and_profile_for_an_element_share_a_look_up() {
    let server = slow_server();
    ask_at_once(&server, &["/v1/skin/Gwendolin", "/v1/profile/Gwendolin"]);
    assert_calls(&server, [1, 1, 1]);
}

#[test]
fn the_page_and_its_pictures_share_a_look_up() {
    let server = slow_server();
    let paths = ["/?player=Hazel", "/v1/figure/Hazel", "/v1/skin/Hazel"];
    ask_at_once(&server, &paths);
    assert_calls(&server, [1, 1, 1]);
}

#[test]
fn a_profile_alone_takes_no_texture() {
    let server = Server::start();
    server.ok("/v1/profile/Servo");
    assert_calls(&server, [1, 1, 0]);
}
