//! Simultaneous requests share one look-up and one drawing.

use crate::support::{Picture, Server, assert_picture, pictures};
use fixtures::client::{Reply, read_all, request, send_raw};
use fixtures::{Fault, PATIENCE, Step, until};

const HERD: u32 = 500;

/// Requests each picture while their player is being looked up. Asserts that this takes one look-up and so many renders.
#[track_caller]
fn assert_shared(asked: &[(Picture, String)], renders: u32) {
    let server = Server::start();
    server.upstream.set_fault(Step::Identity, Some(Fault::Hold));
    let send = |path: &str| {
        let request = request(server.address(), "GET", path, &[]);
        send_raw(server.address(), request.as_bytes())
    };
    let herd: Vec<_> = asked.iter().map(|(_, path)| send(path)).collect();
    assert!(server.upstream.wait_for_calls(Step::Identity, 1, PATIENCE));
    let reads = "effigy_database_read_duration_seconds_count{outcome=\"ok\"}";
    for (name, expected) in [
        ("effigy_connections", HERD + 1),
        ("effigy_misses_in_flight", renders),
        (reads, renders),
    ] {
        until(name, || server.metric(name) >= f64::from(expected));
    }
    server.mend(Step::Identity);
    for (stream, (picture, path)) in herd.into_iter().zip(asked) {
        let reply = Reply::parse(&read_all(stream), true);
        assert_picture(&reply, *picture, "knight");
        assert!(reply.header("x-cache").is_some(), "{path}");
    }
    // Name, profile and texture.
    assert_eq!(server.upstream.total_calls(), 3);
    assert_eq!(server.get("/allstats").json()["count"], renders);
}

#[test]
fn a_herd_for_one_picture_makes_one_render_and_one_look_up() {
    let picture = pictures("Gwendolin", 128)[2].clone();
    assert_shared(&vec![picture; HERD as usize], 1);
}

#[test]
fn a_herd_for_all_pictures_of_one_player_makes_one_look_up() {
    // The texture has no size.
    let different = |size| pictures("Gwendolin", size).into_iter().take(5);
    let asked: Vec<_> = (16..).flat_map(different).take(HERD as usize).collect();
    assert_shared(&asked, HERD);
}
