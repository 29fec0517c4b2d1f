//! The log on standard error, with repeated warnings held back.

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

/// The time between two warnings from one place in the code of a server, on average.
pub(crate) const INTERVAL: Duration = Duration::from_secs(10);

/// The warnings that one place may have at once. They may be about different things, such as files or upstreams.
const BURST: u32 = 5;

/// The lines that wait to be written. A log that is read too slowly loses lines; nothing waits for its reader.
const MAX_WAITING: usize = 8192;

/// The format of the log that was started, and the thread that writes it.
static LOG: OnceLock<(LogFormat, NonBlocking, Mutex<Option<WorkerGuard>>)> = OnceLock::new();

/// Tells why the program ends, in the form of the log, which ends too.
pub(crate) fn report(error: &anyhow::Error) {
    let line = format!("error: {error:#}");
    match LOG.get() {
        Some((LogFormat::Json, ..)) if tracing::enabled!(Level::ERROR) => {
            tracing::error!("{error:#}")
        }
        Some((_, lines, _)) => drop(
            lines
                .clone()
                .write_all((printable(&line) + "\n").as_bytes()),
        ),
        None => print_error(&line),
    }
    end();
}

/// Waits until the log is written, for about a second at most.
pub(crate) fn end() {
    let guard = LOG.get().and_then(|(.., guard)| guard.lock().take());
    drop(guard);
}

/// Sends the log to standard error. Standard output is for the result of a command. With an interval, what one
/// place in the code repeats within it is held back.
pub(crate) fn start(args: &LogArgs, interval: Option<Duration>) {
    let builder = NonBlockingBuilder::default().buffered_lines_limit(MAX_WAITING);
    let (writer, guard) = builder.thread_name("log").finish(io::stderr());
    let lines = fmt::layer()
        .with_writer(writer.clone())
        .with_ansi(io::stderr().is_terminal());
    let lines = match args.log_format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    // The last one is asked first, so that only what the levels allow is counted.
    let registry = tracing_subscriber::registry().with(interval.map(throttle));
    // Both fail only if a log was started before, which then continues.
    let _ = LOG.set((args.log_format, writer, Mutex::new(Some(guard))));
    let _ = registry.with(lines).with(args.log.clone()).try_init();
}

/// Returns a layer that lets a few warnings and errors from each call site through at once, and then one per interval.
/// Before each, a line says how many were held back.
fn throttle<S: Subscriber>(interval: Duration) -> impl Layer<S> {
    let sites: Mutex<HashMap<Identifier, Site>> = Mutex::default();
    dynamic_filter_fn(move |metadata, _| {
        // The line that counts them is never held back.
        if *metadata.level() > Level::WARN || metadata.target() == module_path!() {
            return true;
        }
        let mut sites = sites.lock();
        let site = sites.entry(metadata.callsite()).or_default();
        let admitted = site.admit(interval, Instant::now());
        drop(sites);
        if let Some(held_back @ 1..) = admitted {
            tracing::warn!(held_back, "events like the next one were held back");
        }
        admitted.is_some()
    })
}

/// The recent events of a call site.
#[derive(Default)]
struct Site {
    /// The time at which the next event would be due if none could be earlier.
    due: Option<Instant>,
    held_back: u32,
}

impl Site {
    /// Returns the number of events that were held back before this one, or `None` if it is one of them.
    fn admit(&mut self, interval: Duration, now: Instant) -> Option<u32> {
        let due = self.due.map_or(now, |due| due.max(now));
        if due - now > interval * (BURST - 1) {
            self.held_back += 1;
            return None;
        }
        self.due = Some(due + interval);
        Some(mem::take(&mut self.held_back))
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, thread};

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn warn(number: u32) {
        tracing::warn!("warning {number}");
    }

    #[test]
    fn a_call_site_is_held_back_for_the_interval() {
        let (mut site, start) = (Site::default(), Instant::now());
        let seconds = [0, 0, 0, 0, 0, 0, 9, 10, 11, 19, 20, 60, 60, 60, 60, 60];
        let admitted = seconds.map(|second| site.admit(10 * SECOND, start + second * SECOND));
        let admitted = admitted.map(|count| count.map_or("n".to_owned(), |held| held.to_string()));
        assert_eq!(admitted.concat(), "00000nn2nn20000n");
        assert_eq!(site.held_back, 1);
    }

    #[test]
    fn a_line_tells_how_many_were_held_back() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let out = Arc::new(file.reopen().unwrap());
        let layer = fmt::layer().with_ansi(false).with_writer(out);
        // The line about them needs the log of the process, not one of this thread.
        let log = tracing_subscriber::registry().with(throttle(SECOND));
        log.with(layer).init();
        (1..=8).for_each(warn);
        tracing::info!("no warning");
        tracing::warn!("another place");
        thread::sleep(SECOND);
        warn(9);
        let text = std::fs::read_to_string(file.path()).unwrap();
        let lines = text
            .lines()
            .filter_map(|line| line.split_once("effigy::log"));
        let lines: Vec<&str> = lines.map(|(_, line)| line).collect();
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
