//! One client that asks for more than its rates allow. Others are answered meanwhile.

use std::{
    thread::{self, ScopedJoinHandle},
    time::{Duration, Instant},
};

use effigy_service::Rate;
use fixtures::{assert_within, client::Reply, skin};

use crate::support::{GREEDY, OTHER, Server, assert_error};

const HOUR: Duration = Duration::from_secs(3600);

/// The number of requests that were refused for a resource.
fn refusals(server: &Server, resource: &str) -> f64 {
    server.metric(&format!("effigy_refused_total{{resource=\"{resource}\"}}"))
}

#[track_caller]
fn assert_refused(reply: &Reply, limit: &str) {
    let message = format!("Too many requests: your limit for {limit} is reached; try again later");
    assert_error(reply, 429, &message);
    assert_eq!(reply.json()["code"], "rate_limited");
    assert!(reply.header("retry-after").is_some());
}

/// Asserts that the page for a player says this to a client.
#[track_caller]
fn assert_page_says(server: &Server, client: (&str, &str), player: &str, text: &str) {
    let reply = server.ask("GET", &format!("/?player={player}"), &[client]);
    assert_eq!(reply.status, 200, "{player}");
    let page = String::from_utf8(reply.body).unwrap();
    assert!(page.contains(text), "{player}: {text}");
}

#[test]
fn the_page_is_charged_for_its_player() {
    let server = Server::start_with(|settings| {
        // A name takes two calls. A missing player gives one of them back.
        settings.rates().calls = Rate::new(4, HOUR);
    });
    assert_page_says(&server, GREEDY, "Gwendolin", "Showing Gwendolin (Java).");
    assert_page_says(&server, GREEDY, "Nobody", "No Java player is named Nobody.");
    let calls = server.upstream.total_calls();
    let refusal = "your limit for calls to other services is reached";
    assert_page_says(&server, GREEDY, "Reynard", refusal);
    // A known player costs nothing.
    assert_page_says(&server, GREEDY, "Gwendolin", "Showing Gwendolin (Java).");
    assert_eq!(server.upstream.total_calls(), calls);
    assert_page_says(&server, OTHER, "Reynard", "Showing Reynard (Java).");
}

/// A server at which the greedy client has used up its calls for the head of Gwendolin in the sizes
/// 1 to 5.
fn server_without_calls() -> Server {
    let server = Server::start_with(|settings| {
        // Each look-up takes a call for the name and one for the profile.
        settings.rates().calls = Rate::new(5 * 2, HOUR);
    });
    for size in 1..=5 {
        assert_eq!(specified_head(&server, size, GREEDY).status, 200);
    }
    server
}

/// A picture of the specification, each of which takes a fresh look-up.
fn specified_head(server: &Server, size: u32, client: (&str, &str)) -> Reply {
    server.ask("GET", &format!("/head/Gwendolin/{size}"), &[client])
}

#[test]
fn a_client_without_calls_is_refused_on_every_route() {
    let server = server_without_calls();
    let refusal = specified_head(&server, 6, GREEDY);
    assert_error(&refusal, 500, "Failed to render head");
    let pause: u64 = refusal.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=720).contains(&pause), "{pause}");
    for path in [
        "/v1/head/Reynard?size=6",
        "/v1/profile/Reynard",
        "/minotar/helm/Reynard/6",
        // The default player is known, but nobody knows whether this one exists.
        "/v1/head/Nobody?size=6&default=Gwendolin",
    ] {
        assert_refused(
            &server.ask("GET", path, &[GREEDY]),
            "calls to other services",
        );
    }
    assert_eq!(refusals(&server, "calls"), 5.0);
}

#[test]
fn a_client_without_calls_still_gets_all_that_takes_none() {
    let server = server_without_calls();
    let get = |path: &str| server.ask("GET", path, &[GREEDY]);
    assert_eq!(get("/health").status, 200);
    let calls = server.upstream.total_calls();
    // The player is known for a minute, and the picture for an hour.
    for size in 1..=50 {
        assert_eq!(get(&format!("/v1/head/Gwendolin?size={size}")).status, 200);
    }
    let hit = specified_head(&server, 1, GREEDY);
    assert_eq!(hit.header("x-cache"), Some("hit"));
    let unchanged = [GREEDY, ("If-None-Match", hit.header("etag").unwrap())];
    let reply = server.ask("GET", "/head/Gwendolin/1", &unchanged);
    assert_eq!(reply.status, 304);
    assert_eq!(server.upstream.total_calls(), calls);
}

#[test]
fn other_clients_have_calls_of_their_own() {
    let server = server_without_calls();
    for size in 6..=10 {
        assert_eq!(specified_head(&server, size, OTHER).status, 200);
    }
}

/// Asks for a gamertag from this address.
fn ask_for_gamertag(server: &Server, gamertag: &str, address: &str) -> Reply {
    let client = ("X-Forwarded-For", address);
    server.ask("GET", &format!("/v1/profile/.{gamertag}"), &[client])
}

