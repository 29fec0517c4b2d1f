//! The rates of each client, and the proxies that report who it is.

use std::net::IpAddr;

use clap::Args;
use effigy_service::{ClientRates, Rate};
use effigy_upstream::ConfigError;
use ipnet::IpNet;

use crate::values::{Limit, Parsed, Several, calls, drawing, or_none};

/// The settings of 0.2 that have no effect any more, each with the one that replaces it.
const REPLACED: [(&str, &str); 3] = [
    ("--client-work", "--client-drawing"),
    ("--client-lookups", "--client-calls"),
    ("--client-bytes", "no other setting"),
];

/// The rates of each client: an IPv4 address, or an IPv6 network of 64 bits. Pictures from the cache
/// are never limited.
#[derive(Debug, Args)]
pub struct ClientArgs {
    /// The reverse proxies in front: addresses or networks, or "none".
    ///
    /// Their X-Forwarded-For is trusted, so they must overwrite or append it. A network is written
    /// like 10.0.0.0/8; separate several with commas, or repeat the flag. By default, peers on
    /// loopback and private networks are trusted, and not limited if they send no such header.
    #[arg(long, env, value_parser = networks)]
    trusted_proxy: Vec<Several<IpNet>>,
    /// A network whose requests are answered with 403, for example 203.0.113.0/24.
    ///
    /// Repeat the flag, or separate several with commas. A single address is a network, too. The
    /// client behind a trusted proxy counts, as for the rates.
    #[arg(long, env, value_name = "NETWORK", value_parser = denied_networks)]
    deny: Vec<Several<IpNet>>,
    /// The drawing that one client may cause, in processor time, for example 30s/2m: all at once,
    /// then evenly spread; or none for no limit.
    #[arg(long, env, default_value = "30s/2m", value_parser = or_none(drawing))]
    client_drawing: Limit<Rate>,
    /// The calls to upstream services that one client may cause, for example 900/10m: all at once,
    /// then evenly spread; or none for no limit.
    #[arg(long, env, default_value = "900/10m", value_parser = or_none(calls))]
    client_calls: Limit<Rate>,
    /// Replaced by --client-drawing.
    #[arg(long, env, hide = true)]
    client_work: Option<String>,
    /// Replaced by --client-calls.
    #[arg(long, env, hide = true)]
    client_lookups: Option<String>,
    /// Has no effect any more.
    #[arg(long, env, hide = true)]
    client_bytes: Option<String>,
}

impl ClientArgs {
    /// Returns the rates of each client.
    #[must_use]
    pub const fn rates(&self) -> ClientRates {
        ClientRates {
            drawing: self.client_drawing,
            calls: self.client_calls,
        }
    }

    /// Returns the networks whose requests are refused.
    #[must_use]
    pub fn denied(&self) -> Vec<IpNet> {
        self.deny.concat()
    }

    /// Returns a warning for each setting that is given and has no effect any more.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let given = [
            self.client_work.is_some(),
            self.client_lookups.is_some(),
            self.client_bytes.is_some(),
        ];
        let replaced = REPLACED.iter().zip(given).filter(|(_, given)| *given);
        let warnings = replaced.map(|((old, new), _)| {
            format!("{old} has no effect any more and will be removed; {new} replaces it")
        });
        warnings.collect()
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
    let network = address_or_network(text);
    network.ok_or("write none alone, or addresses or networks, for example 10.0.0.0/8")
}

fn denied_networks(text: &str) -> Parsed<Several<IpNet>> {
    let words = text.split(',').map(str::trim);
    let networks: Option<Vec<IpNet>> = words.map(address_or_network).collect();
    networks.ok_or("write addresses or networks, for example 203.0.113.0/24 or 2001:db8::/32")
}

fn address_or_network(text: &str) -> Option<IpNet> {
    if let Ok(address) = text.parse::<IpAddr>() {
        return Some(address.into());
    }
    text.parse().ok()
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
    fn denied_networks_add_up() {
        assert!(parse(&[]).unwrap().denied().is_empty());
        let flags = ["--deny=203.0.113.0/24, 2001:db8::/32", "--deny=192.0.2.7"];
        let denied = parse(&flags).unwrap().denied();
        let denied: Vec<String> = denied.iter().map(IpNet::to_string).collect();
        assert_eq!(denied, ["203.0.113.0/24", "2001:db8::/32", "192.0.2.7/32"]);
        for text in ["", "none", "203.0.113.0/40", "example.org", "192.0.2.7,"] {
            assert!(parse(&["--deny", text]).is_none(), "{text}");
        }
    }

    #[test]
    fn rates_have_defaults_and_can_be_turned_off() {
        let minute = Duration::from_secs(60);
        let rates = parse(&[]).unwrap().rates();
        assert_eq!(rates.calls, Rate::new(900, 10 * minute));
        assert_eq!(rates.drawing, Rate::new(30_000, 2 * minute));
        let flags = ["--client-calls=none", "--client-drawing=none"];
        assert_eq!(parse(&flags).unwrap().rates(), ClientRates::default());
        // The parsers have tests of their own.
        for flag in [
            "--client-calls=0",
            "--client-calls=5",
            "--client-drawing=0",
            "--client-drawing=5s",
        ] {
            assert!(parse(&[flag]).is_none(), "{flag}");
        }
    }

    #[test]
    fn settings_without_effect_are_named_with_their_successors() {
        assert!(parse(&[]).unwrap().warnings().is_empty());
        let flags = [
            "--client-work=5s/1m",
            "--client-lookups=none",
            "--client-bytes=1GiB",
        ];
        let warnings = parse(&flags).unwrap().warnings();
        assert_eq!(warnings.len(), 3);
        assert!(warnings[0].contains("--client-work") && warnings[0].contains("--client-drawing"));
        assert!(warnings[1].contains("--client-lookups") && warnings[1].contains("--client-calls"));
        assert!(warnings[2].contains("--client-bytes"));
    }
}
