//! The clients that requests are from.

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::{Arc, Once},
};

use effigy_service::{Client, Gate};
use hyper::HeaderMap;
use ipnet::IpNet;

/// The address of the clients whom a proxy does not tell. All of them are one.
const UNKNOWN: IpAddr = IpAddr::V6(Ipv6Addr::UNSPECIFIED);

/// Finds the clients of connections and requests.
#[derive(Debug)]
pub(crate) struct Clients {
    gate: Arc<Gate>,
    /// The peers whose reports about their clients are believed, if it is known which are proxies.
    proxies: Option<Vec<IpNet>>,
    unlimited_peer: Once,
}

impl Clients {
    pub(crate) fn new(gate: Arc<Gate>, trusted_proxies: Option<Vec<IpNet>>) -> Self {
        Self {
            gate,
            proxies: trusted_proxies,
            unlimited_peer: Once::new(),
        }
    }

    /// Returns the client of a request on a peer's connection.
    pub(crate) fn of_request(&self, peer: &Client, headers: &HeaderMap) -> Client {
        match self.trusts(peer.address()) {
            true => self.at(self.client_behind(peer.address(), headers)),
            false => peer.clone(),
        }
    }

    /// Returns the client, or trusted proxy, at an address.
    pub(crate) fn at(&self, address: IpAddr) -> Client {
        let address = address.to_canonical();
        let is_limited = self.limits(address);
        if !is_limited && self.proxies.is_none() {
            self.unlimited_peer.call_once(|| {
                tracing::warn!(
                    peer = %address,
                    "clients are not limited, since they come from a private address; set --trusted-proxy to \
                     the address of the proxy, or to none if there is no proxy"
                );
            });
        }
        self.gate.client(address, is_limited)
    }

    /// Returns `true` for the address of a trusted proxy.
    fn trusts(&self, address: IpAddr) -> bool {
        let mut trusted = self.proxies.iter().flatten();
        trusted.any(|network| network.contains(&address))
    }

    /// Returns `true` if a client at this address is limited. A limited proxy would turn all visitors into one client, so
    /// trusted ones are not, nor private addresses if nobody knows whether there is a proxy.
    fn limits(&self, address: IpAddr) -> bool {
        match self.proxies {
            Some(_) => !self.trusts(address),
            None => !is_private(address),
        }
    }

    /// Returns the client of a request that a trusted proxy sent: the last address that no trusted proxy has. It is
    /// nobody's if the proxy reports something else, because a client without a limit must be known.
    fn client_behind(&self, proxy: IpAddr, headers: &HeaderMap) -> IpAddr {
        let reports = headers.get_all("x-forwarded-for").into_iter().rev();
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
    use effigy_service::ClientLimits;
    use hyper::header::HeaderValue;

    use super::*;

    const PROXIES: [&str; 2] = ["10.0.0.0/8", "fd00::/8"];

    fn clients(trusted: Option<&[&str]>) -> Clients {
        let gate = Gate::new(ClientLimits::default()).unwrap();
        let parse = |trusted: &[&str]| trusted.iter().map(|text| text.parse().unwrap()).collect();
        Clients::new(gate, trusted.map(parse))
    }

    /// The client's address, or nothing if it is not limited.
    fn client(clients: &Clients, peer: &str, reports: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for report in reports {
            let report = HeaderValue::from_bytes(report.as_bytes()).unwrap();
            headers.append("x-forwarded-for", report);
        }
        let peer = clients.at(peer.parse().unwrap());
        let client = clients.of_request(&peer, &headers).address();
        clients.limits(client).then(|| client.to_string())
    }

    #[test]
    fn without_a_proxy_the_peer_is_the_client() {
        let rows = [
            ("203.0.113.7", Some("203.0.113.7")),
            ("::ffff:203.0.113.7", Some("203.0.113.7")),
            ("2001:db8:1:2:3:4:5:6", Some("2001:db8:1:2:3:4:5:6")),
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
        let (unknown, none) = (clients(None), clients(Some(&[])));
        for (peer, expected) in rows {
            // It may say what it likes.
            let found = client(&unknown, peer, &["198.51.100.1"]);
            assert_eq!(found.as_deref(), expected, "{peer}");
            // Private peers are clients if there is no proxy.
            let found = client(&none, peer, &["198.51.100.1"]);
            assert_eq!(found.as_deref(), expected.or(Some(peer)), "{peer}");
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
            // Whatever stands before a text that is no address may be invented, as may be the proxy's.
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
