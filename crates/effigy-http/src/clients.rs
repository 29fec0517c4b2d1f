//! The clients that requests are from.

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::Once,
};

use effigy_service::{Client, Service};
use hyper::HeaderMap;
use ipnet::IpNet;

/// The networks whose addresses are not those of clients on the internet. Providers share `100.64.0.0/10`
/// (RFC 6598).
const PRIVATE: [&str; 9] = [
    "127.0.0.0/8",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "100.64.0.0/10",
    "::1/128",
    "fc00::/7",
    "fe80::/10",
];

/// The address of the clients whom a proxy does not tell. All of them are one.
const UNKNOWN: IpAddr = IpAddr::V6(Ipv6Addr::UNSPECIFIED);

/// Finds the clients of connections and requests.
#[derive(Debug)]
pub(crate) struct Clients {
    service: Service,
    proxies: Proxies,
    unlimited_peer: Once,
}

/// The peers whose reports about their clients are believed.
#[derive(Debug)]
struct Proxies {
    trusted: Vec<IpNet>,
    /// The peers that are not limited: a limited proxy would turn all visitors into one client. They are the
    /// trusted ones, or all private ones if nobody knows whether there is a proxy.
    unlimited: Vec<IpNet>,
}

impl Clients {
    pub(crate) fn new(service: Service, trusted_proxies: Option<Vec<IpNet>>) -> Self {
        Self {
            service,
            proxies: Proxies::new(trusted_proxies),
            unlimited_peer: Once::new(),
        }
    }

    /// Returns the client of a request on a peer's connection.
    pub(crate) fn of_request(&self, peer: &Client, headers: &HeaderMap) -> Client {
        match self.proxies.trust(peer.address()) {
            true => self.at(self.proxies.client_behind(peer.address(), headers)),
            false => peer.clone(),
        }
    }

    /// Returns the client, or trusted proxy, at an address.
    pub(crate) fn at(&self, address: IpAddr) -> Client {
        let address = address.to_canonical();
        let is_limited = self.proxies.limit(address);
        if !is_limited && !self.proxies.trust(address) {
            self.unlimited_peer.call_once(|| {
                tracing::warn!(
                    peer = %address,
                    "clients are not limited, since they come from a private address; set --trusted-proxy to \
                     the address of the proxy, or to none if there is no proxy"
                );
            });
        }
        self.service.gate().client(address, is_limited)
    }
}

impl Proxies {
    fn new(trusted: Option<Vec<IpNet>>) -> Self {
        let parse = |network: &str| network.parse().expect("it is a network");
        let private = || PRIVATE.into_iter().map(parse).collect();
        Self {
            unlimited: trusted.clone().unwrap_or_else(private),
            trusted: trusted.unwrap_or_default(),
        }
    }

    /// Returns `true` for the address of a trusted proxy.
    fn trust(&self, address: IpAddr) -> bool {
        self.trusted
            .iter()
            .any(|network| network.contains(&address))
    }

    /// Returns `true` for the address of a client, or one that cannot be a proxy.
    fn limit(&self, address: IpAddr) -> bool {
        let mut unlimited = self.unlimited.iter();
        !unlimited.any(|network| network.contains(&address))
    }

    /// Returns the client of a request that a trusted proxy sent: the last address that no trusted proxy has. It is
    /// nobody's if the proxy reports something else, because a client without a limit must be known.
    fn client_behind(&self, proxy: IpAddr, headers: &HeaderMap) -> IpAddr {
        let reports = headers.get_all("x-forwarded-for").into_iter().rev();
        let hops = reports.flat_map(|report| report.as_bytes().rsplit(|byte| *byte == b','));
        let mut client = proxy;
        for hop in hops {
            client = parse_node(hop).unwrap_or(UNKNOWN);
            if !self.trust(client) {
                break;
            }
        }
        client
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

    fn proxies(trusted: Option<&[&str]>) -> Proxies {
        let parse = |trusted: &[&str]| trusted.iter().map(|text| text.parse().unwrap()).collect();
        Proxies::new(trusted.map(parse))
    }

    /// The client's address, or nothing if it is not limited.
    fn client(proxies: &Proxies, peer: &str, reports: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for report in reports {
            headers.append(
                "x-forwarded-for",
                HeaderValue::from_bytes(report.as_bytes()).unwrap(),
            );
        }
        let mut client = peer.parse::<IpAddr>().unwrap().to_canonical();
        if proxies.trust(client) {
            client = proxies.client_behind(client, &headers);
        }
        proxies.limit(client).then(|| client.to_string())
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
        let rows: [(&str, &[&str], Option<&str>); 16] = [
            ("10.0.0.1", &["203.0.113.7"], Some("203.0.113.7")),
            ("10.0.0.1", &["203.0.113.7:4711"], Some("203.0.113.7")),
            ("fd00::1", &["2001:db8:1:2:3::4"], Some("2001:db8:1:2:3::4")),
            (
                "fd00::1",
                &["[2001:db8:1:2:3::4]:80"],
                Some("2001:db8:1:2:3::4"),
            ),
            // What the client itself has sent comes first.
            ("10.0.0.1", &["192.0.2.1, 203.0.113.7"], Some("203.0.113.7")),
            (
                "10.0.0.1",
                &["192.0.2.1", "203.0.113.7"],
                Some("203.0.113.7"),
            ),
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
        let proxies = proxies(Some(&PROXIES));
        for (peer, reports, expected) in rows {
            let found = client(&proxies, peer, reports);
            assert_eq!(found.as_deref(), expected, "{peer} {reports:?}");
        }
    }
}
