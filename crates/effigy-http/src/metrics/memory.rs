//! The memory of this process.

use std::fs;

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

impl Memory {
    /// Returns the memory of this process, if the system reports it.
    pub(crate) fn of_this_process() -> Option<Self> {
        Self::parse(&fs::read_to_string("/proc/self/status").ok()?)
    }

    fn parse(status: &str) -> Option<Self> {
        Some(Self {
            used: megabytes(status, "RssAnon:")?,
            total: megabytes(status, "VmRSS:")?,
        })
    }
}

/// Reads a line such as `VmRSS: 5124 kB` in MB.
fn megabytes(status: &str, name: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u32 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((f64::from(kilobytes) / 1024.0 * 10.0).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_status_is_read() {
        let status = "Name:\teffigy\nVmRSS:\t   10240 kB\nRssAnon:\t    2611 kB\nThreads:\t5\n";
        let memory = Memory::parse(status);
        assert_eq!(
            memory,
            Some(Memory {
                used: 2.5,
                total: 10.0
            })
        );
        assert_eq!(Memory::parse("Name:\teffigy\n"), None);
        assert_eq!(Memory::parse("VmRSS:\tmuch kB\nRssAnon:\t1 kB\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_uses_some() {
        let memory = Memory::of_this_process().expect("the system reports it");
        assert!(
            memory.used > 0.0 && memory.used <= memory.total,
            "{memory:?}"
        );
    }
}
