//! Players who are reused for a minute.

use std::{thread, time::Duration};

use crate::support::Server;
use fixtures::{Fault, Step, player};

/// The calls of each step of the look-up.
fn calls(server: &Server) -> [u64; 3] {
    [Step::Identity, Step::Session, Step::Texture].map(|step| server.upstream.calls(step))
}

/// Spec: every uncached render begins with a fresh look-up.
#[test]
fn specified_paths_look_up_afresh_and_others_reuse_players() {
    let server = Server::start();
    let uuid = player("Notch").uuid().unwrap();
    let crafatar = format!("/crafatar/avatars/{uuid} /crafatar/renders/body/{uuid}");
    for (paths, expected) in [
        ("/v1/face/Notch /v1/isobody/Notch", [1; 3]),
        ("/minotar/helm/notch /mc-heads/body/Notch", [0; 3]),
        // The record of the name is that of the UUID.
        (&crafatar, [0; 3]),
        ("/head/Notch /player/Notch /skin/Notch", [3; 3]),
        ("/head/Notch/21 /head/Notch/22", [2; 3]),
    ] {
        server.upstream.reset_calls();
        for path in paths.split(' ') {
            server.ok(path);
        }
        assert_eq!(calls(&server), expected, "{paths}");
    }
}

/// The element asks for skin and profile at once, and the page for a profile and a picture.
#[test]
fn an_element_and_the_page_take_one_look_up_of_a_new_player() {
    let server = Server::start();
    let at_once = |paths: &[&str]| {
        let server = &server;
        thread::scope(|scope| {
            for path in paths {
                scope.spawn(move || server.ok(path));
            }
        });
        calls(server)
    };
    // Long enough for all to have asked.
    let slow = Fault::Slow(Duration::from_millis(200));
    server.upstream.set_fault_everywhere(Some(&slow));
    let element = ["/v1/skin/Gwendolin", "/v1/profile/Gwendolin"];
    assert_eq!(at_once(&element), [1, 1, 1]);
    let page = ["/?player=Hazel", "/v1/figure/Hazel", "/v1/skin/Hazel"];
    assert_eq!(at_once(&page), [2, 2, 2]);
    // A profile alone needs no texture.
    assert_eq!(at_once(&["/v1/profile/Servo"]), [3, 3, 2]);
}
