//! `effigy health`: asks a running service for its health.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use effigy_cli::HealthArgs;
use serde_json::Value;
use ureq::Agent;

use super::{print, server::reachable};

/// Asks the service on this machine for its health.
pub(crate) fn run(args: &HealthArgs) -> Result<()> {
    let address = reachable(SocketAddr::new(args.address.listen, args.address.port));
    let path = if args.live { "/livez" } else { "/health" };
    let config = Agent::config_builder()
        .timeout_global(Some(args.timeout))
        .http_status_as_error(false)
        .proxy(None)
        .build();
    let agent = config.new_agent();
    let mut answer = agent
        .get(format!("http://{address}{path}"))
        .call()
        .with_context(|| {
            format!(
                "nothing answers at {address}; start the service, or give its --listen and --port"
            )
        })?;
    let status = answer.status().as_u16();
    let report = if args.live && status == 200 {
        "the service answers".to_owned()
    } else {
        let body = answer.body_mut().read_to_string();
        summary(&body.context("the answer is cut off")?)
    };
    ensure!(
        status == 200,
        "the service is unhealthy: status {status}: {report}"
    );
    print(format!("{report}\n"))
}

/// Returns the fields of a report in one line.
fn summary(body: &str) -> String {
    let report: Value = serde_json::from_str(body).unwrap_or_default();
    let mut texts = Vec::new();
    for field in ["status", "message", "error"] {
        if let Some(text) = report[field].as_str() {
            texts.push(text);
        }
    }
    texts.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_one_line() {
        let red = r#"{"status":"red","message":"Health check failed","error":"why"}"#;
        assert_eq!(summary(red), "red: Health check failed: why");
        assert_eq!(
            summary(r#"{"status":"green","message":"fine"}"#),
            "green: fine"
        );
        assert_eq!(summary("<html>"), "");
    }
}
