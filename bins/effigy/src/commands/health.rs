//! `effigy health`: asks a running service for its health, for people and for containers.

use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use effigy_cli::HealthArgs;
use serde_json::Value;

use super::{print_line, server::reachable};

/// A path that the service answers without the help of others.
const LIVE: &str = "/minecraft/mhf";

/// The longest answer that is read. A report is far shorter.
const MAX_ANSWER_BYTES: u64 = 1 << 16;

/// Asks the service on this machine for its health.
pub(crate) fn health(args: &HealthArgs) -> Result<()> {
    let address = reachable(args.address.socket());
    let path = if args.live { LIVE } else { "/health" };
    let answer = get(address, path, args.timeout).with_context(|| {
        format!("nothing answers at {address}; start the service, or give its --listen and --port")
    })?;
    let (status, body) = parse(&answer)
        .with_context(|| format!("the program that answers at {address} is not effigy"))?;
    let report = match args.live {
        true => "the service answers".to_owned(),
        false => summary(body),
    };
    ensure!(
        status == "200",
        "the service is unhealthy: status {status}: {report}"
    );
    print_line(&report)
}

fn get(address: SocketAddr, path: &str, timeout: Duration) -> io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, timeout)?;
    stream.set_read_timeout(Some(timeout))?;
    // HTTP/1.0, because its answer ends with the connection.
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.take(MAX_ANSWER_BYTES).read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// Splits an HTTP answer into status and body.
fn parse(answer: &str) -> Option<(&str, &str)> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.strip_prefix("HTTP/1.")?.split(' ').nth(1)?;
    Some((status, body))
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
    fn answers_are_parsed() {
        let rows = [
            ("HTTP/1.1 200 OK\r\na: b\r\n\r\n{}", Some(("200", "{}"))),
            ("HTTP/1.0 503 x\r\n\r\n", Some(("503", ""))),
            ("HTTP/1.1 200 OK\r\n", None),
            ("SSH-2.0-OpenSSH\r\n\r\n", None),
            ("", None),
        ];
        for (answer, expected) in rows {
            assert_eq!(parse(answer), expected);
        }
    }

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
