//! The addresses of the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use ipnet::{IpNet, Ipv6Net};

/// The networks that are not public: the registries of special-purpose addresses, multicast, and what is reserved.
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

/// Returns `true` if a host of the public internet can have this address.
pub(crate) fn is_public(address: IpAddr) -> bool {
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
    use super::*;

    #[track_caller]
    fn check(addresses: &[&str], expected: bool) {
        for text in addresses {
            let address = text.parse().expect(text);
            assert_eq!(is_public(address), expected, "{text}");
        }
    }

    #[test]
    fn public_addresses() {
        check(
            &[
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.0",
                "169.253.255.255",
                "169.255.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.0",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "2606:4700::1111",
                "2a02::1",
                "2001:200::1",
                "2001:4860:4860::8888",
                "2003::1",
                "64:ff9b::1.1.1.1",
            ],
            true,
        );
    }

    #[test]
    fn other_addresses() {
        check(
            &[
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.0",
                "10.255.255.255",
                "100.64.0.0",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.255",
                "169.254.169.254",
                "172.16.0.0",
                "172.31.255.255",
                "192.0.0.170",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.0.1",
                "198.18.0.0",
                "198.19.255.255",
                "198.51.100.1",
                "203.0.113.1",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.0",
                "255.255.255.255",
                "::",
                "::1",
                "::127.0.0.1",
                "::1.1.1.1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::ffff:1.1.1.1",
                "64:ff9b::127.0.0.1",
                "64:ff9b::169.254.169.254",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:1ff::1",
                "2001:db8::1",
                "2002:7f00:1::1",
                "3fff:fff::1",
                "5f00::1",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "fec0::1",
                "ff02::1",
            ],
            false,
        );
    }
}
