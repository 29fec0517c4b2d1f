//! The look-up of hosts' addresses, with a check of what comes out of it.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

use crate::public_address::is_public;

/// Looks addresses up and refuses those that the host of a public service cannot have: otherwise
/// whoever answers for its name could let us ask the machines around us.
///
/// The connection is made to the very addresses that were checked; nothing looks them up again.
#[derive(Debug)]
pub(crate) struct CheckedLookUp<R> {
    look_up: R,
    own_hosts: Vec<String>,
}

impl<R: Resolver> CheckedLookUp<R> {
    /// Checks what `look_up` finds, except for the operator's own hosts.
    pub(crate) const fn new(look_up: R, own_hosts: Vec<String>) -> Self {
        Self { look_up, own_hosts }
    }

    fn is_own(&self, host: &str) -> bool {
        let is_it = |own: &String| own.eq_ignore_ascii_case(host);
        self.own_hosts.iter().any(is_it)
    }
}

impl<R: Resolver> Resolver for CheckedLookUp<R> {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let host = uri.host().ok_or(ureq::Error::HostNotFound)?;
        if let Some(address) = written_address(uri, host) {
            // What a URL says itself was allowed as such, and needs no thread to be looked up.
            let mut addresses = self.empty();
            addresses.push(address);
            return Ok(addresses);
        }
        let addresses = self.look_up.resolve(uri, config, timeout)?;
        if self.is_own(host) {
            return Ok(addresses);
        }
        // One of them spoils all: this is not the answer of the public service.
        match addresses.iter().find(|found| !is_public(found.ip())) {
            None => Ok(addresses),
            Some(found) => Err(NotPublic::new(host, found.ip()).into()),
        }
    }
}

/// The address of a host that is written as one.
fn written_address(uri: &Uri, host: &str) -> Option<SocketAddr> {
    let inner = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let ip: IpAddr = inner.unwrap_or(host).parse().ok()?;
    let port = uri.port_u16().or(match uri.scheme_str() {
        Some("http") => Some(80),
        Some("https") => Some(443),
        _ => None,
    })?;
    Some(SocketAddr::new(ip, port))
}

/// A host has an address that it should not have.
#[derive(Debug)]
pub(crate) struct NotPublic {
    pub(crate) host: String,
    pub(crate) address: IpAddr,
}

impl NotPublic {
    fn new(host: &str, address: IpAddr) -> Self {
        let host = host.to_owned();
        Self { host, address }
    }
}

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not public", self.address)
    }
}

impl Error for NotPublic {}

impl From<NotPublic> for ureq::Error {
    fn from(refused: NotPublic) -> Self {
        Self::Io(io::Error::other(refused))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Finds these addresses for every name.
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

    /// What a host is connected at where its name stands for `found`, or the address that spoils
    /// it; and how often the name was looked up.
    fn look_up(host: &str, found: &[&str], own: &[&str]) -> (Result<Vec<String>, String>, usize) {
        let addresses = found.iter().map(|found| found.parse().expect(found));
        let own = own.iter().map(|&own| own.to_owned()).collect();
        let checked = CheckedLookUp::new(Found(addresses.collect(), AtomicUsize::new(0)), own);
        let uri: Uri = format!("https://{host}/texture/abc").parse().expect(host);
        let result = checked.resolve(&uri, &Config::default(), NextTimeout::default());
        let result = match result {
            Ok(addresses) => Ok(addresses.iter().map(ToString::to_string).collect()),
            Err(ureq::Error::Io(error)) => {
                let inner = error.into_inner().expect("a reason");
                let refused: Box<NotPublic> = inner.downcast().expect("this reason");
                assert_eq!(refused.host, host);
                Err(refused.address.to_string())
            }
            Err(error) => panic!("{error:?}"),
        };
        (result, checked.look_up.1.load(Ordering::SeqCst))
    }

    const TEXTURES: &str = "textures.minecraft.net";

    #[test]
    fn the_very_addresses_that_were_checked_are_connected() {
        for found in [&["1.1.1.1:443"][..], &["[2606:4700::1]:443", "1.1.1.1:443"]] {
            let expected = found.iter().map(ToString::to_string).collect();
            assert_eq!(look_up(TEXTURES, found, &[]), (Ok(expected), 1));
        }
    }

    #[test]
    fn one_address_that_is_not_public_spoils_all() {
        for (found, spoils) in [
            (&["127.0.0.1:443"][..], "127.0.0.1"),
            (&["[::1]:443"], "::1"),
            (&["[::ffff:127.0.0.1]:443"], "::ffff:127.0.0.1"),
            (&["169.254.169.254:443"], "169.254.169.254"),
            (&["[fd00::1]:443"], "fd00::1"),
            (&["1.1.1.1:443", "10.0.0.1:443"], "10.0.0.1"),
            (&["0.0.0.0:443", "1.1.1.1:443"], "0.0.0.0"),
        ] {
            let (result, _) = look_up(TEXTURES, found, &["skins.example", "minecraft.net"]);
            assert_eq!(result, Err(spoils.to_owned()), "{found:?}");
        }
    }

    #[test]
    fn the_operators_own_hosts_may_have_any_address() {
        let own = ["skins.example", "localhost", TEXTURES];
        for host in ["skins.example", "Skins.Example", "localhost", TEXTURES] {
            let (result, _) = look_up(host, &["10.0.0.1:443", "[::1]:443"], &own);
            let expected = ["10.0.0.1:443", "[::1]:443"].map(str::to_owned);
            assert_eq!(result, Ok(expected.to_vec()), "{host}");
        }
        let (result, _) = look_up("a.skins.example", &["10.0.0.1:443"], &own);
        assert!(result.is_err());
    }

    #[test]
    fn an_address_in_the_url_is_itself() {
        for (host, expected) in [
            ("127.0.0.1", "127.0.0.1:443"),
            ("127.0.0.1:81", "127.0.0.1:81"),
            ("[::1]", "[::1]:443"),
            ("[::1]:81", "[::1]:81"),
        ] {
            let found = (Ok(vec![expected.to_owned()]), 0);
            assert_eq!(look_up(host, &["1.1.1.1:443"], &[]), found, "{host}");
        }
    }
}
