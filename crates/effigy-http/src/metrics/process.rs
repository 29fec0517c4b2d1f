//! Metrics of the process itself, under the names that Prometheus' client libraries share.

use std::fs;

use prometheus::core::{Collector, Desc};
use prometheus::proto::MetricFamily;
use prometheus::{IntCounter, IntGauge};
use rustix::process::{Resource, getrlimit};

/// Reads `/proc` whenever the metrics are gathered.
pub(super) struct ProcessCollector {
    cpu_seconds: IntCounter,
    open_files: IntGauge,
    max_files: IntGauge,
    virtual_bytes: IntGauge,
    resident_bytes: IntGauge,
    start_time: IntGauge,
    threads: IntGauge,
}

impl ProcessCollector {
    pub(super) fn new() -> Result<Self, prometheus::Error> {
        Ok(Self {
            cpu_seconds: IntCounter::new(
                "process_cpu_seconds_total",
                "Total user and system CPU time spent in seconds.",
            )?,
            open_files: IntGauge::new("process_open_fds", "Number of open file descriptors.")?,
            max_files: IntGauge::new(
                "process_max_fds",
                "Maximum number of open file descriptors.",
            )?,
            virtual_bytes: IntGauge::new(
                "process_virtual_memory_bytes",
                "Virtual memory size in bytes.",
            )?,
            resident_bytes: IntGauge::new(
                "process_resident_memory_bytes",
                "Resident memory size in bytes.",
            )?,
            start_time: IntGauge::new(
                "process_start_time_seconds",
                "Start time of the process since unix epoch in seconds.",
            )?,
            threads: IntGauge::new("process_threads", "Number of OS threads in the process.")?,
        })
    }

    fn metrics(&self) -> [&dyn Collector; 7] {
        [
            &self.cpu_seconds,
            &self.open_files,
            &self.max_files,
            &self.virtual_bytes,
            &self.resident_bytes,
            &self.start_time,
            &self.threads,
        ]
    }

    /// Sets the metrics, or returns `None` if `/proc` is not readable.
    fn update(&self) -> Option<()> {
        let stat = Stat::parse(&fs::read_to_string("/proc/self/stat").ok()?)?;
        let ticks_per_second = rustix::param::clock_ticks_per_second();
        let cpu_seconds = stat.cpu_ticks / ticks_per_second;
        // Two scrapes may update the counter at once; the later one must not decrease it.
        let counted = self.cpu_seconds.get();
        self.cpu_seconds.inc_by(cpu_seconds.saturating_sub(counted));
        set(&self.virtual_bytes, stat.virtual_bytes);
        let page_bytes = rustix::param::page_size() as u64;
        set(&self.resident_bytes, stat.resident_pages * page_bytes);
        set(&self.threads, stat.threads);
        let start = boot_time()? + stat.start_ticks / ticks_per_second;
        set(&self.start_time, start);
        let open_files = fs::read_dir("/proc/self/fd").ok()?.count();
        set(&self.open_files, open_files as u64);
        if let Some(max) = getrlimit(Resource::Nofile).current {
            set(&self.max_files, max);
        }
        Some(())
    }
}

impl Collector for ProcessCollector {
    fn desc(&self) -> Vec<&Desc> {
        let metrics = self.metrics().into_iter();
        metrics.flat_map(|metric| metric.desc()).collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        if self.update().is_none() {
            return Vec::new();
        }
        let metrics = self.metrics().into_iter();
        metrics.flat_map(|metric| metric.collect()).collect()
    }
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

fn set(gauge: &IntGauge, value: u64) {
    gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
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
        let collector = ProcessCollector::new().expect("the names are valid");
        assert_eq!(collector.desc().len(), 7);
        let families = collector.collect();
        assert_eq!(families.len(), 7);
        for family in &families[1..] {
            let value = family.get_metric()[0].get_gauge().get_value();
            assert!(value > 0.0, "{}", family.name());
        }
    }
}
