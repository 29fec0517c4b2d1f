//! A DNS resolver that rejects addresses which are not public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::{Duration, Instant};
use std::{io, sync::LazyLock};

use ipnet::{IpNet, Ipv6Net};
use quick_cache::sync::Cache;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

use super::TransportError;

/// The time for which the addresses of a host are used again. So most calls need no DNS look-up,
/// and no thread, which every look-up with a timeout takes. On a kept connection, a call to a
/// server on the same machine takes .04 ms in place of .16 ms (unoptimized, without a DNS server).
pub(super) const REUSE: Duration = Duration::from_secs(10);

/// The number of hosts whose addresses are remembered. No service calls more hosts in this time.
const MAX_HOSTS: usize = 64;

/// The networks that are not public: special-purpose, multicast and reserved addresses.
static NOT_PUBLIC: LazyLock<[IpNet; 22]> = LazyLock::new(|| {
    [
        "0.0.0.0/8",       // this network
        "10.0.0.0/8",      // private
        "100.64.0.0/10",   // carrier-grade NAT
        "127.0.0.0/8",     // loopback
        "169.254.0.0/16",  // link-local, with the metadata services of clouds
        "172.16.0.0/12",   // private
        "192.0.0.0/24",    // protocol assignments
        "192.0.2.0/24",    // documentation
        "192.88.99.0/24",  // 6to4 relays
        "192.168.0.0/16",  // private
        "198.18.0.0/15",   // benchmarking
        "198.51.100.0/24", // documentation
        "203.0.113.0/24",  // documentation
        "224.0.0.0/4",     // multicast
        "240.0.0.0/4",     // reserved, broadcast
        "::/3",            // all but 2000::/3, which alone is assigned to the public
        "4000::/2",        // likewise
        "8000::/1",        // likewise
        "2001::/23",       // protocol assignments, with Teredo
        "2001:db8::/32",   // documentation
        "2002::/16",       // 6to4, which embeds any IPv4 address
        "3fff::/20",       // documentation
    ]
    .map(|network| network.parse().expect("a network"))
});

/// IPv4 addresses in IPv6-only networks, embedded in the last 32 bits.
const NAT64: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0x0064, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// A DNS resolver that rejects addresses which the host of a public service cannot have. Otherwise
/// whoever controls a name could direct calls to machines of the local network.
///
/// The connection is made to the addresses that were checked; they are not resolved again.
#[derive(Debug)]
pub(super) struct DnsFilter<R> {
    inner: R,
    /// `true` for the operator's hosts, whose addresses are not filtered.
    any_address: bool,
    /// The time for which addresses are used again.
    reuse: Duration,
    /// The addresses that were found last, by scheme, host and port.
    found: Cache<String, FoundAddresses>,
}

/// The addresses of a host.
#[derive(Debug, Clone)]
struct FoundAddresses {
    addresses: ResolvedSocketAddrs,
    found_at: Instant,
}

impl<R: Resolver> Resolver for DnsFilter<R> {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        self.resolve_at(Instant::now(), uri, config, timeout)
    }
}

impl<R: Resolver> DnsFilter<R> {
    pub(super) fn new(inner: R, any_address: bool, reuse: Duration) -> Self {
        Self {
            inner,
            any_address,
            reuse,
            found: Cache::new(MAX_HOSTS),
        }
    }

    /// Returns the last addresses of a host, or new ones if they are too old at `now`.
    fn resolve_at(
        &self,
        now: Instant,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let host = uri.host().ok_or(ureq::Error::HostNotFound)?;
        let server = format!("{:?}://{:?}", uri.scheme(), uri.authority());
        if let Some(last) = self.found.get(&server)
            && now.saturating_duration_since(last.found_at) < self.reuse
        {
            return Ok(last.addresses);
        }
        let resolved = self.inner.resolve(uri, config, timeout);
        let addresses = resolved.map_err(|error| {
            let source = error.into_io();
            failure(TransportError::Unreachable { source })
        })?;
        if !self.any_address {
            check_public(host, &addresses).map_err(failure)?;
        }
        let found = FoundAddresses {
            addresses: addresses.clone(),
            found_at: now,
        };
        self.found.insert(server, found);
        Ok(addresses)
    }
}

/// Wraps an error, so that it comes back out of ureq unchanged.
fn failure(error: TransportError) -> ureq::Error {
    ureq::Error::Io(io::Error::other(error))
}

/// Checks that all addresses are public. A single other one shows that this is not the DNS answer
/// of a public service.
fn check_public(host: &str, addresses: &ResolvedSocketAddrs) -> Result<(), TransportError> {
    for address in addresses {
        if !is_public(address.ip()) {
            return Err(TransportError::NotPublic {
                host: host.to_owned(),
                address: address.ip(),
            });
        }
    }
    Ok(())
}

