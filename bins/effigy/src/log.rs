//! The log on standard error, which holds back repeated warnings.

use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};
use std::mem;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use effigy_cli::{LogArgs, LogFormat};
use effigy_upstream::printable;
use parking_lot::Mutex;
use tracing::{Level, Subscriber, callsite::Identifier};
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::{Layer, fmt, layer::SubscriberExt, util::SubscriberInitExt};

use crate::commands::print_error;

/// The average time between two warnings from one call site of a server.
const INTERVAL: Duration = Duration::from_secs(10);

/// The warnings that one call site may log at once. They may be about different things, such as
/// files or upstream services.
const BURST: u32 = 5;

/// The maximum number of lines that wait to be written. If the log is read too slowly, lines are
/// lost: nothing waits for the reader.
const MAX_WAITING: usize = 8192;

/// The log, once it is started.
static LOG: OnceLock<Log> = OnceLock::new();

/// The output of a log that was started.
struct Log {
    format: LogFormat,
    lines: NonBlocking,
    /// The thread that writes the lines, until the log ends.
    writer: Mutex<Option<WorkerGuard>>,
}

/// Starts the log on standard error. Standard output is for the results of commands. A server holds
/// back warnings that one call site repeats.
pub(crate) fn start(args: &LogArgs, is_server: bool) {
    let builder = NonBlockingBuilder::default().buffered_lines_limit(MAX_WAITING);
    let (lines, writer) = builder.thread_name("log").finish(io::stderr());
    let layer = fmt::layer()
        .with_writer(lines.clone())
        .with_ansi(io::stderr().is_terminal());
    let layer = match args.log_format {
        LogFormat::Text => layer.boxed(),
        LogFormat::Json => layer.json().boxed(),
    };
    let throttle = if is_server {
        Some(throttle(INTERVAL))
    } else {
        None
    };
    let log = Log {
        format: args.log_format,
        lines,
        writer: Mutex::new(Some(writer)),
    };
    // The last filter is asked first, so that the throttle counts only events of enabled levels.
    let registry = tracing_subscriber::registry().with(throttle);
    let registry = registry.with(layer).with(args.log.clone());
    // Both fail only if a log was started before, which then continues.
    let _ = LOG.set(log);
    let _ = registry.try_init();
}

/// Logs a warning that is never held back. Without a log, it is a line on standard error.
pub(crate) fn warn(text: &str) {
    if LOG.get().is_some() {
        tracing::warn!("{text}");
    } else {
        print_error(&format!("warning: {text}"));
    }
}

/// Prints the error that ends the program, in the format of the log, and ends the log.
pub(crate) fn report(error: &anyhow::Error) {
    let line = format!("error: {error:#}");
    match LOG.get() {
        None => print_error(&line),
        Some(log) if log.format == LogFormat::Json && tracing::enabled!(Level::ERROR) => {
            tracing::error!("{error:#}");
        }
        Some(log) => {
            let line = printable(&line) + "\n";
            // If standard error is closed, only the exit code tells about the error.
            let _ = log.lines.clone().write_all(line.as_bytes());
        }
    }
    end();
}

/// Waits until the log is written, for about a second at most.
pub(crate) fn end() {
    if let Some(log) = LOG.get() {
        drop(log.writer.lock().take());
    }
}

/// Returns a layer that lets a few warnings and errors from each call site through at once, and
/// then one per interval, with the number of those that were held back before it.
fn throttle<S: Subscriber>(interval: Duration) -> impl Layer<S> {
    let sites: Mutex<HashMap<Identifier, CallSite>> = Mutex::default();
    dynamic_filter_fn(move |metadata, _| {
        // The warnings of this module are never held back: the number of events, and `warn`.
        if *metadata.level() > Level::WARN || metadata.target() == module_path!() {
            return true;
        }
        let mut all_sites = sites.lock();
        let site = all_sites.entry(metadata.callsite()).or_default();
        let admission = site.admit(interval, Instant::now());
        // Logging the number asks this filter again.
        drop(all_sites);
        match admission {
            Admission::HeldBack => false,
            Admission::Logged { held_back_before } => {
                if held_back_before > 0 {
                    let held_back = held_back_before;
                    tracing::warn!(held_back, "events like the next one were held back");
                }
                true
            }
        }
    })
}

