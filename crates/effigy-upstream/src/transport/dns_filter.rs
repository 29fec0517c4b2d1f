//! A DNS resolver that rejects addresses which are not public.

use std::io;
use std::time::{Duration, Instant};

use quick_cache::sync::Cache;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

use super::TransportError;
use super::public_address::is_public;

/// The time for which the addresses of a host are used again. So most calls take no DNS look-up, and no thread, which is
/// what a look-up with a timeout takes.
const REUSE: Duration = Duration::from_secs(10);

/// The number of hosts whose addresses are remembered, more than a service calls in this time.
pub(super) const MAX_HOSTS: usize = 64;

/// A DNS resolver that rejects addresses which the host of a public service cannot have. Otherwise
/// whoever controls a name could direct calls to machines of the local network.
///
/// The connection is made to the addresses that were checked; they are not resolved again.
#[derive(Debug)]
pub(super) struct DnsFilter<R> {
    pub(super) inner: R,
    /// `true` for the operator's hosts, whose addresses are not filtered.
    pub(super) any_address: bool,
    /// The addresses by scheme, host and port, and when they were found.
    pub(super) found: Cache<String, (Instant, ResolvedSocketAddrs)>,
}

impl<R: Resolver> Resolver for DnsFilter<R> {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let host = uri.host().ok_or(ureq::Error::HostNotFound)?;
        let server = format!("{:?}://{:?}", uri.scheme(), uri.authority());
        if let Some((since, addresses)) = self.found.get(&server)
            && since.elapsed() < REUSE
        {
            return Ok(addresses);
        }
        let addresses = self.inner.resolve(uri, config, timeout)?;
        // One such address rejects them all: this is not the DNS answer of a public service.
        let not_public = addresses.iter().find(|found| !is_public(found.ip()));
        if let Some(found) = not_public.filter(|_| !self.any_address) {
            // It comes back out of ureq unchanged.
            let error = TransportError::NotPublic {
                host: host.to_owned(),
                address: found.ip(),
            };
            return Err(ureq::Error::Io(io::Error::other(error)));
        }
        self.found
            .insert(server, (Instant::now(), addresses.clone()));
        Ok(addresses)
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Resolves every name to these addresses.
    #[derive(Debug)]
    struct Found(Vec<SocketAddr>, AtomicUsize);

    impl Resolver for Found {
        fn resolve(
            &self,
            _: &Uri,
            _: &Config,
            _: NextTimeout,
        ) -> Result<ResolvedSocketAddrs, ureq::Error> {
            self.1.fetch_add(1, Ordering::SeqCst);
            let mut addresses = self.empty();
            for address in &self.0 {
                addresses.push(*address);
            }
            Ok(addresses)
        }
    }

    /// A filter of DNS answers with these addresses.
    fn filter(found: &[&str], any_address: bool) -> DnsFilter<Found> {
        let addresses = found.iter().map(|found| found.parse().expect(found));
        DnsFilter {
            inner: Found(addresses.collect(), AtomicUsize::new(0)),
            any_address,
            found: Cache::new(MAX_HOSTS),
        }
    }

    /// Filters `found`, the addresses of `host`. Returns those to connect to or the one that was
    /// rejected, and the number of DNS look-ups.
    fn look_up(
        host: &str,
        found: &[&str],
        any_address: bool,
    ) -> (Result<Vec<String>, String>, usize) {
        let filter = filter(found, any_address);
        let uri: Uri = format!("https://{host}/texture/abc").parse().expect(host);
        let result = filter.resolve(&uri, &Config::default(), NextTimeout::default());
        let result = match result {
            Ok(addresses) => Ok(addresses.iter().map(ToString::to_string).collect()),
            Err(ureq::Error::Io(error)) => {
                let TransportError::NotPublic {
                    host: refused,
                    address,
                } = error.downcast().expect("a reason")
                else {
                    panic!("another reason");
                };
                assert_eq!(refused, host);
                Err(address.to_string())
            }
            Err(error) => panic!("{error:?}"),
        };
        (result, filter.inner.1.load(Ordering::SeqCst))
    }

    const TEXTURES: &str = "textures.minecraft.net";

    #[test]
    fn the_addresses_that_were_checked_are_connected() {
        for found in [&["1.1.1.1:443"][..], &["[2606:4700::1]:443", "1.1.1.1:443"]] {
            let expected = found.iter().map(ToString::to_string).collect();
            assert_eq!(look_up(TEXTURES, found, false), (Ok(expected), 1));
        }
    }

    #[test]
    fn addresses_are_used_again_for_a_while_by_the_same_port() {
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
            assert_eq!(filter.inner.1.load(Ordering::SeqCst), look_ups, "{url}");
        }
    }

    #[test]
    fn one_address_that_is_not_public_rejects_all() {
        for (found, rejected) in [
            (&["127.0.0.1:443"][..], "127.0.0.1"),
            (&["[::1]:443"], "::1"),
            (&["[::ffff:127.0.0.1]:443"], "::ffff:127.0.0.1"),
            (&["169.254.169.254:443"], "169.254.169.254"),
            (&["[fd00::1]:443"], "fd00::1"),
            (&["1.1.1.1:443", "10.0.0.1:443"], "10.0.0.1"),
            (&["0.0.0.0:443", "1.1.1.1:443"], "0.0.0.0"),
        ] {
            let (result, _) = look_up(TEXTURES, found, false);
            assert_eq!(result, Err(rejected.to_owned()), "{found:?}");
        }
    }

    #[test]
    fn hosts_of_the_operator_may_have_any_address() {
        for host in ["skins.example", "localhost", TEXTURES] {
            let (result, _) = look_up(host, &["10.0.0.1:443", "[::1]:443"], true);
            let expected = ["10.0.0.1:443", "[::1]:443"].map(str::to_owned);
            assert_eq!(result, Ok(expected.to_vec()), "{host}");
        }
    }
}
