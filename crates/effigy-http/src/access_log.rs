//! The access log: one line for each request.

use std::{
    borrow::Cow,
    io::{BufWriter, Write},
    net::IpAddr,
    time::{Duration, SystemTime},
};

use hyper::{
    Method,
    header::{HeaderName, REFERER, USER_AGENT},
    http::request::Parts,
};
use percent_encoding::{CONTROLS, utf8_percent_encode};
use serde_json::json;
use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, NonBlockingBuilder, WorkerGuard};

use crate::respond::{Response, cache_status};

/// The number of lines that may wait to be written. If the output is too slow, lines are lost, so
/// that requests never wait for it.
const MAX_WAITING: usize = 8192;

/// The format of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessLogFormat {
    /// The Common Log Format.
    Common,
    /// The Combined Log Format: the common one with `Referer` and `User-Agent`.
    Combined,
    /// A JSON object.
    Json,
}

/// A log with a line for each request. A thread writes it until the log is dropped.
#[derive(Debug)]
pub struct AccessLog {
    format: AccessLogFormat,
    lines: NonBlocking,
    _guard: WorkerGuard,
}

/// A request and its response.
pub(crate) struct Access<'a> {
    pub(crate) client: IpAddr,
    pub(crate) request: &'a Parts,
    pub(crate) response: &'a Response,
    pub(crate) duration: Duration,
}

impl AccessLog {
    /// Starts a log that is written to `output`.
    pub fn start(format: AccessLogFormat, output: impl Write + Send + 'static) -> Self {
        let (lines, _guard) = NonBlockingBuilder::default()
            .buffered_lines_limit(MAX_WAITING)
            .thread_name("access log")
            .finish(BufWriter::new(output));
        Self {
            format,
            lines,
            _guard,
        }
    }

    pub(crate) fn log(&self, access: &Access<'_>) {
        let now = SystemTime::now();
        let mut line = match self.format {
            AccessLogFormat::Common => access.common(now),
            AccessLogFormat::Combined => access.combined(now),
            AccessLogFormat::Json => access.json(now),
        };
        line.push('\n');
        let written = self.lines.clone().write_all(line.as_bytes());
        written.expect("a line that does not fit is counted");
    }

    /// Returns the counter of lines that were lost.
    pub(crate) fn lost_lines(&self) -> ErrorCounter {
        self.lines.error_counter()
    }
}

impl Access<'_> {
    /// Returns the line in the Common Log Format.
    fn common(&self, now: SystemTime) -> String {
        let client = self.client;
        let time = common_time(now);
        let method = &self.request.method;
        let uri = quotable(logged_uri(self.request).as_bytes());
        let version = self.request.version;
        let status = self.response.status().as_u16();
        let bytes = match self.bytes() {
            Some(bytes) => bytes.to_string(),
            None => "-".to_owned(),
        };
        format!("{client} - - [{time}] \"{method} {uri} {version:?}\" {status} {bytes}")
    }

    /// Returns the line in the Combined Log Format.
    fn combined(&self, now: SystemTime) -> String {
        let common = self.common(now);
        let referer = self.header(&REFERER);
        let user_agent = self.header(&USER_AGENT);
        format!("{common} \"{referer}\" \"{user_agent}\"")
    }

    /// Returns a header of the request, escaped for a place between quotation marks.
    fn header(&self, name: &HeaderName) -> String {
        match self.request.headers.get(name) {
            Some(value) => quotable(value.as_bytes()),
            None => "-".to_owned(),
        }
    }

    /// Returns a header of the request as text.
    fn header_text(&self, name: &HeaderName) -> Option<Cow<'_, str>> {
        let value = self.request.headers.get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()))
    }

    /// Returns the line as a JSON object.
    fn json(&self, now: SystemTime) -> String {
        let request = self.request;
        let object = json!({
            "time": humantime::format_rfc3339_millis(now).to_string(),
            "client": self.client,
            "method": request.method.as_str(),
            "uri": logged_uri(request),
            "version": format!("{:?}", request.version),
            "status": self.response.status().as_u16(),
            "bytes": self.bytes(),
            "cache": cache_status(self.response),
            "seconds": self.duration.as_secs_f64(),
            "referer": self.header_text(&REFERER),
            "user_agent": self.header_text(&USER_AGENT),
        });
        object.to_string()
    }

    /// Returns the length of the body, if it is sent.
    fn bytes(&self) -> Option<usize> {
        if self.request.method == Method::HEAD {
            return None;
        }
        Some(self.response.body().len())
    }
}

/// Returns the URI in visible ASCII. Other characters could end a line or change its direction, so
/// they are escaped.
pub(crate) fn logged_uri(request: &Parts) -> String {
    let uri = request.uri.to_string();
    utf8_percent_encode(&uri, CONTROLS).to_string()
}

/// Escapes a text for a place between quotation marks, as nginx does.
fn quotable(text: &[u8]) -> String {
    let mut quotable = String::with_capacity(text.len());
    for byte in text {
        let is_visible = byte.is_ascii_graphic() || *byte == b' ';
        if is_visible && !b"\"\\".contains(byte) {
            quotable.push(char::from(*byte));
        } else {
            quotable.push_str(&format!("\\x{byte:02x}"));
        }
    }
    quotable
}

