//! The sender of a request, and the rates of one client.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Duration,
};

use effigy_upstream::Rate;

use crate::SharedResource;

/// The bits of an IPv6 address that name a client, which usually has the rest to itself.
const CLIENT_BITS: u32 = 64;

/// The bits of an IPv6 address that name a site, such as a household or a hosting customer.
const SITE_BITS: u32 = 48;

/// The rates of each client; `None` is no limit. A whole amount may be used at once, and comes back
/// evenly.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClientRates {
    /// Milliseconds of drawing.
    pub drawing: Option<Rate>,
    /// Calls to upstreams.
    pub calls: Option<Rate>,
}

/// The part of one of its rates that a client has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// The limited resource.
    pub resource: SharedResource,
    /// The whole rate, in milliseconds of drawing or in calls.
    pub rate: Rate,
    /// The amount that could be used now.
    pub left: u32,
    /// The time until the whole amount is back.
    pub full_after: Duration,
}

/// The sender of a request: an IPv4 address, or an IPv6 network of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Client {
    address: IpAddr,
    limited: bool,
}

impl Client {
    /// The service itself, which is not limited.
    pub const SERVICE: Self = Self::unlimited(IpAddr::V4(Ipv4Addr::UNSPECIFIED));

    /// A client at an address, with limits.
    #[must_use]
    pub const fn limited(address: IpAddr) -> Self {
        Self {
            address,
            limited: true,
        }
    }

    /// A peer at an address that may stand for any number of clients. It takes turns with others,
    /// but has no rates.
    #[must_use]
    pub const fn unlimited(address: IpAddr) -> Self {
        Self {
            address,
            limited: false,
        }
    }

    /// Returns the address.
    #[must_use]
    pub const fn address(self) -> IpAddr {
        self.address
    }

    /// Returns `true` if the client has limits.
    #[must_use]
    pub const fn is_limited(self) -> bool {
        self.limited
    }

    /// Returns the network whose use is counted as one client's.
    #[must_use]
    pub fn network(self) -> IpAddr {
        network(self.address, CLIENT_BITS)
    }

    /// Returns the network that several clients of one site share.
    pub(crate) fn site(self) -> IpAddr {
        network(self.address, SITE_BITS)
    }
}

/// Returns the first bits of an IPv6 address, or an IPv4 address as it is.
fn network(address: IpAddr, bits: u32) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let mask = u128::MAX << (Ipv6Addr::BITS - bits);
            Ipv6Addr::from_bits(address.to_bits() & mask).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_an_address_or_a_network_of_64_bits() {
        let rows = [
            ("192.0.2.1", "192.0.2.1", "192.0.2.1"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::", "2001:db8:1::"),
        ];
        for (address, network, site) in rows {
            let client = Client::limited(address.parse().unwrap());
            assert_eq!(client.network().to_string(), network);
            assert_eq!(client.site().to_string(), site);
        }
    }
}
