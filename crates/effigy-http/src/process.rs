//! The resources that this process uses, where the system reports them.

use serde::Serialize;

/// Memory in MB, to a tenth.
///
/// The numbers are the kernel's, because an allocator's cannot be read without unsafe code: `used` is
/// the resident anonymous memory (heap and stacks), and `total` is all resident memory, program code
/// included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Memory {
    used: f64,
    total: f64,
}

/// The name and value of a metric.
type Sample = (&'static str, u64);

impl Memory {
    /// Reads the memory of this process, if the system reports it.
    #[cfg(target_os = "linux")]
    pub(crate) fn read() -> Option<Self> {
        let status = procfs::process::Process::myself().ok()?.status().ok()?;
        let megabytes = |kilobytes: u64| (kilobytes as f64 / 1024.0 * 10.0).round() / 10.0;
        Some(Self {
            used: megabytes(status.rssanon?),
            total: megabytes(status.vmrss?),
        })
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) const fn read() -> Option<Self> {
        None
    }
}

/// Reads the resources of this process, if the system reports them, under the names that Prometheus' client
/// libraries share.
#[cfg(target_os = "linux")]
pub(crate) fn samples() -> Option<Vec<Sample>> {
    use procfs::process::{LimitValue, Process};

    let process = Process::myself().ok()?;
    let stat = process.stat().ok()?;
    let ticks = procfs::ticks_per_second();
    let max_files = match process.limits().ok()?.max_open_files.soft_limit {
        LimitValue::Value(files) => files,
        LimitValue::Unlimited => 0,
    };
    let start = procfs::boot_time_secs().ok()? + stat.starttime / ticks;
    Some(vec![
        (
            "process_cpu_seconds_total",
            (stat.utime + stat.stime) / ticks,
        ),
        ("process_open_fds", process.fd_count().ok()? as u64),
        ("process_max_fds", max_files),
        ("process_virtual_memory_bytes", stat.vsize),
        (
            "process_resident_memory_bytes",
            stat.rss * procfs::page_size(),
        ),
        ("process_start_time_seconds", start),
        ("process_threads", stat.num_threads.cast_unsigned()),
    ])
}

#[cfg(not(target_os = "linux"))]
pub(crate) const fn samples() -> Option<Vec<Sample>> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_some_of_everything() {
        let samples = samples().expect("the system reports them");
        // It may have taken less than a second of processor time.
        let mut used = samples[1..].iter();
        assert!(used.all(|(_, value)| *value > 0), "{samples:?}");
        let memory = Memory::read().expect("the system reports it");
        assert!(
            memory.used > 0.0 && memory.used <= memory.total,
            "{memory:?}"
        );
    }
}
