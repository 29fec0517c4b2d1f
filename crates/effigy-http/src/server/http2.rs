//! The frames of an HTTP/2 connection: their types in its bytes.
//!
//! hyper answers PING and SETTINGS itself, without reporting them, so the socket parses the frames too.

use std::time::Duration;

use tokio::time::Instant;

use crate::clients::{Rate, TokenBucket};

/// The first bytes of an HTTP/2 client. RFC 9113, 3.4.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The length of a frame's header. RFC 9113, 4.1.
const HEADER_BYTES: usize = 9;

/// The types of frames. RFC 9113, 6.
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;

/// The frames that a client may send without asking for anything: all at once, then evenly spread.
const CONTROL_FRAMES: Rate = Rate::new(200, Duration::from_secs(10)).expect("not zero");

/// The protocol of a connection, which its client chooses by its first bytes.
#[derive(Debug)]
pub(super) enum Protocol {
    /// Not known yet: this number of bytes of the preface have arrived.
    Unknown(usize),
    Http1,
    Http2(Box<Http2>),
}

/// Both directions of an HTTP/2 connection.
#[derive(Debug, Default)]
pub(super) struct Http2 {
    received: Frames,
    sent: Frames,
    control_frames: TokenBucket,
}

/// A stream of frames that arrives in pieces.
#[derive(Debug, Default)]
struct Frames {
    header: [u8; HEADER_BYTES],
    /// The number of bytes of the header that have arrived.
    filled: usize,
    /// The number of bytes until the next header.
    payload_left: usize,
}

/// The client floods the connection with frames that ask for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flood;

impl Protocol {
    /// Takes bytes from the client.
    pub(super) fn receive(&mut self, mut bytes: &[u8]) -> Result<(), Flood> {
        if let Self::Unknown(seen) = self {
            let expected = &PREFACE[*seen..];
            let length = expected.len().min(bytes.len());
            if bytes[..length] != expected[..length] {
                *self = Self::Http1;
            } else if length < expected.len() {
                *seen += length;
            } else {
                *self = Self::Http2(Box::default());
                bytes = &bytes[length..];
            }
        }
        match self {
            Self::Http2(connection) => connection.receive(bytes),
            _ => Ok(()),
        }
    }

    /// Returns `true` if bytes to the client are part of a response.
    pub(super) fn is_response(&mut self, bytes: &[u8]) -> bool {
        match self {
            Self::Http2(connection) => connection.send(bytes),
            _ => true,
        }
    }
}

impl Http2 {
    fn receive(&mut self, bytes: &[u8]) -> Result<(), Flood> {
        let Self {
            received,
            control_frames,
            ..
        } = self;
        let mut outcome = Ok(());
        received.scan(bytes, |frame, is_begin| {
            let asks = [DATA, HEADERS, RST_STREAM, WINDOW_UPDATE, CONTINUATION];
            if is_begin && !asks.contains(&frame) {
                let taken = control_frames.take(CONTROL_FRAMES, Instant::now());
                outcome = outcome.and(taken.map_err(|_| Flood));
            }
        });
        outcome
    }

    fn send(&mut self, bytes: &[u8]) -> bool {
        let mut is_response = false;
        self.sent.scan(bytes, |frame, _| {
            is_response |= [DATA, HEADERS, CONTINUATION].contains(&frame);
        });
        is_response
    }
}

impl Frames {
    /// Passes on the type of each frame: with its header (`true`), and with each piece of its payload.
    fn scan(&mut self, mut bytes: &[u8], mut see: impl FnMut(u8, bool)) {
        while !bytes.is_empty() {
            if self.filled < HEADER_BYTES {
                let length = (HEADER_BYTES - self.filled).min(bytes.len());
                self.header[self.filled..][..length].copy_from_slice(&bytes[..length]);
                self.filled += length;
                bytes = &bytes[length..];
                if self.filled < HEADER_BYTES {
                    return;
                }
                let [a, b, c, ..] = self.header.map(usize::from);
                self.payload_left = a << 16 | b << 8 | c;
                see(self.header[3], true);
            }
            let length = self.payload_left.min(bytes.len());
            if length > 0 {
                see(self.header[3], false);
            }
            self.payload_left -= length;
            bytes = &bytes[length..];
            if self.payload_left == 0 {
                self.filled = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: u8 = 4;
    const PING: u8 = 6;

    fn frame(kind: u8, payload: &[u8]) -> Vec<u8> {
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        [&length[1..], &[kind, 0, 0, 0, 0, 1], payload].concat()
    }

    fn http2() -> Protocol {
        let mut protocol = Protocol::Unknown(0);
        protocol.receive(PREFACE).unwrap();
        protocol
    }

    #[test]
    fn the_first_bytes_tell_the_protocol() {
        for (pieces, is_http2) in [
            (&[PREFACE][..], true),
            (&[&PREFACE[..5], &PREFACE[5..]], true),
            (&[b"GET / HTTP/1.1\r\n"], false),
            (&[b"P", b"OST / HTTP/1.1\r\n"], false),
            (&[b"PRI * HTTP/1.1\r\n"], false),
        ] {
            let mut protocol = Protocol::Unknown(0);
            for piece in pieces {
                assert_eq!(protocol.receive(piece), Ok(()));
            }
            assert_eq!(
                matches!(protocol, Protocol::Http2(_)),
                is_http2,
                "{pieces:?}"
            );
        }
    }

    #[test]
    fn frames_are_told_apart_however_they_are_cut() {
        let frames = [
            frame(HEADERS, &[7; 40]),
            frame(PING, &[7; 8]),
            frame(DATA, &[]),
            frame(DATA, &[7; 300]),
        ];
        for size in [1, 2, 8, 9, 10, 17, 400] {
            let (mut scanner, mut begun) = (Frames::default(), Vec::new());
            for piece in frames.concat().chunks(size) {
                scanner.scan(piece, |kind, is_begin| {
                    begun.extend(is_begin.then_some(kind));
                });
            }
            assert_eq!(begun, [HEADERS, PING, DATA, DATA], "{size}");
        }
    }

    #[test]
    fn only_responses_are_progress() {
        let mut protocol = http2();
        assert!(!protocol.is_response(&frame(SETTINGS, &[])));
        assert!(!protocol.is_response(&frame(PING, &[0; 8])));
        let data = frame(DATA, &[7; 300]);
        assert!(protocol.is_response(&data[..100]));
        assert!(protocol.is_response(&data[100..]), "the rest of it");
        assert!(!protocol.is_response(&frame(PING, &[0; 8])));
        assert!(Protocol::Http1.is_response(b"HTTP/1.1 200 OK\r\n"));
    }

    #[tokio::test(start_paused = true)]
    async fn floods_are_told_from_requests() {
        for kind in [PING, SETTINGS, 2, 200] {
            let mut protocol = http2();
            let mut send = |kind| protocol.receive(&frame(kind, &[0; 8]));
            for _ in 0..10_000 {
                assert_eq!(send(HEADERS), Ok(()));
            }
            let sent = (0..10_000).take_while(|_| send(kind).is_ok()).count();
            assert_eq!(sent, 200, "{kind}");
            tokio::time::advance(Duration::from_secs(1)).await;
            let sent = (0..10_000).take_while(|_| send(kind).is_ok()).count();
            assert_eq!(sent, 20, "{kind}");
        }
    }
}
