//! One client that asks for more than its share. What it is refused, others get.

use std::{
    io::Read,
    net::TcpStream,
    time::{Duration, Instant},
};

use effigy_http::Rate;
use fixtures::{
    client::{Reply, post, request, send_raw, try_get},
    skin,
};

use crate::support::{Server, assert_error};

const GREEDY: (&str, &str) = ("X-Forwarded-For", "192.0.2.1");
const OTHER: (&str, &str) = ("X-Forwarded-For", "192.0.2.2");
const HOUR: Duration = Duration::from_secs(3600);

fn refused(server: &Server, pool: &str) -> f64 {
    server.metric(&format!("effigy_refused_total{{pool=\"{pool}\"}}"))
}

#[test]
fn the_page_pays_for_its_player() {
    let server = Server::start_with(|settings| {
        settings.proxied().misses = Rate::new(2, HOUR);
    });
    let says = |player: &str, client, text: &str| {
        let page = server.ask("GET", &format!("/?player={player}"), &[client]);
        assert_eq!(page.status, 200, "{player}");
        let page = String::from_utf8(page.body).unwrap();
        assert!(page.contains(text), "{player}: {text}");
    };
    says("Gwendolin", GREEDY, "Showing Gwendolin (Java).");
    says("Nobody", GREEDY, "No Java player is named Nobody.");
    let calls = server.upstream.total_calls();
    says("Reynard", GREEDY, "Too many requests; try again later.");
    // A known player costs nothing.
    says("Gwendolin", GREEDY, "Showing Gwendolin (Java).");
    assert_eq!(server.upstream.total_calls(), calls);
    says("Reynard", OTHER, "Showing Reynard (Java).");
}

#[test]
fn misses_of_one_client_are_limited_and_hits_are_not() {
    let server = Server::start_with(|settings| {
        settings.proxied().misses = Rate::new(5, HOUR);
    });
    let get = |path: &str, client| server.ask("GET", path, &[client]);
    let face = |size: u32, client| get(&format!("/head/Gwendolin/{size}"), client);
    for size in 1..=5 {
        assert_eq!(face(size, GREEDY).status, 200);
    }
    let calls = server.upstream.total_calls();
    let refusal = face(6, GREEDY);
    assert_error(&refusal, 500, "Failed to render head");
    let pause: u64 = refusal.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=720).contains(&pause), "{pause}");
    for path in [
        "/v1/head/Gwendolin?size=6",
        "/v1/profile/Gwendolin",
        "/v1/cape/Gwendolin",
        "/minotar/helm/Gwendolin/6",
    ] {
        let refusal = get(path, GREEDY);
        assert_error(&refusal, 429, "Too many requests; try again later");
        assert!(refusal.header("retry-after").is_some(), "{path}");
    }
    // A health check looks a player up.
    assert_error(&get("/health", GREEDY), 500, "Health check failed");
    assert_eq!(server.upstream.total_calls(), calls);
    assert_eq!(refused(&server, "client misses"), 6.0);

    let hit = face(1, GREEDY);
    assert_eq!(hit.header("x-cache"), Some("hit"));
    let tag = hit.header("etag").unwrap();
    let known = [GREEDY, ("If-None-Match", tag)];
    assert_eq!(server.ask("GET", "/head/Gwendolin/1", &known).status, 304);
    for size in 6..=10 {
        assert_eq!(face(size, OTHER).status, 200);
    }
    assert_eq!(get("/health", ("X-Forwarded-For", "192.0.2.3")).status, 200);
}

#[test]
fn hits_in_the_database_cost_nothing_either() {
    let server = Server::start_with(|settings| {
        settings.service.memory_cache_bytes = 0;
        settings.proxied().misses = Rate::new(2, HOUR);
    });
    let face = |size: u32| server.ask("GET", &format!("/head/Gwendolin/{size}"), &[GREEDY]);
    assert_eq!(face(1).header("x-cache"), Some("miss"));
    for _ in 0..10 {
        assert_eq!(face(1).header("x-cache"), Some("hit"));
    }
    assert_eq!(face(2).header("x-cache"), Some("miss"));
    assert_error(&face(3), 500, "Failed to render head");
    for size in [1, 2] {
        assert_eq!(face(size).header("x-cache"), Some("hit"));
    }
    let profile = server.ask("GET", "/v1/profile/Gwendolin", &[OTHER]);
    assert_eq!(profile.status, 200);
    let profile = server.ask("GET", "/v1/profile/Gwendolin", &[GREEDY]);
    assert_eq!(profile.header("x-cache"), Some("hit"));
}

