//! `RateLimit` and `RateLimit-Policy`, which say what is left of a client's rates.

use std::time::Duration;

use effigy_service::Rate;
use fixtures::{client::Reply, skin};

use crate::support::{GREEDY, Server};

const HOUR: Duration = Duration::from_secs(3600);

/// The value of a parameter of one policy in `RateLimit`, whose value has items such as
/// `"calls";r=0;t=3600`.
fn parameter(header: &str, policy: &str, name: &str) -> u64 {
    let quoted_policy = format!("\"{policy}\";");
    let mut items = header.split(", ");
    let item = items.find(|item| item.starts_with(&quoted_policy)).unwrap();
    let name_and_sign = format!("{name}=");
    let mut parameters = item.split(';');
    let value = parameters.find_map(|parameter| parameter.strip_prefix(&*name_and_sign));
    value.unwrap().parse().unwrap()
}

/// A server that gives each client this many calls an hour, and half a minute of drawing.
fn server_with_calls(calls: u32) -> Server {
    Server::start_with(|settings| {
        settings.rates().drawing = Rate::new(30_000, HOUR);
        settings.rates().calls = Rate::new(calls, HOUR);
    })
}

#[test]
fn a_refusal_says_what_is_left_of_each_rate() {
    let server = server_with_calls(2);
    let get = |path: &str| server.ask("GET", path, &[GREEDY]);
    assert_eq!(get("/v1/face/Gwendolin").status, 200);
    let refusal = get("/v1/face/Reynard");
    assert_eq!(refusal.status, 429);
    let policy = refusal.header("ratelimit-policy").unwrap();
    let drawing = r#""drawing";q=30000;w=3600;qu="milliseconds""#;
    let calls = r#""calls";q=2;w=3600;qu="calls""#;
    assert_eq!(policy, format!("{drawing}, {calls}"));
    let limit = refusal.header("ratelimit").unwrap();
    assert_eq!(parameter(limit, "calls", "r"), 0);
    assert!((3_000..=3_600).contains(&parameter(limit, "calls", "t")));
    assert!((29_000..30_000).contains(&parameter(limit, "drawing", "r")));
}

fn tells_limit(reply: &Reply) -> bool {
    reply.header("ratelimit").is_some()
}

#[test]
fn private_responses_say_what_is_left() {
    let server = server_with_calls(900);
    let error = server.ask("GET", "/v1/face/Gwendolin?size=x", &[GREEDY]);
    assert!(tells_limit(&error));
    let refresh = server.ask("POST", "/v1/refresh/Gwendolin", &[GREEDY]);
    assert!(tells_limit(&refresh));
    let preview = server.post_with("/v1/preview/face", &[GREEDY], skin("uv_classic").png);
    assert_eq!(preview.status, 200);
    assert!(tells_limit(&preview));
}

#[test]
fn responses_that_caches_may_share_do_not_say_what_is_left() {
    let server = server_with_calls(900);
    for path in ["/v1/face/Gwendolin", "/v1/face/Nobody", "/docs"] {
        let reply = server.ask("GET", path, &[GREEDY]);
        assert!(!tells_limit(&reply), "{path}");
    }
}

#[test]
fn a_peer_that_may_be_a_proxy_has_no_rates() {
    let server = server_with_calls(900);
    assert!(!tells_limit(&server.get("/v1/face/Gwendolin?size=x")));
}
