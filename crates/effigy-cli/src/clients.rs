//! The limits of each client, and the proxies that report the addresses of clients.

use std::net::IpAddr;

use clap::Args;
use effigy_service::{ClientRates, Rate};
use ipnet::IpNet;

use crate::UsageError;
use crate::values::{Limit, Parsed, Several, calls, drawing, or_none};

/// The limits of each client. A client is an IPv4 address, or an IPv6 network of 64 bits. Pictures
/// from the cache are never limited.
#[derive(Debug, Args)]
pub struct ClientArgs {
    /// The reverse proxies in front: addresses or networks, or "none".
    ///
    /// Their X-Forwarded-For header is trusted, so they must overwrite it or append to it. A
    /// network is written like 10.0.0.0/8; separate several with commas, or repeat the flag. By
    /// default, peers on loopback and private networks are trusted. If such a peer sends no header,
    /// it isn't limited.
    #[arg(long, env, value_name = "NETWORK", value_parser = networks)]
    trusted_proxy: Vec<Several<IpNet>>,
    /// A network whose requests are answered with 403, for example 203.0.113.0/24.
    ///
    /// Repeat the flag, or separate several with commas. A single address is a network, too. Behind
    /// a trusted proxy, the address of the client is compared.
    #[arg(long, env, value_name = "NETWORK", value_parser = denied_networks)]
    deny: Vec<Several<IpNet>>,
    /// The processor time that one client may spend on drawing, for example 30s in 2 minutes,
    /// 30s/2m; none means no limit.
    ///
    /// The client may spend all of it at once, and then gets it back evenly.
    #[arg(long, env, value_name = "RATE", default_value = "30s/2m")]
    #[arg(value_parser = or_none(drawing))]
    client_drawing: Limit<Rate>,
    /// The calls to upstream services that one client may cause, for example 900 in 10 minutes,
    /// 900/10m; none means no limit.
    ///
    /// The client may cause all of them at once, and then gets them back evenly.
    #[arg(long, env, value_name = "RATE", default_value = "900/10m", value_parser = or_none(calls))]
    client_calls: Limit<Rate>,
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

    /// Returns the trusted proxies, or `None` if the setting is missing.
    ///
    /// # Errors
    /// If `none` is given together with an address or a network.
    pub fn trusted_proxies(&self) -> Result<Option<Vec<IpNet>>, UsageError> {
        let given = &self.trusted_proxy;
        if given.len() > 1 && given.iter().any(Vec::is_empty) {
            let problem = "\"none\" cannot be combined with other values";
            return Err(UsageError::new("--trusted-proxy", problem));
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
    fn proxies_are_addresses_or_networks() {
        let rows = [
            ("10.0.0.0/8", vec!["10.0.0.0/8"]),
            ("10.0.0.1, fd00::1", vec!["10.0.0.1/32", "fd00::1/128"]),
            ("none", vec![]),
        ];
        for (text, expected) in rows {
            let args = parse(&["--trusted-proxy", text]).unwrap();
            let networks = args.trusted_proxies().unwrap().unwrap();
            let networks: Vec<String> = networks.iter().map(IpNet::to_string).collect();
            assert_eq!(networks, expected, "{text}");
        }
        assert_eq!(parse(&[]).unwrap().trusted_proxies(), Ok(None));
        for text in ["", "10.0.0", "10.0.0.0/40", "proxy.example.org", "::1,none"] {
            assert!(parse(&["--trusted-proxy", text]).is_none(), "{text}");
        }
    }

    #[test]
    fn no_proxy_cannot_be_combined_with_proxies() {
        for (first, second, expected) in [
            ("none", "::1", None),
            ("none", "none", None),
            ("::1", "::2", Some(2)),
        ] {
            let args = parse(&["--trusted-proxy", first, "--trusted-proxy", second]).unwrap();
            let networks = args.trusted_proxies().ok().flatten();
            let count = networks.map(|networks| networks.len());
            assert_eq!(count, expected, "{first} {second}");
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
}
