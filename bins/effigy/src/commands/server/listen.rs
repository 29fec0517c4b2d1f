//! Listeners and their addresses.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::{Context, Result};
use tokio::net::{TcpListener, TcpSocket};

/// The length of the queue of connections to accept. If a burst is longer, some clients try again
/// only a second later.
const BACKLOG: u32 = 4096;

/// The bytes of a response that the system buffers before its client has read anything. Linux
/// counts them twice. By default, it would buffer megabytes for each connection, which no limit of
/// ours counts, and copy them in one piece while all other requests wait. The buffer must have room
/// for two of the longest segments (64 KiB each, from a proxy on the same machine): otherwise, each
/// segment would wait 40 ms for its acknowledgement.
const SEND_BUFFER: u32 = 64 << 10;

/// Opens a listener. The error names the flag of the address.
pub(super) fn listen(address: SocketAddr, flag: &str) -> Result<TcpListener> {
    bind(address).with_context(|| format!("cannot listen on {address}; change {flag}"))
}

fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    // On Unix, a server that was just stopped must not block its port. On Windows, the option would
    // let two servers share a port.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    // Accepted connections inherit the size.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Returns a URL that reaches a listener from this machine.
pub(super) fn url(listener: &TcpListener) -> io::Result<String> {
    Ok(format!("http://{}", reachable(listener.local_addr()?)))
}

/// Returns an address that reaches a listener from this machine.
pub(crate) fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcard_addresses_are_reached_by_loopback() {
        let rows = [
            ("0.0.0.0:3005", "127.0.0.1:3005"),
            ("[::]:3005", "[::1]:3005"),
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("192.0.2.7:3005", "192.0.2.7:3005"),
        ];
        for (address, expected) in rows {
            let address = address.parse().unwrap();
            assert_eq!(reachable(address).to_string(), expected);
        }
    }
}
