//! The clients that requests are from.

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::Once,
};

use effigy_service::Client;
use hyper::HeaderMap;
use ipnet::IpNet;

/// The header in which proxies report the addresses of their clients.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The address of the clients whom a proxy does not tell. All of them are one.
const UNKNOWN: IpAddr = IpAddr::V6(Ipv6Addr::UNSPECIFIED);

/// Finds the clients of connections and requests.
#[derive(Debug)]
pub(crate) struct Clients {
    /// The peers that are proxies, as the operator has set. By default, peers on loopback and
    /// private networks are trusted as proxies.
    proxies: Option<Vec<IpNet>>,
    /// The networks whose requests are refused.
    denied: Vec<IpNet>,
    unlimited_peer: Once,
}

impl Clients {
    pub(crate) const fn new(proxies: Option<Vec<IpNet>>, denied: Vec<IpNet>) -> Self {
        Self {
            proxies,
            denied,
            unlimited_peer: Once::new(),
        }
    }

    /// Returns the client at the other end of a connection. A trusted peer is not limited, because
    /// it may stand for any number of clients.
    pub(crate) fn of_peer(&self, address: IpAddr) -> Client {
        let address = address.to_canonical();
        if self.trusts(address) {
            Client::unlimited(address)
        } else {
            Client::limited(address)
        }
    }

    /// Returns the client of a request on a peer's connection.
    pub(crate) fn of_request(&self, peer: Client, headers: &HeaderMap) -> Client {
        if !self.trusts(peer.address()) {
            return peer;
        }
        if headers.contains_key(FORWARDED_FOR) {
            let client = self.client_behind(peer.address(), headers);
            return self.of_peer(client);
        }
        if self.proxies.is_none() {
            self.warn_once(peer.address());
        }
        peer
    }

    /// Returns `true` for a peer whose reports are believed.
    pub(crate) fn is_proxy(&self, peer: Client) -> bool {
        self.trusts(peer.address())
    }

    /// Returns `true` for a client in a network that the operator denies.
    pub(crate) fn is_denied(&self, client: Client) -> bool {
        let address = client.address();
        self.denied.iter().any(|network| network.contains(&address))
    }

    /// Returns `true` for the address of a trusted proxy.
    fn trusts(&self, address: IpAddr) -> bool {
        match &self.proxies {
            Some(proxies) => proxies.iter().any(|network| network.contains(&address)),
            None => is_private(address),
        }
    }

    /// Returns the client of a request that a trusted proxy sent: the last address that no trusted
    /// proxy has. It is unknown if the proxy reports something else, because what stands before
    /// that may be invented.
    fn client_behind(&self, proxy: IpAddr, headers: &HeaderMap) -> IpAddr {
        let reports = headers.get_all(FORWARDED_FOR).into_iter().rev();
        let hops = reports.flat_map(|report| report.as_bytes().rsplit(|byte| *byte == b','));
        let mut client = proxy;
        for hop in hops {
            client = parse_node(hop).unwrap_or(UNKNOWN);
            if !self.trusts(client) {
                break;
            }
        }
        client
    }

    fn warn_once(&self, peer: IpAddr) {
        self.unlimited_peer.call_once(|| {
            tracing::warn!(
                %peer,
                "clients behind this private address are not limited, since it sends no \
                 X-Forwarded-For; let the proxy send it, or set --trusted-proxy"
            );
        });
    }
}

/// Returns `true` for an address that no client on the internet has.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            // Providers share `100.64.0.0/10` (RFC 6598).
            let is_shared = matches!(address.octets(), [100, 64..=127, ..]);
            address.is_loopback() || address.is_private() || address.is_link_local() || is_shared
        }
        IpAddr::V6(address) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
}

