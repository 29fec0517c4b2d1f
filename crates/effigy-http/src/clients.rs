//! Identification of the clients that send requests.

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::Once,
};

use effigy_service::Client;
use hyper::HeaderMap;
use ipnet::IpNet;

/// The header in which proxies report the addresses of their clients.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The address of clients that a proxy does not report. They share one limit.
const UNKNOWN: IpAddr = IpAddr::V6(Ipv6Addr::UNSPECIFIED);

/// Finds the clients of connections and requests.
#[derive(Debug)]
pub(crate) struct Clients {
    /// The networks of trusted proxies, if the operator has set them. By default, peers on loopback
    /// and private networks are trusted.
    proxies: Option<Vec<IpNet>>,
    /// The networks whose requests are denied.
    denied: Vec<IpNet>,
    /// Set after the warning about a peer that may be a proxy without reports.
    warned: Once,
}

impl Clients {
    pub(crate) const fn new(proxies: Option<Vec<IpNet>>, denied: Vec<IpNet>) -> Self {
        Self {
            proxies,
            denied,
            warned: Once::new(),
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
        if !is_proxy(peer) {
            return peer;
        }
        if headers.contains_key(FORWARDED_FOR) {
            return self.client_behind(peer, headers);
        }
        if self.proxies.is_none() {
            self.warn_once(peer.address());
        }
        peer
    }

    /// Returns `true` for a client in a network that the operator denies.
    pub(crate) fn is_denied(&self, client: Client) -> bool {
        let address = client.address();
        self.denied.iter().any(|network| network.contains(&address))
    }

    /// Returns the client of a request that a trusted proxy has sent.
    ///
    /// Each proxy appends the address that it received the request from, so the list is read from
    /// its end. The client is the first address that is not a trusted proxy's; it may have invented
    /// everything before its own. A text that is not an address is an unknown client.
    fn client_behind(&self, proxy: Client, headers: &HeaderMap) -> Client {
        let mut client = proxy;
        for report in headers.get_all(FORWARDED_FOR).into_iter().rev() {
            for node in report.as_bytes().rsplit(|byte| *byte == b',') {
                client = self.of_peer(parse_node(node).unwrap_or(UNKNOWN));
                if !is_proxy(client) {
                    return client;
                }
            }
        }
        client
    }

    /// Returns `true` for the address of a trusted proxy.
    fn trusts(&self, address: IpAddr) -> bool {
        match &self.proxies {
            Some(proxies) => proxies.iter().any(|network| network.contains(&address)),
            None => is_private(address),
        }
    }

    fn warn_once(&self, peer: IpAddr) {
        self.warned.call_once(|| {
            tracing::warn!(
                %peer,
                "clients behind this private address are not limited, because it sends no \
                 X-Forwarded-For; let the proxy send it, or set --trusted-proxy"
            );
        });
    }
}

/// Returns `true` for a peer whose reports are trusted, which is why [`Clients::of_peer`] has not
/// limited it.
pub(crate) const fn is_proxy(peer: Client) -> bool {
    !peer.is_limited()
}

/// Returns `true` for the address of a loopback or private network.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            // `100.64.0.0/10`, which providers share among their customers (RFC 6598).
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
    let text = str::from_utf8(node).ok()?.trim().trim_matches('"');
    let without_brackets = text.trim_start_matches('[').trim_end_matches(']');
    let address = match without_brackets.parse() {
        Ok(address) => address,
        Err(_) => text.parse::<SocketAddr>().ok()?.ip(),
    };
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    const PROXIES: [&str; 2] = ["10.0.0.0/8", "fd00::/8"];

    const PRIVATE: [&str; 7] = [
        "127.0.0.1",
        "192.168.1.1",
        "169.254.1.1",
        "100.64.0.1",
        "::1",
        "fd00::1",
        "fe80::1",
    ];

    fn clients(trusted: Option<&[&str]>) -> Clients {
        let parse = |networks: &[&str]| networks.iter().map(|text| text.parse().unwrap()).collect();
        Clients::new(trusted.map(parse), Vec::new())
    }

    /// Returns the client's address, or `None` if the client is not limited.
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
    fn public_peer_is_the_client_whatever_it_reports() {
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
    fn private_peer_is_a_proxy_by_default() {
        for peer in PRIVATE {
            let found = client(&clients(None), peer, &["203.0.113.7"]);
            assert_eq!(found.as_deref(), Some("203.0.113.7"), "{peer}");
        }
    }

    /// Nobody knows how many clients such a peer stands for. A reported private client may come
    /// through a forwarded port, behind which there may be many as well.
    #[test]
    fn private_client_is_not_limited_by_default() {
        for peer in PRIVATE {
            assert_eq!(client(&clients(None), peer, &[]), None, "{peer}");
            assert_eq!(client(&clients(None), peer, &["10.0.0.7"]), None, "{peer}");
        }
    }

    #[test]
    fn private_peer_is_a_client_if_no_proxy_is_trusted() {
        for peer in ["127.0.0.1", "10.0.0.1", "fd00::1"] {
            let found = client(&clients(Some(&[])), peer, &["203.0.113.7"]);
            assert_eq!(found.as_deref(), Some(peer));
        }
    }

    /// Asserts the clients that these peers report, of which `PROXIES` are trusted.
    fn check_reports(rows: &[(&str, &[&str], Option<&str>)]) {
        let clients = clients(Some(&PROXIES));
        for (peer, reports, expected) in rows {
            let found = client(&clients, peer, reports);
            assert_eq!(found.as_deref(), *expected, "{peer} {reports:?}");
        }
    }

    #[test]
    fn proxy_reports_the_client_with_or_without_a_port() {
        check_reports(&[
            ("10.0.0.1", &["203.0.113.7"], Some("203.0.113.7")),
            ("10.0.0.1", &["203.0.113.7:4711"], Some("203.0.113.7")),
            ("fd00::1", &["2001:db8:1:2:3::4"], Some("2001:db8:1:2:3::4")),
            ("fd00::1", &["[2001:db8:1::4]:80"], Some("2001:db8:1::4")),
        ]);
    }

    /// The client itself may send the header, to which proxies append.
    #[test]
    fn last_address_that_is_no_proxy_is_the_client() {
        check_reports(&[
            ("10.0.0.1", &["192.0.2.1, 203.0.113.7"], Some("203.0.113.7")),
            ("10.0.0.1", &["192.0.2.1", "192.0.2.7"], Some("192.0.2.7")),
            ("10.0.0.1", &["203.0.113.7, 10.0.0.2"], Some("203.0.113.7")),
            ("10.0.0.1", &["\u{e9}, 203.0.113.7"], Some("203.0.113.7")),
            ("10.0.0.1", &["192.168.1.1"], Some("192.168.1.1")),
        ]);
    }

    #[test]
    fn text_that_is_no_address_is_an_unknown_client() {
        check_reports(&[
            ("10.0.0.1", &["203.0.113.7, unknown"], Some("::")),
            ("10.0.0.1", &["unknown, 10.0.0.2"], Some("::")),
            ("10.0.0.1", &["203.0.113.7, \u{e9}"], Some("::")),
            ("10.0.0.1", &[""], Some("::")),
        ]);
    }

    #[test]
    fn proxy_without_a_report_is_not_limited() {
        check_reports(&[("10.0.0.1", &[], None)]);
    }

    #[test]
    fn reports_of_other_peers_are_ignored() {
        check_reports(&[
            ("127.0.0.1", &["203.0.113.7"], Some("127.0.0.1")),
            ("203.0.113.9", &["203.0.113.7"], Some("203.0.113.9")),
        ]);
    }
}
