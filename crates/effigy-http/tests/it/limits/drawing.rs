//! Pictures that take long: of a size that the operator does not want, and that nobody waits for.

use std::{
    num::NonZeroU32,
    time::{Duration, Instant},
};

use effigy_service::Rate;
use fixtures::{
    assert_within,
    client::{request, send_raw},
    skin, until,
};

use crate::support::{GREEDY, Server, assert_error};

#[test]
fn a_size_may_be_too_large_for_the_operator() {
    let server = Server::start_with(|settings| settings.config.max_size = NonZeroU32::new(100));
    let too_large = "Size must be a whole number from 1 to 100";
    for (path, status, message) in [
        ("/head/Gwendolin/101", 500, "Failed to render head"),
        ("/avatar/Gwendolin/left/101", 500, "Failed to render avatar"),
        ("/v1/avatar/Gwendolin?size=101", 400, too_large),
        ("/v1/cape/Gwendolin?size=101", 400, too_large),
    ] {
        assert_error(&server.get(path), status, message);
    }
    assert_eq!(server.upstream.total_calls(), 0);
    let knight = skin("knight").png;
    let refused = server.post("/preview/head/101", knight);
    assert_error(&refused, 400, too_large);
    for path in "/head/Gwendolin/100 /avatar/Gwendolin/left/100 /skin/Gwendolin".split(' ') {
        server.ok(path);
    }
}

#[test]
fn what_a_client_that_leaves_asked_for_is_not_drawn() {
    let server = Server::start();
    let jobs = || server.metric("effigy_work_running") + server.metric("effigy_work_waiting");
    // More than there are drawing threads, each for many seconds.
    let pictures = (15_000..15_008).map(|size| {
        let path = format!("/avatar/UvClassic/left/{size}");
        let last = request(server.address(), "GET", &path, &[]);
        // A further request that waits hides the end of the connection.
        let first = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").repeat(size % 2);
        (first + &last).into_bytes()
    });
    let knight = skin("knight").png;
    let head = format!(
        "POST /preview/avatar/left/15000 HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n",
        knight.len()
    );
    let previews = [(); 4].map(|()| [head.as_bytes(), knight].concat());
    let send = |request: Vec<u8>| send_raw(server.address(), &request);
    let clients: Vec<_> = pictures.chain(previews).map(send).collect();
    until("they are drawn", || jobs() >= 12.0);
    drop(clients);
    let left = Instant::now();
    until("the drawings end", || jobs() <= 0.0);
    assert_within(Duration::from_secs(3), left);
    server.ok("/avatar/UvClassic/left/64");
    let drawn = "effigy_render_duration_seconds_count{endpoint=\"avatar\"}";
    assert_eq!(server.metric(drawn), 1.0);
}

#[test]
fn dragging_the_figure_for_minutes_is_never_refused() {
    let server = Server::start_with(|settings| {
        // What a client has by default, without what it gets back in those minutes.
        let rates = settings.rates();
        rates.drawing = Rate::new(10_000, Duration::from_secs(3_600_000));
        rates.calls = Rate::new(10, Duration::from_secs(3600));
    });
    // A third of the pictures of five minutes, and of what a client has, in the steps of the page's sliders.
    for number in 0..1_000 {
        let (yaw, pitch) = (number % 72 * 5 - 180, number / 72 * 5 - 90);
        let path = format!("/v1/figure/Gwendolin?fit=turn&size=192&yaw={yaw}&pitch={pitch}");
        let reply = server.ask("GET", &path, &[GREEDY]);
        assert_eq!(reply.status, 200, "{path}");
    }
}
