//! The log on standard error, with repeated warnings held back.

use std::{
    collections::HashMap,
    io::{self, IsTerminal},
    mem,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use effigy_cli::{LogArgs, LogFormat};
use tracing::{Event, Level, Subscriber, callsite::Identifier};
use tracing_subscriber::{
    Layer, fmt,
    layer::{Context, SubscriberExt},
    util::SubscriberInitExt,
};

/// The shortest time between two warnings from one place in the code.
const INTERVAL: Duration = Duration::from_secs(10);

/// Sends the log of a command to standard error. Standard output is for its result.
pub(crate) fn start(args: &LogArgs) {
    init(args, None);
}

/// Sends the log of a server to standard error, without what one place in the code repeats.
pub(crate) fn start_throttled(args: &LogArgs) {
    init(args, Some(Throttle::new(INTERVAL)));
}

fn init(args: &LogArgs, throttle: Option<Throttle>) {
    let layer = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    let layer = match args.log_format {
        LogFormat::Text => layer.boxed(),
        LogFormat::Json => layer.json().boxed(),
    };
    let registry = tracing_subscriber::registry().with(args.log.clone());
    // This fails only if a log was started before, which then continues.
    let _ = registry.with(layer).with(throttle).try_init();
}

/// A layer that lets one warning or error from each call site through per interval. After the next one, a line
/// says how many were held back.
struct Throttle {
    interval: Duration,
    sites: Mutex<HashMap<Identifier, Site>>,
}

/// The recent events of a call site.
#[derive(Default)]
struct Site {
    /// The time of the last event that went through.
    last: Option<Instant>,
    held_back: u64,
}

impl Throttle {
    fn new(interval: Duration) -> Self {
        Self {
            interval,
            sites: Mutex::default(),
        }
    }

    /// Returns what `f` returns for the site of an event, or `None` if its events are not throttled.
    fn with_site<T>(&self, event: &Event<'_>, f: impl FnOnce(&mut Site) -> T) -> Option<T> {
        let metadata = event.metadata();
        // The line about those that were held back is one of them in no case.
        if *metadata.level() > Level::WARN || metadata.target() == module_path!() {
            return None;
        }
        let mut sites = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        Some(f(sites.entry(metadata.callsite()).or_default()))
    }
}

impl Site {
    /// Returns `true` if an event goes through, and counts it otherwise.
    fn admit(&mut self, interval: Duration, now: Instant) -> bool {
        let is_due = self
            .last
            .is_none_or(|last| now.duration_since(last) >= interval);
        if is_due {
            self.last = Some(now);
        } else {
            self.held_back += 1;
        }
        is_due
    }
}

impl<S: Subscriber> Layer<S> for Throttle {
    fn event_enabled(&self, event: &Event<'_>, _: Context<'_, S>) -> bool {
        let admitted = self.with_site(event, |site| site.admit(self.interval, Instant::now()));
        admitted.unwrap_or(true)
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let held_back = self.with_site(event, |site| mem::take(&mut site.held_back));
        if let Some(held_back @ 1..) = held_back {
            tracing::warn!(held_back, "more events like the last one were held back");
        }
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
        let seconds = [0, 1, 9, 10, 11, 21];
        let admitted = seconds.map(|second| site.admit(10 * SECOND, start + second * SECOND));
        assert_eq!(admitted, [true, false, false, true, false, true]);
        assert_eq!(site.held_back, 3);
    }

    #[test]
    fn the_next_line_tells_how_many_were_held_back() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let layer = fmt::layer()
            .with_ansi(false)
            .with_writer(Arc::new(file.reopen().unwrap()));
        // The line about them needs the log of the process, not one of this thread.
        let log = tracing_subscriber::registry()
            .with(layer)
            .with(Throttle::new(SECOND));
        log.init();
        (1..=4).for_each(warn);
        tracing::info!("something else");
        tracing::warn!("another place");
        thread::sleep(SECOND);
        (5..=6).for_each(warn);
        let text = std::fs::read_to_string(file.path()).unwrap();
        let lines: Vec<&str> = text
            .lines()
            .filter_map(|line| Some(line.split_once("effigy::log")?.1))
            .collect();
        let note = ": more events like the last one were held back held_back=3";
        let expected = [
            "::tests: warning 1",
            "::tests: something else",
            "::tests: another place",
            "::tests: warning 5",
            note,
        ];
        assert_eq!(lines, expected, "{text}");
    }
}
