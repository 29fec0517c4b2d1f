//! The resources that this process uses, where the system reports them.

use serde::Serialize;

/// The resources that this process uses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Process {
    pub(super) cpu_seconds: u64,
    pub(super) open_files: usize,
    /// Zero is no limit.
    pub(super) max_open_files: u64,
    pub(super) virtual_bytes: u64,
    pub(super) resident_bytes: u64,
    pub(super) start_seconds: u64,
    pub(super) threads: i64,
}

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

#[cfg(target_os = "linux")]
impl Memory {
    /// Reads the memory of this process, if the system reports it.
    pub(crate) fn read() -> Option<Self> {
        let status = procfs::process::Process::myself().ok()?.status().ok()?;
        let megabytes = |kilobytes: u64| (kilobytes as f64 / 1024.0 * 10.0).round() / 10.0;
        Some(Self {
            used: megabytes(status.rssanon?),
            total: megabytes(status.vmrss?),
        })
    }
}

#[cfg(target_os = "linux")]
impl Process {
    /// Reads the resources of this process, if the system reports them.
    pub(super) fn read() -> Option<Self> {
        use procfs::process::LimitValue;

        let process = procfs::process::Process::myself().ok()?;
        let stat = process.stat().ok()?;
        let ticks_per_second = procfs::ticks_per_second();
        Some(Self {
            cpu_seconds: (stat.utime + stat.stime) / ticks_per_second,
            open_files: process.fd_count().ok()?,
            max_open_files: match process.limits().ok()?.max_open_files.soft_limit {
                LimitValue::Value(files) => files,
                LimitValue::Unlimited => 0,
            },
            virtual_bytes: stat.vsize,
            resident_bytes: stat.rss * procfs::page_size(),
            start_seconds: procfs::boot_time_secs().ok()? + stat.starttime / ticks_per_second,
            threads: stat.num_threads,
        })
    }
}

#[cfg(not(target_os = "linux"))]
impl Memory {
    pub(crate) const fn read() -> Option<Self> {
        None
    }
}

#[cfg(not(target_os = "linux"))]
impl Process {
    pub(super) const fn read() -> Option<Self> {
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_some_of_everything() {
        let process = Process::read().expect("the system reports it");
        assert!(process.open_files > 0 && process.threads > 0, "{process:?}");
        assert!(
            process.virtual_bytes > process.resident_bytes,
            "{process:?}"
        );
        let memory = Memory::read().expect("the system reports it");
        assert!(
            memory.used > 0.0 && memory.used <= memory.total,
            "{memory:?}"
        );
    }
}