/// Parses an address, with or without a port, quotes and brackets.
fn parse_node(node: &[u8]) -> Option<IpAddr> {
    let node = str::from_utf8(node).ok()?.trim().trim_matches('"');
    let bare = node.trim_start_matches('[').trim_end_matches(']');
    let address = bare.parse::<IpAddr>();
    let address = address.or_else(|_| node.parse().map(|socket: SocketAddr| socket.ip()));
    address.ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    const PROXIES: [&str; 2] = ["10.0.0.0/8", "fd00::/8"];

    fn clients(trusted: Option<&[&str]>) -> Clients {
        let parse = |networks: &[&str]| networks.iter().map(|text| text.parse().unwrap()).collect();
        Clients::new(trusted.map(parse), Vec::new())
    }

    /// The client's address, or nothing if it is not limited.
    fn client(clients: &Clients, peer: &str, reports: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for report in reports {
            let report = HeaderValue::from_bytes(report.as_bytes()).unwrap();
            headers.append(FORWARDED_FOR, report);
        }
        let peer = clients.of_peer(peer.parse().unwrap());
        let client = clients.of_request(peer, &headers);
        client.is_limited().then(|| client.address().to_string())
    }

    #[test]
    fn a_public_peer_is_the_client_whatever_it_reports() {
        let rows = [
            ("203.0.113.7", "203.0.113.7"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6"),
            ("100.128.0.1", "100.128.0.1"),
        ];
        for (peer, expected) in rows {
            for trusted in [None, Some(&[][..]), Some(&PROXIES[..])] {
                let found = client(&clients(trusted), peer, &["198.51.100.1"]);
                assert_eq!(found.as_deref(), Some(expected), "{peer} {trusted:?}");
            }
        }
    }

    #[test]
    fn a_private_peer_is_trusted_by_default() {
        let private = [
            "127.0.0.1",
            "192.168.1.1",
            "169.254.1.1",
            "100.64.0.1",
            "::1",
            "fd00::1",
            "fe80::1",
        ];
        for peer in private {
            let found = client(&clients(None), peer, &["203.0.113.7"]);
            assert_eq!(found.as_deref(), Some("203.0.113.7"), "{peer}");
            // Nobody knows how many clients it stands for.
            assert_eq!(client(&clients(None), peer, &[]), None, "{peer}");
            // Clients on private networks may come from behind a port that is forwarded.
            assert_eq!(client(&clients(None), peer, &["10.0.0.7"]), None, "{peer}");
        }
    }

    #[test]
    fn without_a_trusted_proxy_a_private_peer_is_a_client() {
        for peer in ["127.0.0.1", "10.0.0.1", "fd00::1"] {
            let found = client(&clients(Some(&[])), peer, &["203.0.113.7"]);
            assert_eq!(found.as_deref(), Some(peer));
        }
    }

    #[test]
    fn a_trusted_proxy_reports_the_client() {
        let rows: [(&str, &[&str], Option<&str>); 16] = [
            ("10.0.0.1", &["203.0.113.7"], Some("203.0.113.7")),
            ("10.0.0.1", &["203.0.113.7:4711"], Some("203.0.113.7")),
            ("fd00::1", &["2001:db8:1:2:3::4"], Some("2001:db8:1:2:3::4")),
            ("fd00::1", &["[2001:db8:1::4]:80"], Some("2001:db8:1::4")),
            // What the client itself has sent comes first.
            ("10.0.0.1", &["192.0.2.1, 203.0.113.7"], Some("203.0.113.7")),
            ("10.0.0.1", &["192.0.2.1", "192.0.2.7"], Some("192.0.2.7")),
            ("10.0.0.1", &["203.0.113.7, 10.0.0.2"], Some("203.0.113.7")),
            // Whatever stands before a text that is no address may be invented, as may be the
            // proxy's.
            ("10.0.0.1", &["203.0.113.7, unknown"], Some("::")),
            ("10.0.0.1", &["unknown, 10.0.0.2"], Some("::")),
            ("10.0.0.1", &["\u{e9}, 203.0.113.7"], Some("203.0.113.7")),
            ("10.0.0.1", &["203.0.113.7, \u{e9}"], Some("::")),
            ("10.0.0.1", &[""], Some("::")),
            ("10.0.0.1", &["192.168.1.1"], Some("192.168.1.1")),
            // A request of the proxy itself.
            ("10.0.0.1", &[], None),
            // Not a proxy, even if it is private.
            ("127.0.0.1", &["203.0.113.7"], Some("127.0.0.1")),
            ("203.0.113.9", &["203.0.113.7"], Some("203.0.113.9")),
        ];
        let clients = clients(Some(&PROXIES));
        for (peer, reports, expected) in rows {
            let found = client(&clients, peer, reports);
            assert_eq!(found.as_deref(), expected, "{peer} {reports:?}");
        }
    }
}
