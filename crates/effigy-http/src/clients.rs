//! The clients that requests are from, each an address, or an IPv6 network of 64 bits.

mod address;

use std::{net::IpAddr, sync::Once};

use effigy_service::{Client, Service};
use hyper::HeaderMap;
use ipnet::IpNet;

use address::{ClientAddress, TrustedProxies};

/// Finds the clients of connections and requests.
#[derive(Debug)]
pub(crate) struct Clients {
    service: Service,
    proxies: TrustedProxies,
    unlimited_peer: Once,
}

/// The sender of requests: a client, or a trusted proxy with clients behind it.
#[derive(Debug, Clone)]
pub(crate) struct Sender {
    address: ClientAddress,
    pub(crate) client: Client,
}

impl Sender {
    /// The address that is known best.
    pub(crate) const fn address(&self) -> IpAddr {
        self.address.address
    }
}

impl Clients {
    pub(crate) fn new(service: Service, trusted_proxies: Option<Vec<IpNet>>) -> Self {
        Self {
            service,
            proxies: TrustedProxies(trusted_proxies),
            unlimited_peer: Once::new(),
        }
    }

    /// Returns the sender at the other end of a connection.
    pub(crate) fn peer(&self, peer: IpAddr) -> Sender {
        self.sender(self.proxies.peer(peer))
    }

    /// Returns the sender of a request on a peer's connection.
    pub(crate) fn sender_of(&self, peer: &Sender, headers: &HeaderMap) -> Sender {
        match peer.address.is_proxy {
            true => self.sender(self.proxies.client_behind(peer.address, headers)),
            false => peer.clone(),
        }
    }

    fn sender(&self, address: ClientAddress) -> Sender {
        if address.is_unknown {
            self.unlimited_peer.call_once(|| {
                tracing::warn!(
                    peer = %address.address,
                    "clients are not limited, since they come from a private address; set --trusted-proxy to \
                     the address of the proxy, or to none if there is no proxy"
                );
            });
        }
        let is_limited = !address.is_proxy && !address.is_unknown;
        let client = self.service.client(address.network(), is_limited);
        Sender { address, client }
    }
}
