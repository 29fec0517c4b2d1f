//! `/metrics`, and the documents about metrics.

use fixtures::client::ask;
use fixtures::{Fault, Step};

use crate::support::documents::read;
use crate::support::{LOG_TO_FILE, Server, text};

#[test]
fn the_metrics_can_have_an_address_of_their_own() {
    let arguments = [&LOG_TO_FILE[..], &["--metrics-listen", "127.0.0.1:0"]].concat();
    let server = Server::start_with(&arguments);
    assert_eq!(server.get("/metrics").status, 404);
    let log = server.log();
    let mut words = log.split_whitespace();
    let url = words.find(|word| word.ends_with("/metrics")).unwrap();
    let address = url.strip_prefix("http://").unwrap();
    let address = address.strip_suffix("/metrics").unwrap();
    let get = |path| ask(address, "GET", path, &[]);
    let metrics = text(&get("/metrics").body);
    assert!(metrics.contains("effigy_requests_total{route=\"metrics\",status=\"404\"} 1"));
    for path in ["/", "/head/Gwendolin", "/head/Nobody"] {
        assert_eq!(get(path).status, 404, "{path}");
    }
    assert_eq!(get("/livez").status, 200);
    assert_eq!(get("/readyz").status, 200);
    let posted = ask(address, "POST", "/metrics", &[]);
    assert_eq!(posted.status, 405);
    assert_eq!(server.upstream.total_calls(), 0);
}

/// The program counts the calls. The tests of the HTTP surface have the metrics of the service.
#[test]
fn calls_are_counted_by_their_outcome() {
    let server = Server::start();
    for (status, path) in [
        (None, "/head/Gwendolin"),
        (None, "/head/Nobody"),
        (Some(503), "/head/Reynard"),
        (Some(429), "/head/Servo"),
    ] {
        let fault = status.map(Fault::status);
        server.upstream.set_fault(Step::Identity, fault);
        server.get(path);
    }
    for labels in [
        "outcome='ok',provider='textures',step='texture'",
        "outcome='not_found',provider='mojang',step='identity'",
        "outcome='server_error',provider='mojang',step='identity'",
        "outcome='limited',provider='mojang',step='identity'",
    ] {
        let labels = labels.replace('\'', "\"");
        let name = format!("effigy_upstream_request_duration_seconds_count{{{labels}}}");
        assert_eq!(server.metric(&name), 1.0, "{name}");
    }
}

/// An alert on a metric that doesn't exist never fires.
#[test]
fn alerts_and_documents_name_metrics_that_exist() {
    let server = Server::start_with(&["--java-identity-limit", "600/10m"]);
    server.get("/head/Gwendolin");
    server.get("/head/Nobody");
    let metrics = text(&server.get("/metrics").body);
    let alerts = read("docs/deploy/alerts.yml");
    let words_of_alerts = alerts.split(|c: char| !c.is_ascii_lowercase() && c != '_');
    let operations = read("docs/operations.md");
    let quoted_words = operations.split('`').skip(1).step_by(2);
    let mut count = 0;
    for name in words_of_alerts.chain(quoted_words) {
        if !name.starts_with("effigy_") {
            continue;
        }
        let with_labels = format!("\n{name}{{");
        let without_labels = format!("\n{name} ");
        let exists = metrics.contains(&with_labels) || metrics.contains(&without_labels);
        assert!(exists, "{name}");
        count += 1;
    }
    assert!(count >= 9, "{count}");
}
