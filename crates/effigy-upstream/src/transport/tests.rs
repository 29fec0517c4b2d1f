//! DNS answers for the tests of the transport.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// A resolver with one answer for every name: addresses, or a failure.
#[derive(Debug)]
pub(super) struct CannedDns {
    answer: Result<Vec<SocketAddr>, fn() -> ureq::Error>,
    pub(super) look_ups: AtomicUsize,
}

impl CannedDns {
    pub(super) fn new(answer: Result<Vec<SocketAddr>, fn() -> ureq::Error>) -> Self {
        let look_ups = AtomicUsize::new(0);
        Self { answer, look_ups }
    }
}

impl Resolver for CannedDns {
    fn resolve(
        &self,
        _: &Uri,
        _: &Config,
        _: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        self.look_ups.fetch_add(1, Ordering::SeqCst);
        let mut addresses = self.empty();
        for address in self.answer.as_ref().map_err(|failure| failure())? {
            addresses.push(*address);
        }
        Ok(addresses)
    }
}

/// A resolver with one address for every name, which may change.
#[derive(Debug)]
pub(super) struct MovingDns(pub(super) Arc<Mutex<SocketAddr>>);

impl Resolver for MovingDns {
    fn resolve(
        &self,
        _: &Uri,
        _: &Config,
        _: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let mut addresses = self.empty();
        addresses.push(*self.0.lock());
        Ok(addresses)
    }
}
