//! `effigy health`: asks a running service for its health, for people and for containers.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use effigy_cli::HealthArgs;
use serde_json::Value;
use ureq::Agent;

use super::{print, serve::reachable};

/// Asks the service on this machine for its health.
pub(crate) fn run(args: &HealthArgs) -> Result<()> {
    let address = reachable(SocketAddr::new(args.address.listen, args.address.port));
    let path = if args.live { "/livez" } else { "/health" };
    let config = Agent::config_builder()
        .timeout_global(Some(args.timeout))
        .http_status_as_error(false)
        .proxy(None)
        .build();
    let url = format!("http://{address}{path}");
    let mut answer = config.new_agent().get(url).call().with_context(|| {
        format!("nothing answers at {address}; start the service, or give its --listen and --port")
    })?;
    let body = answer.body_mut().read_to_string();
    let report = if args.live {
        "the service answers".to_owned()
    } else {
        summary(&body.context("the answer breaks off")?)
    };
    let status = answer.status().as_u16();
    ensure!(
        status == 200,
        "the service is unhealthy: status {status}: {report}"
    );
    print(format!("{report}\n"))
}

/// Returns a report's fields in one line.
fn summary(body: &str) -> String {
    let report: Value = serde_json::from_str(body).unwrap_or_default();
    let fields = ["status", "message", "error"].map(|field| report[field].as_str());
    let texts: Vec<&str> = fields.into_iter().flatten().collect();
    texts.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_one_line() {
        let red = r#"{"status":"red","message":"Health check failed","error":"why"}"#;
        assert_eq!(summary(red), "red: Health check failed: why");
        assert_eq!(
            summary(r#"{"status":"green","message":"fine"}"#),
            "green: fine"
        );
        assert_eq!(summary("<html>"), "");
    }
}
