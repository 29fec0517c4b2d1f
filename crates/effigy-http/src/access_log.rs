//! The access log: one line for each request.

use std::{
    fmt,
    io::{self, BufWriter, Write},
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, SyncSender, TryRecvError, sync_channel},
    },
    thread,
    time::{Duration, SystemTime},
};

use effigy_upstream::warn_throttled;
use hyper::{StatusCode, http::request::Parts};
use serde_json::json;

/// The lines that wait to be written. A log that is read too slowly loses lines; requests never wait.
const MAX_WAITING: usize = 8192;

/// The format of the access log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessLogFormat {
    /// The Common Log Format.
    Common,
    /// One JSON object a line.
    Json,
}

/// A log with a line for each request. It is written by a thread of its own.
pub struct AccessLog {
    format: AccessLogFormat,
    lines: SyncSender<String>,
    lost: Arc<AtomicU64>,
}

/// A request and its response.
pub(crate) struct Access<'a> {
    pub(crate) client: IpAddr,
    pub(crate) request: &'a Parts,
    pub(crate) status: StatusCode,
    /// The length of the body, unless it is drawn while it is sent.
    pub(crate) bytes: Option<u64>,
    /// The header `X-Cache`.
    pub(crate) cache: Option<&'a str>,
    pub(crate) duration: Duration,
}

impl AccessLog {
    /// Starts a log that is written to `output`.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn start(format: AccessLogFormat, output: impl Write + Send + 'static) -> io::Result<Self> {
        let (lines, received) = sync_channel(MAX_WAITING);
        let lost = Arc::new(AtomicU64::new(0));
        let lost_lines = Arc::clone(&lost);
        let write = move || {
            if let Err(error) = write_lines(&received, &lost_lines, BufWriter::new(output)) {
                tracing::warn!("the access log ends: it cannot be written: {error}");
            }
        };
        thread::Builder::new()
            .name("access log".to_owned())
            .spawn(write)?;
        Ok(Self {
            format,
            lines,
            lost,
        })
    }

    pub(crate) fn log(&self, access: &Access<'_>) {
        let line = match self.format {
            AccessLogFormat::Common => access.common(SystemTime::now()),
            AccessLogFormat::Json => access.json(SystemTime::now()),
        };
        if self.lines.try_send(line).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Writes lines until their sender is gone. They are flushed when none waits.
fn write_lines(
    lines: &Receiver<String>,
    lost: &AtomicU64,
    mut output: impl Write,
) -> io::Result<()> {
    let mut next = lines.recv().ok();
    while let Some(line) = next {
        writeln!(output, "{line}")?;
        next = match lines.try_recv() {
            Ok(line) => Some(line),
            Err(TryRecvError::Disconnected) => None,
            Err(TryRecvError::Empty) => {
                output.flush()?;
                let lost = lost.swap(0, Ordering::Relaxed);
                if lost > 0 {
                    warn_throttled!(lost, "the access log was too slow and lost lines");
                }
                lines.recv().ok()
            }
        };
    }
    output.flush()
}

impl Access<'_> {
    /// The line in the Common Log Format.
    fn common(&self, now: SystemTime) -> String {
        let Parts {
            method,
            uri,
            version,
            ..
        } = self.request;
        let uri = uri.to_string().replace('\\', "\\x5c").replace('"', "\\x22");
        let (client, status) = (self.client, self.status.as_u16());
        let bytes = self.bytes.map_or("-".to_owned(), |bytes| bytes.to_string());
        let time = common_time(now);
        format!("{client} - - [{time}] \"{method} {uri} {version:?}\" {status} {bytes}")
    }

    /// The line as a JSON object.
    fn json(&self, now: SystemTime) -> String {
        let request = self.request;
        let object = json!({
            "time": humantime::format_rfc3339_millis(now).to_string(),
            "client": self.client,
            "method": request.method.as_str(),
            "uri": request.uri.to_string(),
            "version": format!("{:?}", request.version),
            "status": self.status.as_u16(),
            "bytes": self.bytes,
            "cache": self.cache,
            "seconds": self.duration.as_secs_f64(),
        });
        object.to_string()
    }
}

/// Formats a time like `10/Oct/2000:13:55:36 +0000`.
fn common_time(time: SystemTime) -> String {
    // Like `Tue, 10 Oct 2000 13:55:36 GMT`.
    let date = httpdate::fmt_http_date(time);
    let (day, month, year, clock) = (&date[5..7], &date[8..11], &date[12..16], &date[17..25]);
    format!("{day}/{month}/{year}:{clock} +0000")
}

impl fmt::Debug for AccessLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccessLog")
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc::Sender, time::UNIX_EPOCH};

    use hyper::Request;
    use serde_json::Value;

    use super::*;

    fn parts(uri: &str) -> Parts {
        Request::get(uri).body(()).unwrap().into_parts().0
    }

    fn access(request: &Parts) -> Access<'_> {
        Access {
            client: [192, 0, 2, 1].into(),
            request,
            status: StatusCode::OK,
            bytes: Some(512),
            cache: Some("hit"),
            duration: Duration::from_millis(3),
        }
    }

    #[test]
    fn lines() {
        let now = UNIX_EPOCH + Duration::from_secs(971_186_136);
        let request = parts("/head/\"Notch\"?size=64");
        let line = access(&request).common(now);
        assert_eq!(
            line,
            "192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] \
             \"GET /head/\\x22Notch\\x22?size=64 HTTP/1.1\" 200 512"
        );
        let line: Value = serde_json::from_str(&access(&request).json(now)).unwrap();
        assert_eq!(line["client"], "192.0.2.1");
        assert_eq!(line["uri"], "/head/\"Notch\"?size=64");
        assert_eq!(
            (&line["status"], &line["bytes"]),
            (&json!(200), &json!(512))
        );
    }

    /// An output that passes on what it gets, when it is allowed to.
    struct Slow(Sender<Vec<u8>>, Receiver<()>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.1.recv();
            let _ = self.0.send(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_slow_output_delays_no_request() {
        let (written, output) = std::sync::mpsc::channel();
        let (go_on, held) = std::sync::mpsc::channel();
        let log = AccessLog::start(AccessLogFormat::Common, Slow(written, held)).unwrap();
        let request = parts("/");
        // More than the queue and the buffer of the writer hold.
        for _ in 0..2 * MAX_WAITING {
            log.log(&access(&request));
        }
        assert!(log.lost.load(Ordering::Relaxed) > 0);
        drop((go_on, log));
        let lines: Vec<u8> = output.iter().flatten().collect();
        let lines = lines.split(|byte| *byte == b'\n').count();
        assert!(lines >= MAX_WAITING, "{lines}");
    }
}
