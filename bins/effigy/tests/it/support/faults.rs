//! The ways in which an upstream fails.

use std::time::Duration;

use fixtures::Fault;

/// The faults, by their names.
pub(crate) fn faults() -> Vec<(&'static str, Fault)> {
    let status = |code, retry_after| Fault::Status { code, retry_after };
    let elsewhere = "http://127.0.0.1:1/".to_owned();
    vec![
        ("slow, but in time", Fault::Slow(Duration::from_millis(20))),
        ("no answer", Fault::Hang),
        ("connection closed", Fault::Drop),
        ("400, HTML", status(400, None)),
        ("403", status(403, None)),
        ("403 of the legacy form", legacy(status(403, None))),
        ("404, HTML", status(404, None)),
        ("404, HTML, of the legacy form", legacy(status(404, None))),
        ("410 of the legacy form", legacy(status(410, None))),
        ("429", status(429, None)),
        ("429 with `Retry-After`", status(429, Some(1))),
        ("500", status(500, None)),
        ("503", status(503, None)),
        ("200, HTML", Fault::NotJson),
        ("200, a JPEG", Fault::WrongPng),
        ("200, a body without an end", Fault::EndlessBody),
        ("200, half a body", Fault::TruncatedBody),
        ("302", Fault::Redirect(elsewhere)),
    ]
}

fn legacy(fault: Fault) -> Fault {
    Fault::LegacyForm(Box::new(fault))
}
