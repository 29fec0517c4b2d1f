//! Responses in JSON: counts, the health report, the preset list.

use std::time::{Duration, Instant};

use bytes::Bytes;
use effigy_player::{Edition, PRESETS};
use effigy_service::HealthReport;
use effigy_store::HealthStatus;
use hyper::{StatusCode, header::CACHE_CONTROL};
use serde::{Serialize, Serializer};

use super::response::{Response, set, with_body};
use crate::metrics::Memory;

/// The caching of what only a new version changes.
const CONSTANT: &str = "public, max-age=3600";

/// A response in JSON that is not cached.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    let body =
        serde_json::to_vec(value).expect("no response has a map with keys that are not text");
    let mut response = with_body(status, "application/json", Bytes::from(body));
    set(&mut response, CACHE_CONTROL, "no-store");
    response
}

/// `{"<uuid>":"MHF_<name>",…}`, in the order of the table.
pub(crate) fn presets() -> Response {
    struct ByUuid;

    impl Serialize for ByUuid {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(PRESETS.iter().map(|preset| (preset.uuid, preset.name)))
        }
    }

    let mut response = json(StatusCode::OK, &ByUuid);
    set(&mut response, CACHE_CONTROL, CONSTANT);
    response
}

/// `{"edition":"java","count":N,"head":N}`. Existing clients read `head`.
pub(crate) fn count(edition: Edition, count: u64) -> Response {
    #[derive(Serialize)]
    struct Count {
        edition: &'static str,
        count: u64,
        head: u64,
    }

    let edition = edition.as_str();
    let head = count;
    let body = Count {
        edition,
        count,
        head,
    };
    json(StatusCode::OK, &body)
}

/// `[{"endpoint":"head","edition":"java","count":N},…]`, in the order given.
pub(crate) fn counts(counts: &[(Edition, u64)]) -> Response {
    #[derive(Serialize)]
    struct Row {
        endpoint: &'static str,
        edition: &'static str,
        count: u64,
    }

    let row = |&(edition, count): &(Edition, u64)| Row {
        endpoint: "head",
        edition: edition.as_str(),
        count,
    };
    json(StatusCode::OK, &counts.iter().map(row).collect::<Vec<_>>())
}

/// The health report, with status 503 if it is red.
pub(crate) fn health(report: &HealthReport, started: Instant) -> Response {
    match report.status {
        HealthStatus::Red => json(StatusCode::SERVICE_UNAVAILABLE, &Unhealthy::new(report)),
        _ => json(StatusCode::OK, &Healthy::new(report, started)),
    }
}

#[derive(Serialize)]
struct Healthy {
    status: &'static str,
    message: &'static str,
    timestamp: String,
    services: Services,
    uptime_seconds: u64,
    memory_usage: Option<Memory>,
    recent_checks: u32,
    response_time_avg: String,
    recent_summary: Summary,
}

#[derive(Serialize)]
struct Services {
    database: &'static str,
    external_apis: &'static str,
    response_time: String,
}

#[derive(Serialize)]
struct Summary {
    green: u32,
    yellow: u32,
    red: u32,
}

impl Healthy {
    fn new(report: &HealthReport, started: Instant) -> Self {
        let recent = report.recent;
        Self {
            status: report.status.as_str(),
            message: report.message,
            timestamp: timestamp(report),
            services: Services {
                database: report.database.as_str(),
                external_apis: report.external_apis.as_str(),
                response_time: millis(report.response_time),
            },
            uptime_seconds: started.elapsed().as_secs(),
            memory_usage: Memory::of_this_process(),
            recent_checks: recent.total(),
            response_time_avg: millis(recent.mean_response_time),
            recent_summary: Summary {
                green: recent.green,
                yellow: recent.yellow,
                red: recent.red,
            },
        }
    }
}

/// Spec, "Health".
#[derive(Serialize)]
struct Unhealthy {
    status: &'static str,
    message: &'static str,
    timestamp: String,
    error: &'static str,
    response_time: String,
}

impl Unhealthy {
    fn new(report: &HealthReport) -> Self {
        Self {
            status: report.status.as_str(),
            message: report.message,
            timestamp: timestamp(report),
            error: report.error.unwrap_or(report.message),
            response_time: millis(report.response_time),
        }
    }
}

fn timestamp(report: &HealthReport) -> String {
    humantime::format_rfc3339_millis(report.timestamp).to_string()
}

fn millis(time: Duration) -> String {
    format!("{}ms", time.as_millis())
}