/// Returns `true` if a host of the public internet can have this address.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V6(address) if NAT64.contains(&address) => {
            let [.., a, b, c, d] = address.octets();
            is_public(Ipv4Addr::new(a, b, c, d).into())
        }
        _ => !NOT_PUBLIC.iter().any(|network| network.contains(&address)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;
    use crate::transport::tests::CannedDns;

    /// A filter of DNS answers with these addresses.
    fn filter(found: &[&str], any_address: bool) -> DnsFilter<CannedDns> {
        let addresses = found.iter().map(|found| found.parse().expect(found));
        let dns = CannedDns::new(Ok(addresses.collect()));
        DnsFilter::new(dns, any_address, REUSE)
    }

    #[test]
    fn addresses_are_used_again_for_the_same_scheme_and_port() {
        let filter = filter(&["1.1.1.1:443"], false);
        for (url, look_ups) in [
            ("https://a.example/1", 1),
            ("https://a.example/2", 1),
            ("https://a.example:8443/2", 2),
            ("http://a.example/", 3),
            ("https://b.example/", 4),
            ("https://a.example/", 4),
        ] {
            let uri: Uri = url.parse().expect(url);
            let result = filter.resolve(&uri, &Config::default(), NextTimeout::default());
            assert_eq!(result.expect(url).len(), 1);
            let found = filter.inner.look_ups.load(Ordering::SeqCst);
            assert_eq!(found, look_ups, "{url}");
        }
    }

    #[test]
    fn addresses_are_resolved_anew_after_ten_seconds() {
        let filter = filter(&["1.1.1.1:443"], false);
        let uri: Uri = "https://a.example/".parse().expect("a url");
        let start = Instant::now();
        for (millis, look_ups) in [(0, 1), (9_999, 1), (10_000, 2), (19_999, 2), (20_000, 3)] {
            let now = start + Duration::from_millis(millis);
            let timeout = NextTimeout::default();
            let result = filter.resolve_at(now, &uri, &Config::default(), timeout);
            assert_eq!(result.expect("an address").len(), 1);
            let found = filter.inner.look_ups.load(Ordering::SeqCst);
            assert_eq!(found, look_ups, "{millis} ms");
        }
    }

    #[test]
    fn one_address_that_is_not_public_rejects_a_public_host() {
        let uri: Uri = "https://a.example/x".parse().expect("a url");
        for (found, rejected) in [
            (&["1.1.1.1:443"][..], None),
            (&["[2606:4700::1]:443", "1.1.1.1:443"], None),
            (&["127.0.0.1:443"], Some("127.0.0.1")),
            (&["[::ffff:127.0.0.1]:443"], Some("::ffff:127.0.0.1")),
            (&["1.1.1.1:443", "10.0.0.1:443"], Some("10.0.0.1")),
            (&["0.0.0.0:443", "1.1.1.1:443"], Some("0.0.0.0")),
        ] {
            let resolve = |any_address| {
                let filter = filter(found, any_address);
                let resolved = filter.resolve(&uri, &Config::default(), NextTimeout::default());
                match resolved {
                    Ok(addresses) => Ok(addresses.len()),
                    Err(error) => Err(error.into_io().to_string()),
                }
            };
            assert_eq!(resolve(true), Ok(found.len()));
            let expected = match rejected {
                None => Ok(found.len()),
                Some(address) => Err(format!(
                    "the host a.example has the address {address}, which is not public"
                )),
            };
            assert_eq!(resolve(false), expected);
        }
    }

    #[test]
    fn special_purpose_addresses_are_not_public() {
        let rows = [
            (
                true,
                "1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 \
                 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 \
                 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 \
                 198.20.0.0 223.255.255.255 2606:4700::1111 2a02::1 2001:200::1 \
                 2001:4860:4860::8888 2003::1 64:ff9b::1.1.1.1",
            ),
            (
                false,
                "0.0.0.0 0.1.2.3 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 \
                 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.0 172.31.255.255 \
                 192.0.0.170 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.0 198.19.255.255 \
                 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.0 \
                 255.255.255.255 :: ::1 ::127.0.0.1 ::1.1.1.1 ::ffff:127.0.0.1 \
                 ::ffff:10.0.0.1 ::ffff:1.1.1.1 64:ff9b::127.0.0.1 \
                 64:ff9b::169.254.169.254 64:ff9b:1::1 100::1 2001::1 2001:1ff::1 \
                 2001:db8::1 2002:7f00:1::1 3fff:fff::1 5f00::1 fc00::1 fd00:ec2::254 \
                 fe80::1 fec0::1 ff02::1",
            ),
        ];
        for (expected, addresses) in rows {
            for text in addresses.split_whitespace() {
                let address = text.parse().expect(text);
                assert_eq!(is_public(address), expected, "{text}");
            }
        }
    }
}
