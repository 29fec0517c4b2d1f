//! Pictures that take long: larger than the operator wants, or for clients that have left.

use std::{
    net::TcpStream,
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

/// A server that draws pictures of at most 100 pixels.
fn server_for_small_pictures() -> Server {
    Server::start_with(|settings| settings.config.max_size = NonZeroU32::new(100))
}

#[test]
fn a_size_above_the_operators_maximum_is_refused() {
    let server = server_for_small_pictures();
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
    let refused = server.post("/preview/head/101", skin("knight").png);
    assert_error(&refused, 400, too_large);
}

#[test]
fn the_operators_maximum_itself_is_drawn() {
    let server = server_for_small_pictures();
    for path in [
        "/head/Gwendolin/100",
        "/avatar/Gwendolin/left/100",
        "/skin/Gwendolin",
    ] {
        server.ok(path);
    }
}

/// Asks for a picture that takes many seconds to draw. With `pipelined`, another request waits
/// behind it, which hides the end of the connection from hyper.
fn ask_for_huge_picture(server: &Server, size: u32, pipelined: bool) -> TcpStream {
    let path = format!("/avatar/UvClassic/left/{size}");
    let last = request(server.address(), "GET", &path, &[]);
    let requests = if pipelined {
        format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n{last}")
    } else {
        last
    };
    send_raw(server.address(), requests.as_bytes())
}

/// Uploads a skin for a preview that takes many seconds to draw.
fn upload_for_huge_preview(server: &Server) -> TcpStream {
    let knight = skin("knight").png;
    let length = knight.len();
    let head = format!(
        "POST /preview/avatar/left/15000 HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n"
    );
    send_raw(server.address(), &[head.as_bytes(), knight].concat())
}

/// The number of jobs that are drawn, or wait for a drawing thread.
fn drawing_jobs(server: &Server) -> f64 {
    server.metric("effigy_work_running") + server.metric("effigy_work_waiting")
}

#[test]
fn drawing_ends_when_its_clients_leave() {
    let server = Server::start();
    // More than there are drawing threads.
    let mut clients = Vec::new();
    for size in 15_000..15_004 {
        clients.push(ask_for_huge_picture(&server, size, false));
        clients.push(ask_for_huge_picture(&server, size + 100, true));
        clients.push(upload_for_huge_preview(&server));
    }
    until("all are drawn or wait", || drawing_jobs(&server) >= 12.0);
    drop(clients);
    let left = Instant::now();
    until("the drawings end", || drawing_jobs(&server) <= 0.0);
    assert_within(Duration::from_secs(3), left);

    server.ok("/avatar/UvClassic/left/64");
    let drawn = "effigy_render_duration_seconds_count{endpoint=\"avatar\"}";
    assert_eq!(server.metric(drawn), 1.0, "no huge picture was finished");
}

/// A tenth of the pictures of five minutes, in the steps of the page's sliders, with a tenth of the
/// drawing that a client has by default, and without what it regains in those minutes.
#[test]
fn dragging_the_figure_for_minutes_is_never_refused() {
    let server = Server::start_with(|settings| {
        let rates = settings.rates();
        rates.drawing = Rate::new(3_000, Duration::from_secs(3_600_000));
        rates.calls = Rate::new(10, Duration::from_secs(3600));
    });
    for number in 0..300 {
        let yaw = number % 72 * 5 - 180;
        let pitch = number / 72 * 5 - 90;
        let path = format!("/v1/figure/Gwendolin?fit=turn&size=192&yaw={yaw}&pitch={pitch}");
        let reply = server.ask("GET", &path, &[GREEDY]);
        assert_eq!(reply.status, 200, "{path}");
    }
}
