//! Players who are reused for a minute.

use std::{thread, time::Duration};

use crate::support::Server;
use fixtures::{Fault, Step};

const UUID: &str = "523239d6f3954d778c25aa3d0db1e779";

/// Requests pictures, and returns the calls of each step of the look-up.
fn calls<'a>(
    server: &Server,
    paths: impl IntoIterator<Item = &'a str>,
    headers: &[(&str, &str)],
) -> [u64; 3] {
    server.upstream.reset_calls();
    for path in paths {
        let reply = server.ask("GET", path, headers);
        assert_eq!(reply.status, 200, "{path}");
        assert_eq!(reply.header("x-cache"), Some("miss"), "{path}");
    }
    [Step::Identity, Step::Session, Step::Texture].map(|step| server.upstream.calls(step))
}

#[test]
fn ten_pictures_of_a_player_take_one_look_up() {
    let server = Server::start();
    let paths = (1..11).map(|size| format!("/v1/avatar/Gwendolin?size={size}"));
    let paths: Vec<String> = paths.collect();
    let paths = paths.iter().map(String::as_str);
    assert_eq!(calls(&server, paths, &[]), [1, 1, 1]);
    let families = [
        "/minotar/helm/gwendolin/50",
        "/mc-heads/avatar/Gwendolin/51",
    ];
    assert_eq!(calls(&server, families, &[]), [0, 0, 0]);
    let crafatar = format!("/crafatar/avatars/{UUID}?size=52");
    let crafatar_body = format!("/crafatar/renders/body/{UUID}");
    let paths = [crafatar.as_str(), &crafatar_body];
    // The UUID has to be looked up, and names a skin that is known.
    assert_eq!(calls(&server, paths, &[]), [0, 1, 0]);
}

/// The element asks for skin and profile at once, and the page for a profile and a picture.
#[test]
fn an_element_and_the_page_take_one_look_up_of_a_new_player() {
    let server = Server::start();
    let at_once = |paths: &[&str]| {
        let server = &server;
        thread::scope(|scope| {
            for path in paths {
                scope.spawn(move || assert_eq!(server.get(path).status, 200, "{path}"));
            }
        });
        [Step::Identity, Step::Session, Step::Texture].map(|step| server.upstream.calls(step))
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

/// Spec: every uncached render begins with a fresh look-up.
#[test]
fn the_specified_paths_look_up_afresh_except_for_the_page() {
    let server = Server::start();
    let paths = [
        "/head/Gwendolin/20",
        "/player/Gwendolin/20",
        "/skin/Gwendolin",
    ];
    assert_eq!(calls(&server, paths, &[]), [3, 3, 3]);
    let elsewhere = [("Sec-Fetch-Site", "cross-site")];
    let paths = ["/head/Gwendolin/21", "/head/Gwendolin/22"];
    assert_eq!(calls(&server, paths, &elsewhere), [2, 2, 2]);
    let page = [("Sec-Fetch-Site", "same-origin")];
    let paths = ["/head/Gwendolin/23", "/avatar/Gwendolin/left/24"];
    assert_eq!(calls(&server, paths, &page), [0, 0, 0]);
}
