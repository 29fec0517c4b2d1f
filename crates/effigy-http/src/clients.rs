//! The clients that requests are from, each an address, or an IPv6 network of 64 bits.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    str::FromStr,
    sync::Once,
};

use effigy_service::{Client, Service};
use hyper::HeaderMap;
use ipnet::IpNet;

/// The bits of an IPv6 address that name a client, which usually has the rest to itself.
const NETWORK_BITS: u32 = 64;

/// Finds the clients of connections and requests.
#[derive(Debug)]
pub(crate) struct Clients {
    service: Service,
    proxies: Proxies,
    unlimited_peer: Once,
}

/// The sender of requests: a client, or a trusted proxy with clients behind it.
#[derive(Debug, Clone)]
pub(crate) struct Sender {
    /// The address that is known best.
    pub(crate) address: IpAddr,
    pub(crate) client: Client,
}

/// The peers whose reports about their clients are believed. With `None` nobody knows whether there is a
/// proxy, so peers on loopback or private networks are not limited: a proxy would turn all visitors into one
/// client.
#[derive(Debug)]
struct Proxies(Option<Vec<IpNet>>);

impl Clients {
    pub(crate) fn new(service: Service, trusted_proxies: Option<Vec<IpNet>>) -> Self {
        Self {
            service,
            proxies: Proxies(trusted_proxies),
            unlimited_peer: Once::new(),
        }
    }

    /// Returns the sender at the other end of a connection.
    pub(crate) fn peer(&self, peer: IpAddr) -> Sender {
        self.sender(peer.to_canonical())
    }

    /// Returns the sender of a request on a peer's connection.
    pub(crate) fn sender_of(&self, peer: &Sender, headers: &HeaderMap) -> Sender {
        match self.proxies.trust(peer.address) {
            true => self.sender(self.proxies.client_behind(peer.address, headers)),
            false => peer.clone(),
        }
    }

    fn sender(&self, address: IpAddr) -> Sender {
        if self.proxies.0.is_none() && is_private(address) {
            self.unlimited_peer.call_once(|| {
                tracing::warn!(
                    peer = %address,
                    "clients are not limited, since they come from a private address; set --trusted-proxy to \
                     the address of the proxy, or to none if there is no proxy"
                );
            });
        }
        let is_limited = self.proxies.is_limited(address);
        let client = self.service.client(network(address), is_limited);
        Sender { address, client }
    }
}

impl Proxies {
    /// Returns `true` for the address of a trusted proxy.
    fn trust(&self, address: IpAddr) -> bool {
        let mut trusted = self.0.iter().flatten();
        trusted.any(|network| network.contains(&address))
    }

    /// Returns `true` for the address of a client, or one that cannot be a proxy.
    fn is_limited(&self, address: IpAddr) -> bool {
        match self.0 {
            Some(_) => !self.trust(address),
            None => !is_private(address),
        }
    }

    /// Returns the client of a request that a trusted proxy sent: the last address that no trusted proxy has.
    fn client_behind(&self, proxy: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = proxy;
        for hop in hops(headers).into_iter().rev() {
            // Whatever stands before a text that is no address may be invented.
            let Some(address) = hop else { break };
            client = address;
            if !self.trust(address) {
                break;
            }
        }
        client
    }
}

/// Returns the address that stands for all of a client's addresses.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let mask = u128::MAX << (u128::BITS - NETWORK_BITS);
            Ipv6Addr::from_bits(address.to_bits() & mask).into()
        }
    }
}

/// Reads the addresses that the proxies report, that of the nearest last.
fn hops(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let values = headers.get_all("x-forwarded-for").into_iter();
    let values = values.map(|value| value.to_str().unwrap_or_default());
    values
        .flat_map(|value| value.split(','))
        .map(parse_node)
        .collect()
}

/// Parses an address, with or without a port, quotes and brackets.
fn parse_node(node: &str) -> Option<IpAddr> {
    let node = node.trim().trim_matches('"');
    let bare = node.trim_start_matches('[').trim_end_matches(']');
    let address = IpAddr::from_str(bare).or_else(|_| Ok(SocketAddr::from_str(node)?.ip()));
    address
        .map(|address| address.to_canonical())
        .map_err(|_: std::net::AddrParseError| ())
        .ok()
}

