//! Metrics of the process itself, under the names that Prometheus' client libraries share.

use std::fs;

use rustix::process::{Resource, getrlimit};

use super::text::MetricsText;

/// Writes the metrics. Writes nothing and returns `None` if `/proc` is not readable.
pub(super) fn write_process(text: &mut MetricsText) -> Option<()> {
    let stat = Stat::parse(&fs::read_to_string("/proc/self/stat").ok()?)?;
    let open_files = fs::read_dir("/proc/self/fd").ok()?.count();
    let boot_time = boot_time()?;
    let ticks_per_second = rustix::param::clock_ticks_per_second();
    text.counter(
        "process_cpu_seconds_total",
        "Total user and system CPU time spent in seconds.",
        stat.cpu_ticks / ticks_per_second,
    );
    text.gauge(
        "process_open_fds",
        "Number of open file descriptors.",
        open_files as u64,
    );
    text.gauge(
        "process_max_fds",
        "Maximum number of open file descriptors.",
        // No limit is reported as zero.
        getrlimit(Resource::Nofile).current.unwrap_or_default(),
    );
    text.gauge(
        "process_virtual_memory_bytes",
        "Virtual memory size in bytes.",
        stat.virtual_bytes,
    );
    text.gauge(
        "process_resident_memory_bytes",
        "Resident memory size in bytes.",
        stat.resident_pages * rustix::param::page_size() as u64,
    );
    text.gauge(
        "process_start_time_seconds",
        "Start time of the process since unix epoch in seconds.",
        boot_time + stat.start_ticks / ticks_per_second,
    );
    text.gauge(
        "process_threads",
        "Number of OS threads in the process.",
        stat.threads,
    );
    Some(())
}

/// The fields of `/proc/self/stat` that the metrics need, in the kernel's units.
#[derive(Debug, PartialEq)]
struct Stat {
    cpu_ticks: u64,
    threads: u64,
    start_ticks: u64,
    virtual_bytes: u64,
    resident_pages: u64,
}

impl Stat {
    fn parse(stat: &str) -> Option<Self> {
        // Field 2 is the name in brackets, which may contain spaces and brackets.
        let (_, rest) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        // Fields are numbered from 1 in proc_pid_stat(5).
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        Some(Self {
            cpu_ticks: field(14)? + field(15)?,
            threads: field(20)?,
            start_ticks: field(22)?,
            virtual_bytes: field(23)?,
            resident_pages: field(24)?,
        })
    }
}

/// Returns the boot time of the system in seconds since the Unix epoch.
fn boot_time() -> Option<u64> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let line = stat.lines().find_map(|line| line.strip_prefix("btime "))?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_stat_are_found_behind_any_name() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194560 900 0 1 0 250 50 0 0 20 0 5 0 1234 1000000 321 18446744073709551615\n";
        let expected = Stat {
            cpu_ticks: 300,
            threads: 5,
            start_ticks: 1234,
            virtual_bytes: 1_000_000,
            resident_pages: 321,
        };
        assert_eq!(Stat::parse(stat), Some(expected));
        assert_eq!(Stat::parse("7 (a) S 1"), None);
    }

    #[test]
    fn every_metric_of_this_process_has_a_value() {
        let mut text = MetricsText::default();
        write_process(&mut text).expect("/proc is readable");
        let samples = text.0.lines().filter(|line| !line.starts_with('#'));
        let samples: Vec<_> = samples.filter_map(|line| line.split_once(' ')).collect();
        assert_eq!(samples.len(), 7);
        for (name, value) in &samples[1..] {
            assert!(value.parse::<u64>().unwrap() > 0, "{name}");
        }
    }
}
