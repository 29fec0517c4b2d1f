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

/// The interval in which one place in the code of a server has a few warnings.
pub(crate) const INTERVAL: Duration = Duration::from_secs(10);

/// The warnings of one place in each interval. Several may be about different things, such as files or upstreams.
const BURST: u32 = 5;

/// Sends the log to standard error. Standard output is for the result of a command. With an interval, what one
/// place in the code repeats within it is held back.
pub(crate) fn start(args: &LogArgs, interval: Option<Duration>) {
    let layer = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    let layer = match args.log_format {
        LogFormat::Text => layer.boxed(),
        LogFormat::Json => layer.json().boxed(),
    };
    let registry = tracing_subscriber::registry().with(args.log.clone());
    // This fails only if a log was started before, which then continues.
    let _ = registry
        .with(layer)
        .with(interval.map(Throttle::new))
        .try_init();
}

/// A layer that lets a few warnings and errors from each call site through in each interval. After the next one,
/// a line says how many were held back.
struct Throttle {
    interval: Duration,
    sites: Mutex<HashMap<Identifier, Site>>,
}

/// The recent events of a call site.
#[derive(Default)]
struct Site {
    /// The start of the interval.
    start: Option<Instant>,
    /// The events in it.
    events: u32,
    held_back: u32,
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
        let is_over = |start| now.duration_since(start) >= interval;
        if self.start.is_none_or(is_over) {
            (self.start, self.events) = (Some(now), 0);
        }
        self.events += 1;
        let is_admitted = self.events <= BURST;
        self.held_back += u32::from(!is_admitted);
        is_admitted
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
        let seconds = [0, 1, 2, 3, 4, 5, 9, 10, 11];
        let admitted = seconds.map(|second| site.admit(10 * SECOND, start + second * SECOND));
        let (yes, no) = (true, false);
        assert_eq!(admitted, [yes, yes, yes, yes, yes, no, no, yes, yes]);
        assert_eq!(site.held_back, 2);
    }

    #[test]
    fn the_next_line_tells_how_many_were_held_back() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let out = Arc::new(file.reopen().unwrap());
        let layer = fmt::layer().with_ansi(false).with_writer(out);
        // The line about them needs the log of the process, not one of this thread.
        let log = tracing_subscriber::registry().with(layer);
        log.with(Throttle::new(SECOND)).init();
        (1..=8).for_each(warn);
        tracing::info!("no warning");
        tracing::warn!("another place");
        thread::sleep(SECOND);
        (9..=10).for_each(warn);
        let text = std::fs::read_to_string(file.path()).unwrap();
        let lines = text
            .lines()
            .filter_map(|line| line.split_once("effigy::log"));
        let lines: Vec<&str> = lines.map(|(_, line)| line).collect();
        let note = ": more events like the last one were held back held_back=3";
        let mut expected = [1, 2, 3, 4, 5, 9, 10]
            .map(|n| format!("::tests: warning {n}"))
            .to_vec();
        expected.insert(5, "::tests: another place".to_owned());
        expected.insert(5, "::tests: no warning".to_owned());
        expected.insert(8, note.to_owned());
        assert_eq!(lines, expected, "{text}");
    }
}
