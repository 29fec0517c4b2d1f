//! The limits of each client, and the proxies that report who it is.

use std::net::IpAddr;

use clap::Args;
use effigy_service::{ClientLimits, Rate};
use effigy_store::LIFETIME;
use effigy_upstream::ConfigError;
use ipnet::IpNet;

use crate::values::{Limit, Parsed, Several, calls, client_bytes, or_none, work};

/// The connections that one client may have open. Browsers open six.
const CONNECTIONS: u32 = 256;

/// The limits of each client: an address, or an IPv6 network of 64 bits. Pictures from the cache
/// are never limited.
#[derive(Debug, Args)]
pub struct ClientArgs {
    /// The reverse proxies in front: addresses or networks, or "none".
    ///
    /// Their X-Forwarded-For is trusted. A network is written like 10.0.0.0/8; separate several
    /// with commas, or repeat the flag. Without this setting, clients on loopback or private
    /// networks are not limited.
    #[arg(long, env, value_parser = networks)]
    trusted_proxy: Vec<Several<IpNet>>,
    /// The calls to upstream services that one client may cause, for example 900/10m: all at once,
    /// then evenly spread; or none for no limit.
    #[arg(long, env, default_value = "900/10m", value_parser = or_none(calls))]
    client_lookups: Limit<Rate>,
    /// The processor time that one client may take, for example 30s/2m: all at once, then evenly
    /// spread; or none for no limit.
    #[arg(long, env, default_value = "30s/2m", value_parser = or_none(work))]
    client_work: Limit<Rate>,
    /// The memory for bytes that wait to be sent to one client or are being uploaded by it, for
    /// example 64MiB; or none for no limit.
    #[arg(long, env, default_value = "64MiB", value_parser = or_none(client_bytes))]
    client_bytes: Limit<u64>,
}

impl ClientArgs {
    /// Returns the limits of each client. Of a database with a maximum size, it may write an eighth
    /// in an hour, after which that is deleted.
    #[must_use]
    pub fn limits(&self, database_bytes: Option<u64>) -> ClientLimits {
        let share_kib = |bytes: u64| u32::try_from(bytes / 8 / 1024).unwrap_or(u32::MAX);
        ClientLimits {
            lookups: self.client_lookups,
            work: self.client_work,
            bytes: self.client_bytes,
            writes: database_bytes.and_then(|bytes| Rate::new(share_kib(bytes), LIFETIME)),
            connections: Some(CONNECTIONS),
        }
    }

    /// Returns the trusted proxies, or `None` if the setting is missing.
    ///
    /// # Errors
    /// If `none` is there together with an address or a network.
    pub fn trusted_proxies(&self) -> Result<Option<Vec<IpNet>>, ConfigError> {
        let given = &self.trusted_proxy;
        if given.len() > 1 && given.iter().any(Vec::is_empty) {
            return Err(ConfigError::new("--trusted-proxy", "none", "must be alone"));
        }
        if given.is_empty() {
            return Ok(None);
        }
        Ok(Some(given.concat()))
    }
}

fn networks(text: &str) -> Parsed<Several<IpNet>> {
    match text.trim() {
        "none" => Ok(Vec::new()),
        text => text.split(',').map(|word| network(word.trim())).collect(),
    }
}

fn network(text: &str) -> Parsed<IpNet> {
    let address = text.parse().map(|address: IpAddr| address.into());
    let network = address.or_else(|_| text.parse());
    network.map_err(|_| "write none alone, or addresses or networks, for example 10.0.0.0/8")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::Parser;

    use super::*;
    use crate::Cli;

    fn parse(arguments: &[&str]) -> Option<ClientArgs> {
        let cli = Cli::try_parse_from([&["effigy"], arguments].concat());
        Some(cli.ok()?.serve.clients)
    }

    #[test]
    fn proxies() {
        let rows = [
            ("10.0.0.0/8", vec!["10.0.0.0/8"]),
            ("10.0.0.1, fd00::1", vec!["10.0.0.1/32", "fd00::1/128"]),
            ("none", vec![]),
        ];
        for (text, expected) in rows {
            let found = parse(&["--trusted-proxy", text]).unwrap();
            let found = found.trusted_proxies().unwrap().unwrap();
            let found: Vec<String> = found.iter().map(IpNet::to_string).collect();
            assert_eq!(found, expected, "{text}");
        }
        assert_eq!(parse(&[]).unwrap().trusted_proxies(), Ok(None));
        for text in ["", "10.0.0", "10.0.0.0/40", "proxy.example.org", "::1,none"] {
            assert!(parse(&["--trusted-proxy", text]).is_none(), "{text}");
        }
        // None is alone.
        let [none, one, other] =
            ["none", "::1", "::2"].map(|text| format!("--trusted-proxy={text}"));
        for (flags, count) in [
            ([&*none, &*one], None),
            ([&none, &none], None),
            ([&one, &other], Some(2)),
        ] {
            let found = parse(&flags).unwrap().trusted_proxies().ok();
            let found = found.map(|networks| networks.unwrap().len());
            assert_eq!(found, count, "{flags:?}");
        }
    }

    #[test]
    fn limits() {
        let minute = Duration::from_secs(60);
        let limits = parse(&[]).unwrap().limits(None);
        assert_eq!(limits.lookups, Rate::new(900, 10 * minute));
        assert_eq!(limits.work, Rate::new(30_000, 2 * minute));
        assert_eq!(
            (limits.bytes, limits.connections),
            (Some(64 << 20), Some(256))
        );
        let flags = [
            "--client-lookups=none",
            "--client-work=none",
            "--client-bytes=none",
        ];
        let unlimited = parse(&flags).unwrap().limits(None);
        assert_eq!((unlimited.lookups, unlimited.work), (None, None));
        assert_eq!(unlimited.bytes, None);
        // Zero and too small values are mistakes. The parsers have tests of their own.
        for flag in [
            "--client-lookups=0",
            "--client-lookups=5",
            "--client-work=0",
            "--client-work=5s",
            "--client-bytes=0",
            "--client-bytes=1",
        ] {
            assert!(parse(&[flag]).is_none(), "{flag}");
        }
    }
}
