//! Pictures that are drawn while they are sent, as many as the server allows.

use std::{
    io::Read,
    thread,
    time::{Duration, Instant},
};

use fixtures::client::{Connection, request, send_raw};

use crate::support::{Server, assert_error};

#[test]
fn long_pictures_are_few_and_leave_hits_and_memory_alone() {
    let server = Server::start();
    let in_flight = || server.metric("effigy_long_pictures_in_flight");
    let face = "/head/Gwendolin/128";
    server.get(face);
    let mut clients = Vec::new();
    let refused = loop {
        assert!(clients.len() < 100, "they have no end");
        // Of different sizes, since requests for one picture share it.
        let path = format!("/avatar/UvClassic/left/{}", 20_000 + clients.len());
        let request = request(server.address(), "GET", &path, &[]);
        let mut client = send_raw(server.address(), request.as_bytes());
        client.read_exact(&mut [0; 12]).unwrap();
        clients.push(client);
        if in_flight() < clients.len() as f64 {
            break clients.pop();
        }
    };
    drop(refused);
    // They read nothing.
    let mut connection = Connection::open(server.address()).unwrap();
    for _ in 0..100 {
        assert_eq!(connection.get(face).header("x-cache"), Some("hit"));
    }
    let memory = server.metric("process_resident_memory_bytes");
    assert!(memory < f64::from(512 << 20), "{memory} bytes");
    let more = server.get("/avatar/UvClassic/left/19999");
    assert_error(&more, 500, "Failed to render avatar");
    assert_eq!(more.header("retry-after"), Some("1"));
    drop(clients);
    let timeout = Instant::now() + Duration::from_secs(30);
    while in_flight() > 0.0 {
        assert!(Instant::now() < timeout, "the drawings never end");
        thread::sleep(Duration::from_millis(20));
    }
}