/// The recent events of a call site.
#[derive(Default)]
struct CallSite {
    /// The time at which the next event would be due if events were spread evenly.
    due: Option<Instant>,
    held_back: u32,
}

/// The decision about an event.
#[derive(Debug, PartialEq, Eq)]
enum Admission {
    Logged { held_back_before: u32 },
    HeldBack,
}

impl CallSite {
    fn admit(&mut self, interval: Duration, now: Instant) -> Admission {
        let due = self.due.map_or(now, |due| due.max(now));
        if due - now > interval * (BURST - 1) {
            self.held_back += 1;
            return Admission::HeldBack;
        }
        self.due = Some(due + interval);
        Admission::Logged {
            held_back_before: mem::take(&mut self.held_back),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, thread};

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    const fn logged_after(held_back_before: u32) -> Admission {
        Admission::Logged { held_back_before }
    }

    fn warn_about(number: u32) {
        tracing::warn!("warning {number}");
    }

    /// A call site whose interval is 10 s, and the time at which it is created.
    struct Site {
        site: CallSite,
        start: Instant,
    }

    impl Site {
        fn new() -> Self {
            Self {
                site: CallSite::default(),
                start: Instant::now(),
            }
        }

        fn admit(&mut self, second: u32) -> Admission {
            self.site.admit(10 * SECOND, self.start + second * SECOND)
        }
    }

    #[test]
    fn five_events_are_logged_at_once() {
        let mut site = Site::new();
        for _ in 0..5 {
            assert_eq!(site.admit(0), logged_after(0));
        }
        assert_eq!(site.admit(0), Admission::HeldBack);
        assert_eq!(site.admit(9), Admission::HeldBack);
    }

    #[test]
    fn after_a_burst_one_event_is_logged_per_interval() {
        let mut site = Site::new();
        for _ in 0..8 {
            site.admit(0);
        }
        assert_eq!(site.admit(10), logged_after(3));
        assert_eq!(site.admit(19), Admission::HeldBack);
        assert_eq!(site.admit(20), logged_after(1));
    }

    #[test]
    fn silence_allows_another_burst() {
        let mut site = Site::new();
        for _ in 0..5 {
            site.admit(0);
        }
        for _ in 0..5 {
            assert_eq!(site.admit(50), logged_after(0));
        }
        assert_eq!(site.admit(50), Admission::HeldBack);
    }

    #[test]
    fn number_of_held_back_events_is_logged() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let out = Arc::new(file.reopen().unwrap());
        let layer = fmt::layer().with_ansi(false).with_writer(out);
        // The line with the number needs the log of the process, not one of this thread.
        let log = tracing_subscriber::registry().with(throttle(SECOND));
        log.with(layer).init();
        (1..=8).for_each(warn_about);
        tracing::info!("no warning");
        tracing::warn!("another place");
        thread::sleep(SECOND);
        warn_about(9);
        let text = std::fs::read_to_string(file.path()).unwrap();
        let mut lines = Vec::new();
        for line in text.lines() {
            if let Some((_, message)) = line.split_once("effigy::log") {
                lines.push(message);
            }
        }
        let expected = [
            "::tests: warning 1",
            "::tests: warning 2",
            "::tests: warning 3",
            "::tests: warning 4",
            "::tests: warning 5",
            "::tests: no warning",
            "::tests: another place",
            ": events like the next one were held back held_back=3",
            "::tests: warning 9",
        ];
        assert_eq!(lines, expected, "{text}");
    }
}