/// Returns `true` for addresses that are not those of clients on the internet.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            // 100.64.0.0/10, which providers share. RFC 6598.
            let is_shared = Ipv4Addr::to_bits(address) >> 22 == 0b01_1001_0001;
            address.is_loopback() || address.is_private() || address.is_link_local() || is_shared
        }
        IpAddr::V6(address) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    const PROXIES: [&str; 2] = ["10.0.0.0/8", "fd00::/8"];

    fn proxies(trusted: Option<&[&str]>) -> Proxies {
        let parse = |trusted: &[&str]| trusted.iter().map(|text| text.parse().unwrap()).collect();
        Proxies(trusted.map(parse))
    }

    /// The client's network, or nothing if it is not limited.
    fn client(proxies: &Proxies, peer: &str, reports: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for report in reports {
            headers.append("x-forwarded-for", HeaderValue::from_str(report).unwrap());
        }
        let mut client = peer.parse::<IpAddr>().unwrap().to_canonical();
        if proxies.trust(client) {
            client = proxies.client_behind(client, &headers);
        }
        proxies
            .is_limited(client)
            .then(|| network(client).to_string())
    }

    #[test]
    fn without_a_proxy_the_peer_is_the_client() {
        let rows = [
            ("203.0.113.7", Some("203.0.113.7")),
            ("::ffff:203.0.113.7", Some("203.0.113.7")),
            ("2001:db8:1:2:3:4:5:6", Some("2001:db8:1:2::")),
            // Nobody knows whether these are proxies.
            ("127.0.0.1", None),
            ("192.168.1.1", None),
            ("169.254.1.1", None),
            ("100.64.0.1", None),
            ("100.128.0.1", Some("100.128.0.1")),
            ("::1", None),
            ("fd00::1", None),
            ("fe80::1", None),
        ];
        let proxies = proxies(None);
        for (peer, expected) in rows {
            // It may say what it likes.
            let found = client(&proxies, peer, &["198.51.100.1"]);
            assert_eq!(found.as_deref(), expected, "{peer}");
        }
    }

    #[test]
    fn private_peers_are_clients_if_there_is_no_proxy() {
        let proxies = proxies(Some(&[]));
        let found = client(&proxies, "127.0.0.1", &["192.0.2.1"]);
        assert_eq!(found.as_deref(), Some("127.0.0.1"));
    }

    #[test]
    fn a_trusted_proxy_reports_the_client() {
        let rows: [(&str, &[&str], Option<&str>); 12] = [
            ("10.0.0.1", &["203.0.113.7"], Some("203.0.113.7")),
            ("10.0.0.1", &["203.0.113.7:4711"], Some("203.0.113.7")),
            ("fd00::1", &["2001:db8:1:2:3::4"], Some("2001:db8:1:2::")),
            (
                "fd00::1",
                &["[2001:db8:1:2:3::4]:80"],
                Some("2001:db8:1:2::"),
            ),
            // What the client itself has sent comes first.
            ("10.0.0.1", &["192.0.2.1, 203.0.113.7"], Some("203.0.113.7")),
            (
                "10.0.0.1",
                &["192.0.2.1", "203.0.113.7"],
                Some("203.0.113.7"),
            ),
            ("10.0.0.1", &["203.0.113.7, 10.0.0.2"], Some("203.0.113.7")),
            ("10.0.0.1", &["203.0.113.7, unknown"], None),
            ("10.0.0.1", &["192.168.1.1"], Some("192.168.1.1")),
            // A request of the proxy itself.
            ("10.0.0.1", &[], None),
            // Not a proxy, even if it is private.
            ("127.0.0.1", &["203.0.113.7"], Some("127.0.0.1")),
            ("203.0.113.9", &["203.0.113.7"], Some("203.0.113.9")),
        ];
        let proxies = proxies(Some(&PROXIES));
        for (peer, reports, expected) in rows {
            let found = client(&proxies, peer, reports);
            assert_eq!(found.as_deref(), expected, "{peer} {reports:?}");
        }
    }
}
