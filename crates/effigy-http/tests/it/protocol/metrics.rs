//! The metrics of requests, and of what they cause.

use crate::support::{Server, unzipped};
use fixtures::{Fault, Step};

#[test]
fn requests_and_look_ups_are_counted_by_their_outcome() {
    let server = Server::start();
    for path in "/head/Gwendolin /head/Gwendolin /head/Nobody /nowhere".split(' ') {
        server.get(path);
    }
    for (fault, path) in [(503, "/head/Reynard"), (429, "/head/Servo")] {
        server
            .upstream
            .set_fault(Step::Identity, Some(Fault::status(fault)));
        server.get(path);
    }
    let packed = server.ask("GET", "/metrics", &[("Accept-Encoding", "gzip")]);
    assert_eq!(packed.header("cache-control"), Some("no-store"));
    let kind = packed.header("content-type").unwrap();
    assert!(kind.starts_with("text/plain; version="), "{kind}");
    let text = String::from_utf8(unzipped(&packed)).unwrap();
    let build = format!("build_info{{version='{}'}} 1", env!("CARGO_PKG_VERSION"));
    for sample in [
        build.as_str(),
        "requests_total{route='head',status='200'} 2",
        "requests_total{route='head',status='500'} 3",
        "requests_total{route='other',status='404'} 1",
        "request_duration_seconds_count{cache='hit'} 1",
        "request_duration_seconds_count{cache='miss'} 1",
        "request_duration_seconds_count{cache='none'} 4",
        "render_duration_seconds_count{endpoint='head'} 1",
        "resolve_duration_seconds_count{outcome='ok'} 2",
        "resolve_duration_seconds_count{outcome='error'} 3",
        "database_read_duration_seconds_count{outcome='ok'} 4",
        "upstream_calls_in_flight{provider='mojang',upstream='session'} 0",
        "upstream_paused{provider='textures',upstream='texture'} 0",
        "upstream_paused{provider='mojang',upstream='identity_legacy'} 1",
        "misses_in_flight 0",
    ] {
        let line = format!("\neffigy_{}\n", sample.replace('\'', "\""));
        assert!(text.contains(&line), "{line} in {text}");
    }
    // The one of this request; others may be about to close.
    assert!(server.metric("effigy_connections") >= 1.0);
    #[cfg(target_os = "linux")]
    assert!(server.metric("process_resident_memory_bytes") > 0.0);
}
