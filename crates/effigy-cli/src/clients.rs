//! The settings of fair shares: which client a request is from, and what one client may use.

use std::{net::IpAddr, num::NonZeroU32};

use clap::{Args, ValueEnum};
use effigy_http::{AddressHeader, ClientLimits, IpNet, Rate};

use crate::values::count_per_duration;

/// The word for an empty list, or for no limit.
const NONE: &str = "none";

/// The share of each client: an address, or an IPv6 network of 64 bits. Pictures from the cache are
/// never limited.
#[derive(Debug, Args)]
pub struct ClientArgs {
    /// The reverse proxies whose reports about their clients are believed, as addresses or networks
    /// like 10.0.0.0/8; separate several with commas, or repeat the flag. "none" means that there is no proxy.
    /// Without this setting, clients on loopback or private networks are not limited.
    #[arg(long = "trusted-proxy", env = "TRUSTED_PROXY", value_delimiter = ',', value_parser = proxy)]
    trusted_proxies: Vec<Proxy>,
    /// The header in which the proxies report the client.
    #[arg(
        long,
        env = "TRUSTED_PROXY_HEADER",
        value_enum,
        default_value = "x-forwarded-for"
    )]
    trusted_proxy_header: HeaderArg,
    /// The pictures not in the cache that one client may request, like 300/10m: all at once, then
    /// evenly spread; or none for no limit.
    #[arg(long, env = "CLIENT_MISSES", default_value = "300/10m", value_parser = rate)]
    client_misses: Limit<Rate>,
    /// The previews that one client may request, like 200/1m: all at once, then evenly spread; or none
    /// for no limit.
    #[arg(long, env = "CLIENT_PREVIEWS", default_value = "200/1m", value_parser = rate)]
    client_previews: Limit<Rate>,
    /// The large pictures that one client may load at once, or none for no limit.
    #[arg(long, env = "CLIENT_LARGE_PICTURES", default_value = "2", value_parser = count)]
    client_large_pictures: Limit<u32>,
    /// The connections that one client may have open, or none for no limit.
    #[arg(long, env = "CLIENT_CONNECTIONS", default_value = "256", value_parser = count)]
    client_connections: Limit<u32>,
}

/// A trusted network, or the word for none.
#[derive(Debug, Clone, Copy)]
struct Proxy(Option<IpNet>);

/// A limit, or none.
#[derive(Debug, Clone, Copy)]
struct Limit<T>(Option<T>);

#[derive(Debug, Clone, Copy, ValueEnum)]
enum HeaderArg {
    /// The list of addresses that nearly all proxies send.
    XForwardedFor,
    /// The header of RFC 7239.
    Forwarded,
}

impl ClientArgs {
    /// Returns the limits for the server.
    pub fn limits(&self) -> ClientLimits {
        let proxies = self.trusted_proxies.iter();
        let networks = proxies.filter_map(|proxy| proxy.0).collect();
        ClientLimits {
            trusted_proxies: (!self.trusted_proxies.is_empty()).then_some(networks),
            address_header: match self.trusted_proxy_header {
                HeaderArg::XForwardedFor => AddressHeader::XForwardedFor,
                HeaderArg::Forwarded => AddressHeader::Forwarded,
            },
            misses: self.client_misses.0,
            previews: self.client_previews.0,
            large_pictures: self.client_large_pictures.0,
            connections: self.client_connections.0,
        }
    }
}

fn proxy(text: &str) -> Result<Proxy, String> {
    let text = text.trim();
    let hint = || "write an address, or a network like 10.0.0.0/8".to_owned();
    match text {
        NONE => Ok(Proxy(None)),
        _ if text.contains('/') => text.parse().map(|net| Proxy(Some(net))).map_err(|_| hint()),
        _ => {
            let address: IpAddr = text.parse().map_err(|_| hint())?;
            Ok(Proxy(Some(address.into())))
        }
    }
}

fn rate(text: &str) -> Result<Limit<Rate>, String> {
    let hint = || "write it as <number>/<duration>, like 300/10m, or none".to_owned();
    if text == NONE {
        return Ok(Limit(None));
    }
    let (count, period) = count_per_duration(text, hint)?;
    let rate = Rate::new(count, period).ok_or_else(hint)?;
    Ok(Limit(Some(rate)))
}

fn count(text: &str) -> Result<Limit<u32>, String> {
    match text {
        NONE => Ok(Limit(None)),
        _ => {
            let count: NonZeroU32 = text.parse().map_err(|_| "write a number, or none")?;
            Ok(Limit(Some(count.get())))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn proxies() {
        let rows = [
            ("10.0.0.0/8", Some("10.0.0.0/8")),
            ("10.0.0.1", Some("10.0.0.1/32")),
            ("fd00::1", Some("fd00::1/128")),
            ("none", None),
        ];
        for (text, expected) in rows {
            let found = proxy(text).unwrap().0.map(|network| network.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
        for text in ["", "10.0.0", "10.0.0.0/40", "proxy.example.org"] {
            assert!(proxy(text).is_err(), "{text}");
        }
    }

    #[test]
    fn limits() {
        let minute = Duration::from_secs(60);
        assert_eq!(rate("5/1m").unwrap().0, Rate::new(5, minute));
        assert_eq!(rate("none").unwrap().0, None);
        assert_eq!(count("5").unwrap().0, Some(5));
        assert_eq!(count("none").unwrap().0, None);
        for text in ["", "0", "5", "0/1m", "5/0s", "-1/1m", "5/"] {
            assert!(rate(text).is_err(), "{text}");
        }
        assert!(count("0").is_err() && count("-1").is_err());
    }
}