#[test]
fn networks_are_one_client_in_ipv6() {
    let server = Server::start_with(|settings| {
        settings.proxied().misses = Rate::new(2, HOUR);
    });
    let face = |size: u32, address: &str| {
        let client = ("X-Forwarded-For", address);
        let reply = server.ask("GET", &format!("/head/Gwendolin/{size}"), &[client]);
        reply.status
    };
    assert_eq!(face(1, "2001:db8:1:2::1"), 200);
    assert_eq!(face(2, "2001:db8:1:2:ffff::2"), 200);
    assert_eq!(face(3, "2001:db8:1:2:3::3"), 500);
    assert_eq!(face(3, "2001:db8:1:3::3"), 200);
}

#[test]
fn a_private_peer_is_not_limited_unless_proxies_are_known() {
    let server = Server::start_with(|settings| {
        settings.clients.misses = Rate::new(1, HOUR);
        settings.clients.connections = Some(1);
    });
    let _open = TcpStream::connect(server.address()).unwrap();
    for size in 1..=10 {
        let reply = server.ask("GET", &format!("/head/Gwendolin/{size}"), &[GREEDY]);
        assert_eq!(reply.status, 200);
    }
}

#[test]
fn one_client_cannot_have_all_places_of_large_pictures() {
    let server = Server::start_with(|settings| {
        settings.proxied().large_pictures = Some(2);
    });
    let open = |size: u32, client| {
        let path = format!("/avatar/UvClassic/left/{size}");
        let request = request(server.address(), "GET", &path, &[client]);
        let mut stream = send_raw(server.address(), request.as_bytes());
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        (status[9..].to_vec(), stream)
    };
    let held = [20_000, 20_001].map(|size| open(size, GREEDY));
    assert!(held.iter().all(|(status, _)| status == b"200"));
    let (status, mut stream) = open(20_002, GREEDY);
    assert_eq!(status, b"500");
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    assert!(String::from_utf8_lossy(&rest).contains("retry-after: 1\r\n"));
    assert_eq!(refused(&server, "client large pictures"), 1.0);
    assert_eq!(open(20_003, OTHER).0, b"200");
    // A client that leaves gets its places back.
    drop(held);
    let patience = Instant::now() + Duration::from_secs(20);
    while open(20_004, GREEDY).0 != b"200" {
        assert!(Instant::now() < patience, "the places do not come back");
    }
}

#[test]
fn previews_of_one_client_are_limited() {
    let server = Server::start_with(|settings| {
        settings.clients.trusted_proxies = Some(Vec::new());
        settings.clients.previews = Rate::new(3, HOUR);
    });
    let draw = || post(server.address(), "/preview/head/16", skin("knight").png);
    for _ in 0..3 {
        assert_eq!(draw().status, 200);
    }
    let refusal: Reply = draw();
    assert_error(&refusal, 429, "Too many requests; try again later");
    assert!(refusal.header("retry-after").is_some());
    assert_eq!(refused(&server, "client previews"), 1.0);
}

#[test]
fn connections_of_one_client_are_limited() {
    let server = Server::start_with(|settings| {
        settings.clients.trusted_proxies = Some(Vec::new());
        settings.clients.connections = Some(3);
    });
    let request = "GET /minecraft/mhf HTTP/1.1\r\nHost: x\r\n\r\n";
    let open = || {
        let mut stream = send_raw(server.address(), request.as_bytes());
        let is_served = stream.read_exact(&mut [0; 12]).is_ok();
        is_served.then_some(stream)
    };
    let mut held: Vec<_> = (0..3).map(|_| open().unwrap()).collect();
    assert!(open().is_none());
    held.pop();
    let patience = Instant::now() + Duration::from_secs(20);
    while open().is_none() {
        assert!(Instant::now() < patience, "the place does not come back");
    }
    held.clear();
    let metrics = loop {
        // The server sees a little later that the others are closed.
        if let Some(reply) = try_get(server.address(), "/metrics") {
            break String::from_utf8(reply.body).unwrap();
        }
        assert!(Instant::now() < patience, "the places do not come back");
    };
    assert!(metrics.contains("effigy_refused_total{pool=\"client connections\"}"));
}
