//! Reports about the service itself: counts, health and metrics.

use std::{sync::Arc, time::Duration};

use effigy_player::Edition;
use effigy_service::{HealthReport, Refreshed};
use effigy_store::HealthStatus;
use hyper::StatusCode;
use prometheus::TEXT_FORMAT;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{Call, Handled, Handlers};
use crate::respond::{Response, document::StaticDocument, json_response};

impl Handlers {
    /// Responds with the metrics.
    pub(super) async fn metrics(&self, call: &Call) -> Handled {
        let moment = self.service.metrics();
        let metrics = Arc::clone(&self.config.metrics);
        let make = move |_: &_| StaticDocument::new(TEXT_FORMAT, metrics.text(moment));
        let document = self.service.document(call.client, 0, make).await?;
        Ok(document.uncached_response(StatusCode::OK, &call.head.headers))
    }
}

/// Responds to a probe.
pub(super) fn probe(is_closing: bool) -> Response {
    if is_closing {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        return json_response(status, &json!({ "status": "shutting down" }));
    }
    json_response(StatusCode::OK, &json!({ "status": "ok" }))
}

/// Responds with `{"edition":"java","count":N,"head":N}`. Existing clients read `head`.
pub(super) fn count(edition: Edition, counts: &[(Edition, u64)]) -> Response {
    let row = counts.iter().find(|(counted, _)| *counted == edition);
    let count = row.map_or(0, |(_, count)| *count);
    let body = json!({ "edition": edition.as_str(), "count": count, "head": count });
    json_response(StatusCode::OK, &body)
}

/// Responds with `[{"endpoint":"head","edition":"java","count":N},…]`, in the order given.
pub(super) fn counts(counts: &[(Edition, u64)]) -> Response {
    let rows = counts.iter().map(|(edition, count)| {
        json!({ "endpoint": "head", "edition": edition.as_str(), "count": count })
    });
    json_response(StatusCode::OK, &rows.collect())
}

/// Responds with the health report, with status 503 if it is red. Spec, "Health".
pub(super) fn health(report: &HealthReport, started: Instant) -> Response {
    if report.status == HealthStatus::Red {
        return json_response(StatusCode::SERVICE_UNAVAILABLE, &unhealthy(report));
    }
    json_response(StatusCode::OK, &healthy(report, started))
}

fn unhealthy(report: &HealthReport) -> Value {
    let message = &report.message;
    json!({
        "status": report.status.as_str(),
        "message": message,
        "timestamp": timestamp(report),
        "error": report.error.unwrap_or(message),
        "response_time": millis(report.response_time),
    })
}

fn healthy(report: &HealthReport, started: Instant) -> Value {
    let recent = report.recent;
    let words = HealthStatus::WORDS.iter().copied();
    json!({
        "status": report.status.as_str(),
        "message": report.message,
        "timestamp": timestamp(report),
        "services": {
            "database": report.database.as_str(),
            "external_apis": report.external_apis.as_str(),
            "response_time": millis(report.response_time),
            "ping_age": format!("{}s", report.ping_age.as_secs()),
        },
        "uptime_seconds": started.elapsed().as_secs(),
        "memory_usage": memory(),
        "recent_checks": recent.total(),
        "response_time_avg": millis(recent.mean_response_time),
        "recent_summary": words.zip(recent.by_status).collect::<Value>(),
    })
}

fn timestamp(report: &HealthReport) -> String {
    humantime::format_rfc3339_millis(report.timestamp).to_string()
}

/// Responds with the profile of a player after a check, and with whether it has changed.
pub(super) fn refreshed(refreshed: &Refreshed) -> Response {
    let mut body = refreshed.profile.clone();
    body["changed"] = refreshed.changed.into();
    json_response(StatusCode::OK, &body)
}

fn millis(time: Duration) -> String {
    format!("{}ms", time.as_millis())
}

/// Returns the memory of this process in MB, to a tenth, if the system reports it.
///
/// The kernel knows these numbers; reading an allocator's needs unsafe code. `used` is the resident
/// anonymous memory (heap and stacks), and `total` is all resident memory with the program's code.
#[cfg(target_os = "linux")]
fn memory() -> Option<Value> {
    let status = procfs::process::Process::myself().ok()?.status().ok()?;
    let megabytes = |kilobytes: u64| (kilobytes as f64 / 1024.0 * 10.0).round() / 10.0;
    Some(json!({
        "used": megabytes(status.rssanon?),
        "total": megabytes(status.vmrss?),
    }))
}

#[cfg(not(target_os = "linux"))]
const fn memory() -> Option<Value> {
    None
}