/// The number of missing gamertags that a network of many addresses may look up before it is
/// refused.
fn look_ups_before_refusal(server: &Server, network: &str) -> u32 {
    for asked in 0.. {
        let address = format!("{network}::{asked:x}");
        let reply = ask_for_gamertag(server, &format!("No_body{asked}"), &address);
        if reply.status != 404 {
            assert_refused(&reply, "calls to other services");
            return asked;
        }
    }
    unreachable!("the loop has no end")
}

#[test]
fn one_client_has_half_of_an_upstreams_budget() {
    let server = Server::start_with(|settings| {
        settings.rates().calls = Rate::new(1_000, HOUR);
        settings.upstream.rate_limits.bedrock = Rate::new(40, HOUR);
    });
    // A gamertag with an underscore is charged three calls, and a missing one takes two of them:
    // with the underscore, and with a space. After nine, 18 of 20 calls are gone.
    assert_eq!(look_ups_before_refusal(&server, "2001:db8:1:1"), 9);
    for gamertag in ["Bluejay", "SlimPocket"] {
        let reply = ask_for_gamertag(&server, gamertag, "192.0.2.7");
        assert_eq!(reply.status, 200, "{gamertag}");
    }
}

#[test]
fn drawing_of_one_client_is_limited() {
    let server = Server::start_with(|settings| {
        settings.service.memory_cache_bytes = 0;
        // A millisecond, which the first picture uses up.
        settings.rates().drawing = Rate::new(1, HOUR);
    });
    let get = |path: &str, client| server.ask("GET", path, &[client]);
    assert_eq!(get("/avatar/Gwendolin/left/600", GREEDY).status, 200);
    let refusal = get("/avatar/Gwendolin/left/601", GREEDY);
    assert_error(&refusal, 500, "Failed to render avatar");
    assert!(refusal.header("retry-after").is_some());
    // The page is made for each visitor.
    for path in ["/v1/avatar/Gwendolin?size=602", "/"] {
        assert_refused(&get(path, GREEDY), "drawing");
    }
    assert!(refusals(&server, "drawing") >= 3.0);
    assert_eq!(get("/avatar/Gwendolin/left/601", OTHER).status, 200);
}

#[test]
fn a_client_without_drawing_gets_all_that_is_made_already() {
    let server = Server::start_with(|settings| {
        settings.service.memory_cache_bytes = 0;
        settings.rates().drawing = Rate::new(1, HOUR);
    });
    let get = |path: &str| server.ask("GET", path, &[GREEDY]);
    let stored = "/avatar/Gwendolin/left/600";
    assert_eq!(get(stored).status, 200);
    assert_refused(&get("/v1/avatar/Gwendolin?size=602"), "drawing");
    for path in [
        stored,
        "/docs",
        "/openapi.json",
        "/minecraft/mhf",
        "/assets/page.css",
        // Health is never refused.
        "/health",
    ] {
        assert_eq!(get(path).status, 200, "{path}");
    }
}

/// The number of clients that send previews at once.
const ATTACKERS: usize = 8;

/// Uploads a skin for a preview.
fn ask_for_preview(server: &Server, client: (&str, &str)) -> Reply {
    let headers = [client, ("Accept-Encoding", "gzip")];
    let path = "/v1/preview/figure.svg";
    server.post_with(path, &headers, skin("uv_classic").png)
}

/// Sends eight previews on each of eight connections, and calls `meanwhile` until all are answered.
fn flood_with_previews(server: &Server, meanwhile: impl Fn()) -> Vec<Reply> {
    let attack = || [(); 8].map(|()| ask_for_preview(server, GREEDY));
    thread::scope(|scope| {
        let attackers = [(); ATTACKERS].map(|()| scope.spawn(attack));
        while !attackers.iter().all(ScopedJoinHandle::is_finished) {
            meanwhile();
        }
        let replies = attackers.map(|attacker| attacker.join().unwrap());
        replies.into_iter().flatten().collect()
    })
}

/// A server on which one preview uses up the drawing of a client.
fn server_for_one_preview() -> Server {
    Server::start_with(|settings| settings.rates().drawing = Rate::new(1, HOUR))
}

#[test]
fn previews_of_one_client_are_limited() {
    let server = server_for_one_preview();
    let replies = flood_with_previews(&server, || thread::sleep(Duration::from_millis(10)));
    let drawn = replies.iter().filter(|reply| reply.status == 200).count();
    let refused = replies.iter().filter(|reply| reply.status == 429).count();
    // All that are sent before the first one is drawn may be drawn as well.
    assert!((1..=ATTACKERS).contains(&drawn), "{drawn}");
    assert_eq!(drawn + refused, replies.len());
    assert_eq!(refusals(&server, "drawing"), refused as f64);
    assert_eq!(ask_for_preview(&server, OTHER).status, 200);
}

#[test]
fn previews_of_one_client_delay_no_hits() {
    let server = server_for_one_preview();
    let hit = || server.ask("GET", "/head/Gwendolin/64", &[OTHER]);
    assert_eq!(hit().status, 200);
    flood_with_previews(&server, || {
        let begun = Instant::now();
        assert_eq!(hit().header("x-cache"), Some("hit"));
        assert_within(Duration::from_secs(10), begun);
    });
}
