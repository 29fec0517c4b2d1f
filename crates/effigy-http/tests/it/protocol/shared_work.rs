//! Simultaneous requests share one look-up and one drawing.

use fixtures::{
    Fault, PATIENCE, Step,
    client::{Reply, read_all, request, send_raw},
    until,
};

use crate::support::{Picture, Server, assert_picture, pictures};

/// The number of simultaneous requests.
const CLIENTS: u32 = 200;

/// Requests each picture while their player is being looked up. Asserts that all of them together
/// take one look-up, and this number of renders.
#[track_caller]
fn assert_shared(asked: &[(Picture, String)], renders: u32) {
    let server = Server::start();
    server.upstream.set_fault(Step::Identity, Some(Fault::Hold));
    let mut streams = Vec::new();
    for (_, path) in asked {
        let request = request(server.address(), "GET", path, &[]);
        streams.push(send_raw(server.address(), request.as_bytes()));
    }
    assert!(server.upstream.wait_for_calls(Step::Identity, 1, PATIENCE));
    wait_for_metric(&server, "effigy_connections", CLIENTS + 1);
    wait_for_metric(&server, "effigy_misses_in_flight", renders);
    let reads = "effigy_database_read_duration_seconds_count{outcome=\"ok\"}";
    wait_for_metric(&server, reads, renders);

    server.mend(Step::Identity);
    for (stream, (picture, path)) in streams.into_iter().zip(asked) {
        let reply = Reply::parse(&read_all(stream), true);
        assert_picture(&reply, *picture, "knight");
        assert!(reply.header("x-cache").is_some(), "{path}");
    }
    // Name, profile and texture.
    assert_eq!(server.upstream.total_calls(), 3);
    assert_eq!(server.get("/allstats").json()["count"], renders);
}

#[track_caller]
fn wait_for_metric(server: &Server, name: &str, least: u32) {
    until(name, || server.metric(name) >= f64::from(least));
}

#[test]
fn requests_for_one_picture_share_its_render() {
    let [_, _, picture, ..] = pictures("Gwendolin", 128);
    assert_shared(&vec![picture; CLIENTS as usize], 1);
}

#[test]
fn requests_for_one_player_share_the_look_up() {
    let mut asked = Vec::new();
    for size in (16..).take(CLIENTS as usize / 5) {
        // Without the texture, which has no size.
        asked.extend(pictures("Gwendolin", size).into_iter().take(5));
    }
    assert_shared(&asked, CLIENTS);
}
