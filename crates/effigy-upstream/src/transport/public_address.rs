//! The addresses of the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A range of addresses: the first one, and the number of leading bits that all of them share.
type Range<A> = (A, u32);

/// IPv4 ranges that are not public: the registry of special-purpose addresses, multicast, and the
/// reserved range.
const NOT_PUBLIC_V4: [Range<Ipv4Addr>; 15] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),       // this network
    (Ipv4Addr::new(10, 0, 0, 0), 8),      // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),   // carrier-grade NAT
    (Ipv4Addr::new(127, 0, 0, 0), 8),     // loopback
    (Ipv4Addr::new(169, 254, 0, 0), 16),  // link-local, with the metadata services of clouds
    (Ipv4Addr::new(172, 16, 0, 0), 12),   // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),    // protocol assignments
    (Ipv4Addr::new(192, 0, 2, 0), 24),    // documentation
    (Ipv4Addr::new(192, 88, 99, 0), 24),  // 6to4 relays
    (Ipv4Addr::new(192, 168, 0, 0), 16),  // private
    (Ipv4Addr::new(198, 18, 0, 0), 15),   // benchmarking
    (Ipv4Addr::new(198, 51, 100, 0), 24), // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),  // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 4),     // multicast
    (Ipv4Addr::new(240, 0, 0, 0), 4),     // reserved, broadcast
];

/// The IPv6 range that is assigned to the public.
const GLOBAL_V6: Range<Ipv6Addr> = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// The special ranges within it.
const NOT_PUBLIC_V6: [Range<Ipv6Addr>; 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments, with Teredo
    (Ipv6Addr::new(0x2001, 0x0db8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16), // 6to4, which embeds any IPv4 address
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];

/// IPv4 addresses in IPv6-only networks, embedded in the last 32 bits.
const NAT64: Range<Ipv6Addr> = (Ipv6Addr::new(0x0064, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// Returns whether a host of the public internet can have this address.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) if is_in_v6(address, NAT64) => {
            let [.., a, b, c, d] = address.octets();
            is_public_v4(Ipv4Addr::new(a, b, c, d))
        }
        IpAddr::V6(address) => {
            let is_special = |range: &Range<Ipv6Addr>| is_in_v6(address, *range);
            is_in_v6(address, GLOBAL_V6) && !NOT_PUBLIC_V6.iter().any(is_special)
        }
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_in = |&(first, bits): &Range<Ipv4Addr>| {
        let shift = u32::BITS - bits;
        address.to_bits() >> shift == first.to_bits() >> shift
    };
    !NOT_PUBLIC_V4.iter().any(is_in)
}

fn is_in_v6(address: Ipv6Addr, (first, bits): Range<Ipv6Addr>) -> bool {
    let shift = u128::BITS - bits;
    address.to_bits() >> shift == first.to_bits() >> shift
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
