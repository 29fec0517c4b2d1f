//! One client that asks for more than its rates. What it is refused, others get.

use std::{
    thread,
    time::{Duration, Instant},
};

use effigy_service::Rate;
use fixtures::{assert_within, client::Reply, skin};

use crate::support::{GREEDY, OTHER, Server, assert_error};

const HOUR: Duration = Duration::from_secs(3600);

fn refused(server: &Server, resource: &str) -> f64 {
    server.metric(&format!("effigy_refused_total{{resource=\"{resource}\"}}"))
}

#[track_caller]
fn assert_refused(reply: &Reply, limit: &str) {
    let message = format!("Too many requests: your limit for {limit} is reached; try again later");
    assert_error(reply, 429, &message);
    assert_eq!(reply.json()["code"], "rate_limited");
    assert!(reply.header("retry-after").is_some());
}

#[test]
fn the_page_pays_for_its_player() {
    let server = Server::start_with(|settings| {
        // A name takes two calls, of which a missing one gives one back.
        settings.rates().calls = Rate::new(4, HOUR);
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
    says(
        "Reynard",
        GREEDY,
        "your limit for calls to other services is reached",
    );
    // A known player costs nothing.
    says("Gwendolin", GREEDY, "Showing Gwendolin (Java).");
    assert_eq!(server.upstream.total_calls(), calls);
    says("Reynard", OTHER, "Showing Reynard (Java).");
}

#[test]
fn calls_of_one_client_are_limited() {
    let server = Server::start_with(|settings| {
        // Name and profile.
        settings.rates().calls = Rate::new(5 * 2, HOUR);
    });
    let get = |path: &str, client| server.ask("GET", path, &[client]);
    // Each picture of the specification is a fresh look-up.
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
        "/v1/head/Reynard?size=6",
        "/v1/profile/Reynard",
        "/minotar/helm/Reynard/6",
        // A player is known who is shown instead, but whether this one exists is not.
        "/v1/head/Nobody?size=6&default=Gwendolin",
    ] {
        assert_refused(&get(path, GREEDY), "calls to other services");
    }
    assert_eq!(refused(&server, "calls"), 5.0);
    assert_eq!(get("/health", GREEDY).status, 200);
    let calls = calls + 1;
    // The player is known for a minute, and the picture for an hour.
    for size in 1..=50 {
        let path = format!("/v1/head/Gwendolin?size={size}");
        assert_eq!(get(&path, GREEDY).status, 200);
    }
    let hit = face(1, GREEDY);
    assert_eq!(hit.header("x-cache"), Some("hit"));
    let known = [GREEDY, ("If-None-Match", hit.header("etag").unwrap())];
    assert_eq!(server.ask("GET", "/head/Gwendolin/1", &known).status, 304);
    assert_eq!(server.upstream.total_calls(), calls);
    for size in 6..=10 {
        assert_eq!(face(size, OTHER).status, 200);
    }
}

#[test]
fn one_client_has_half_of_an_upstreams_budget() {
    let server = Server::start_with(|settings| {
        settings.rates().calls = Rate::new(1_000, HOUR);
        settings.upstream.rate_limits.bedrock = Rate::new(40, HOUR);
    });
    let get = |gamertag: &str, address: &str| {
        let client = ("X-Forwarded-For", address);
        server.ask("GET", &format!("/v1/profile/.{gamertag}"), &[client])
    };
    // Each gamertag with an underscore takes three calls at most. A missing one takes two: with the
    // underscore, and with a space.
    let take = |network: &str| {
        let mut asked = 0;
        loop {
            let address = format!("2001:db8:{network}::{asked:x}");
            let reply = get(&format!("No_body{network}{asked}"), &address);
            if reply.status != 404 {
                assert_refused(&reply, "calls to other services");
                return asked;
            }
            asked += 1;
        }
    };
    assert_eq!(take("1:1"), 9);
    for gamertag in ["Bluejay", "SlimPocket"] {
        assert_eq!(get(gamertag, "192.0.2.7").status, 200, "{gamertag}");
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
    // A picture in the database is stored.
    assert_eq!(get("/avatar/Gwendolin/left/600", GREEDY).status, 200);
    assert!(refused(&server, "drawing") >= 3.0);
    // What is made once takes no work, and health is never refused.
    for path in "/docs /openapi.json /minecraft/mhf /assets/page.css /health".split(' ') {
        assert_eq!(get(path, GREEDY).status, 200, "{path}");
    }
    assert_eq!(get("/avatar/Gwendolin/left/601", OTHER).status, 200);
}

#[test]
fn previews_of_one_client_are_limited_and_delay_no_hits() {
    const CLIENTS: usize = 8;
    let server = Server::start_with(|settings| {
        // A millisecond, which the first preview uses up.
        settings.rates().drawing = Rate::new(1, HOUR);
    });
    let preview = |client| {
        let headers = [client, ("Accept-Encoding", "gzip")];
        server.post_with("/v1/preview/figure.svg", &headers, skin("uv_classic").png)
    };
    let hit = || server.ask("GET", "/head/Gwendolin/64", &[OTHER]);
    assert_eq!(hit().status, 200);
    let replies: Vec<Reply> = thread::scope(|scope| {
        let attack = || [(); 8].map(|()| preview(GREEDY));
        let attackers = [(); CLIENTS].map(|()| scope.spawn(attack));
        while !attackers.iter().all(thread::ScopedJoinHandle::is_finished) {
            let begun = Instant::now();
            assert_eq!(hit().header("x-cache"), Some("hit"));
            assert_within(Duration::from_secs(10), begun);
        }
        attackers
            .into_iter()
            .flat_map(|attacker| attacker.join().unwrap())
            .collect()
    });
    let (drawn, others): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
    // Whatever was sent before the first was drawn may be drawn as well.
    assert!((1..=CLIENTS).contains(&drawn.len()), "{}", drawn.len());
    assert!(others.iter().all(|reply| reply.status == 429));
    assert_eq!(refused(&server, "drawing"), others.len() as f64);
    let third = ("X-Forwarded-For", "192.0.2.3");
    assert_eq!(preview(third).status, 200);
}

/// The value of a parameter of one policy in `RateLimit` or `RateLimit-Policy`.
fn parameter(header: &str, policy: &str, name: &str) -> u64 {
    let item = header
        .split(", ")
        .find(|item| item.starts_with(&format!("\"{policy}\";")));
    let begin = format!("{name}=");
    let mut parameters = item.unwrap().split(';');
    let value = parameters.find_map(|parameter| parameter.strip_prefix(&*begin));
    value.unwrap().parse().unwrap()
}

#[test]
fn a_refusal_says_what_is_left_of_each_rate() {
    let server = Server::start_with(|settings| {
        settings.rates().drawing = Rate::new(30_000, HOUR);
        settings.rates().calls = Rate::new(2, HOUR);
    });
    let get = |path: &str| server.ask("GET", path, &[GREEDY]);
    assert_eq!(get("/v1/face/Gwendolin").status, 200);
    let refusal = get("/v1/face/Reynard");
    assert_eq!(refusal.status, 429);
    let policy = refusal.header("ratelimit-policy").unwrap();
    assert_eq!(
        policy,
        "\"drawing\";q=30000;w=3600;qu=\"milliseconds\", \"calls\";q=2;w=3600;qu=\"calls\""
    );
    let limit = refusal.header("ratelimit").unwrap();
    assert_eq!(parameter(limit, "calls", "r"), 0);
    assert!((3_000..=3_600).contains(&parameter(limit, "calls", "t")));
    assert!((29_000..30_000).contains(&parameter(limit, "drawing", "r")));
}

#[test]
fn only_private_responses_say_what_is_left() {
    let server = Server::start_with(|settings| {
        settings.rates().drawing = Rate::new(30_000, HOUR);
        settings.rates().calls = Rate::new(900, HOUR);
    });
    let get = |path: &str| server.ask("GET", path, &[GREEDY]);
    let has_limit = |reply: &Reply| reply.header("ratelimit").is_some();
    assert!(has_limit(&get("/v1/face/Gwendolin?size=x")));
    assert!(has_limit(&server.ask(
        "POST",
        "/v1/refresh/Gwendolin",
        &[GREEDY]
    )));
    let preview = server.post_with("/v1/preview/face", &[GREEDY], skin("uv_classic").png);
    assert_eq!(preview.status, 200);
    assert!(has_limit(&preview));
    // A shared cache may keep these.
    for path in ["/v1/face/Gwendolin", "/v1/face/Nobody", "/docs"] {
        assert!(!has_limit(&get(path)), "{path}");
    }
    // A peer that may be a proxy has no rates.
    assert!(!has_limit(&server.get("/v1/face/Gwendolin?size=x")));
}