/// Formats a time like `10/Oct/2000:13:55:36 +0000`.
fn common_time(time: SystemTime) -> String {
    // Like `Tue, 10 Oct 2000 13:55:36 GMT`.
    let date = httpdate::fmt_http_date(time);
    let day = &date[5..7];
    let month = &date[8..11];
    let year = &date[12..16];
    let clock = &date[17..25];
    format!("{day}/{month}/{year}:{clock} +0000")
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::mpsc::{Receiver, Sender},
        time::UNIX_EPOCH,
    };

    use hyper::{Request, StatusCode};
    use serde_json::Value;

    use super::*;
    use crate::respond::{X_CACHE, set, with_body};

    fn parts(uri: &str) -> Parts {
        Request::get(uri).body(()).unwrap().into_parts().0
    }

    fn response() -> Response {
        let body = vec![0; 512].into();
        let mut response = with_body(StatusCode::OK, "image/png", body);
        set(&mut response, X_CACHE, "hit");
        response
    }

    fn access<'a>(request: &'a Parts, response: &'a Response) -> Access<'a> {
        Access {
            client: [192, 0, 2, 1].into(),
            request,
            response,
            duration: Duration::from_millis(3),
        }
    }

    fn parsed_json(access: &Access<'_>) -> Value {
        serde_json::from_str(&access.json(UNIX_EPOCH)).unwrap()
    }

    #[test]
    fn common_line_has_time_request_status_and_length() {
        let now = UNIX_EPOCH + Duration::from_secs(971_186_136);
        let request = parts("/head/\"Notch\"?size=64");
        let line = access(&request, &response()).common(now);
        assert_eq!(
            line,
            "192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] \
             \"GET /head/\\x22Notch\\x22?size=64 HTTP/1.1\" 200 512"
        );
    }

    #[test]
    fn json_line_has_the_request_and_its_response() {
        let request = parts("/head/\"Notch\"?size=64");
        let line = parsed_json(&access(&request, &response()));
        assert_eq!(line["client"], "192.0.2.1");
        assert_eq!(line["uri"], "/head/\"Notch\"?size=64");
        assert_eq!(line["status"], 200);
        assert_eq!(line["bytes"], 512);
        assert_eq!(line["cache"], "hit");
    }

    /// They could end a line, or reverse the direction in which a terminal shows it.
    #[test]
    fn control_characters_in_a_uri_are_escaped() {
        let request = parts("/head/\u{9b}\u{85}\u{202e}");
        let response = response();
        let access = access(&request, &response);
        let escaped = "/head/%C2%9B%C2%85%E2%80%AE";
        assert!(access.common(UNIX_EPOCH).contains(escaped));
        assert!(access.json(UNIX_EPOCH).contains(escaped));
    }

    #[test]
    fn referer_and_user_agent_are_logged() {
        let request = Request::get("/")
            .header("Referer", "https://example.org/\"x\"")
            .header("User-Agent", b"bot\\\xff".as_slice());
        let (request, ()) = request.body(()).unwrap().into_parts();
        let response = response();
        let access = access(&request, &response);
        let end = " 200 512 \"https://example.org/\\x22x\\x22\" \"bot\\x5c\\xff\"";
        let line = access.combined(UNIX_EPOCH);
        assert!(line.ends_with(end), "{line}");
        let object = parsed_json(&access);
        assert_eq!(object["referer"], "https://example.org/\"x\"");
        assert_eq!(object["user_agent"], "bot\\\u{fffd}");
    }

    #[test]
    fn missing_headers_are_dashes() {
        let request = parts("/");
        let line = access(&request, &response()).combined(UNIX_EPOCH);
        assert!(line.ends_with(" 200 512 \"-\" \"-\""), "{line}");
    }

    /// An output that blocks until its lock is dropped, and then passes on its bytes.
    struct BlockedOutput {
        bytes: Sender<Vec<u8>>,
        lock: Receiver<()>,
    }

    impl Write for BlockedOutput {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            // Blocks until the sender is dropped.
            let _ = self.lock.recv();
            let _ = self.bytes.send(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn slow_output_loses_lines_and_delays_no_request() {
        let (bytes, written) = std::sync::mpsc::channel();
        let (lock, locked) = std::sync::mpsc::channel();
        let output = BlockedOutput {
            bytes,
            lock: locked,
        };
        let log = AccessLog::start(AccessLogFormat::Common, output);
        let request = parts("/");
        let response = response();
        // More lines than fit into the queue and the writer's buffer.
        for _ in 0..2 * MAX_WAITING {
            log.log(&access(&request, &response));
        }
        let lost = log.lost_lines().dropped_lines();
        assert!(lost > 0);
        drop(lock);
        drop(log);
        let text: Vec<u8> = written.iter().flatten().collect();
        let lines = text.iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(lines + lost, 2 * MAX_WAITING);
    }
}
