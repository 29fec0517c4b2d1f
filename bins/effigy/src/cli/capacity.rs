//! How much the server may take: of memory, of connections.

use clap::Args;
use effigy_service::{Observer, ServiceConfig};

/// Units of bytes; a bare number is in bytes.
const UNITS: [(&str, u32); 7] = [
    ("kib", 10),
    ("mib", 20),
    ("gib", 30),
    ("k", 10),
    ("m", 20),
    ("g", 30),
    ("b", 0),
];

#[derive(Debug, Args)]
pub(crate) struct CapacityArgs {
    /// How much memory pictures may take in front of the database, as in 64MiB; 0 for none.
    #[arg(long, env = "MEMORY_CACHE", default_value = "64MiB", value_parser = bytes)]
    memory_cache: u64,
    /// How many connections may be open at once; more wait for one to end.
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) max_connections: u32,
}

impl CapacityArgs {
    /// The settings of the service, of which `observer` is told.
    pub(crate) fn service(&self, observer: Observer) -> ServiceConfig {
        ServiceConfig {
            memory_cache: self.memory_cache,
            observer,
            ..ServiceConfig::default()
        }
    }
}

/// A number of bytes, with a unit of 1024 of the smaller one or without.
fn bytes(text: &str) -> Result<u64, String> {
    let hint = || "write it as 64MiB, or as a number of bytes".to_owned();
    let lower = text.trim().to_ascii_lowercase();
    let unit = UNITS.iter().find(|(unit, _)| lower.ends_with(unit));
    let (unit, shift) = unit.copied().unwrap_or(("", 0));
    let digits = lower.strip_suffix(unit).unwrap_or(&lower).trim_end();
    let number: u64 = digits.parse().map_err(|_| hint())?;
    number.checked_mul(1 << shift).ok_or_else(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_bytes() {
        let rows = [
            ("0", Some(0)),
            ("1000", Some(1000)),
            ("1000b", Some(1000)),
            ("64MiB", Some(64 << 20)),
            ("64 mib", Some(64 << 20)),
            ("64M", Some(64 << 20)),
            ("512k", Some(512 << 10)),
            ("2GiB", Some(2 << 30)),
            ("", None),
            ("MiB", None),
            ("-1", None),
            ("1.5GiB", None),
            ("64MB", None),
            ("64TiB", None),
            ("18446744073709551615GiB", None),
        ];
        for (text, expected) in rows {
            assert_eq!(bytes(text).ok(), expected, "{text}");
        }
    }
}
