//! The body of a response: bytes that are sent in frames, and count as waiting until they have left.

use std::{
    io::{self, Read},
    mem,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::{Buf, Bytes, buf::Reader};
use effigy_service::Permit;
use flate2::bufread::GzDecoder;
use hyper::body::{Body, Frame, SizeHint};
use tokio::time::Instant;

use super::exchange::Exchange;

/// The longest frame. A connection makes progress with each.
const MAX_FRAME_BYTES: usize = 64 << 10;

/// The body of a response.
#[derive(Debug, Default)]
pub(crate) struct ResponseBody {
    content: Content,
    waiting: Option<Waiting>,
}

/// The exchange of a response, and the permit for its bytes.
type Waiting = (Exchange, Option<Permit>);

#[derive(Debug)]
enum Content {
    /// The bytes that are left.
    Plain(Bytes),
    /// A gzip file for a client that does not accept gzip.
    Gzip(Box<Gzip>),
}

#[derive(Debug)]
struct Gzip {
    decoder: GzDecoder<Reader<Bytes>>,
    /// The number of decompressed bytes that are left.
    left: usize,
}

/// The last frame of a body, which may wait in the buffers of the connection.
struct LastFrame {
    bytes: Bytes,
    _waiting: Waiting,
}

impl ResponseBody {
    pub(super) const fn new(bytes: Bytes) -> Self {
        Self {
            content: Content::Plain(bytes),
            waiting: None,
        }
    }

    /// A body that decompresses a gzip file while it is sent.
    pub(super) fn decompressed(file: Bytes) -> Self {
        // The file ends with the length of its content. RFC 1952, 2.3.1.
        let length = file
            .last_chunk()
            .map_or(0, |length| u32::from_le_bytes(*length));
        let gzip = Gzip {
            decoder: GzDecoder::new(file.reader()),
            left: length as usize,
        };
        Self {
            content: Content::Gzip(Box::new(gzip)),
            waiting: None,
        }
    }

    /// Returns the bytes that are left, unless they are decompressed while they are sent.
    pub(crate) const fn bytes(&self) -> Option<&Bytes> {
        match &self.content {
            Content::Plain(bytes) => Some(bytes),
            Content::Gzip(_) => None,
        }
    }

    /// Returns the memory that the body takes while it is sent.
    pub(crate) fn memory(&self) -> usize {
        match &self.content {
            Content::Plain(bytes) => bytes.len(),
            // A frame, and the decoder with its window.
            Content::Gzip(gzip) => gzip.decoder.get_ref().get_ref().len() + 2 * MAX_FRAME_BYTES,
        }
    }

    /// Keeps the exchange and the permit until the last of the bytes have left.
    pub(crate) fn wait(&mut self, exchange: Exchange, permit: Option<Permit>) {
        self.waiting = Some((exchange, permit));
    }
}

impl AsRef<[u8]> for LastFrame {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Content {
    fn left(&self) -> usize {
        match self {
            Self::Plain(bytes) => bytes.len(),
            Self::Gzip(gzip) => gzip.left,
        }
    }

    /// Takes the next frame.
    fn take(&mut self, length: usize) -> io::Result<Bytes> {
        match self {
            Self::Plain(bytes) if bytes.len() == length => Ok(mem::take(bytes)),
            Self::Plain(bytes) => Ok(bytes.split_to(length)),
            Self::Gzip(gzip) => {
                let mut frame = vec![0; length];
                gzip.decoder.read_exact(&mut frame)?;
                gzip.left -= length;
                Ok(frame.into())
            }
        }
    }
}

impl Default for Content {
    fn default() -> Self {
        Self::Plain(Bytes::new())
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let length = self.content.left().min(MAX_FRAME_BYTES);
        if length == 0 {
            return Poll::Ready(None);
        }
        if let Some((exchange, _)) = &self.waiting {
            exchange.record(Instant::now());
        }
        let mut bytes = self.content.take(length)?;
        if self.content.left() == 0
            && let Some(_waiting) = self.waiting.take()
        {
            bytes = Bytes::from_owner(LastFrame { bytes, _waiting });
        }
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.content.left() == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.content.left() as u64)
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;
    use crate::respond::gzip::gzip;

    /// Returns the frames of a body.
    fn frames(mut body: ResponseBody) -> io::Result<Vec<Bytes>> {
        let mut frames = Vec::new();
        while !body.is_end_stream() {
            let left = body.size_hint().exact().unwrap();
            let context = &mut Context::from_waker(Waker::noop());
            let Poll::Ready(Some(frame)) = Pin::new(&mut body).poll_frame(context) else {
                panic!("a body always has its next frame");
            };
            let frame = frame?.into_data().unwrap();
            assert_eq!(body.size_hint().exact(), Some(left - frame.len() as u64));
            frames.push(frame);
        }
        Ok(frames)
    }

    #[test]
    fn a_body_is_sent_in_frames_compressed_or_not() {
        let bytes: Bytes = b"012345678901234".repeat(MAX_FRAME_BYTES / 10).into();
        let lengths = [MAX_FRAME_BYTES, bytes.len() - MAX_FRAME_BYTES];
        for body in [
            ResponseBody::new(bytes.clone()),
            ResponseBody::decompressed(gzip(&bytes)),
        ] {
            let frames = frames(body).unwrap();
            assert_eq!(frames.iter().map(Bytes::len).collect::<Vec<_>>(), lengths);
            assert_eq!(frames.concat(), bytes);
        }
        assert!(frames(ResponseBody::default()).unwrap().is_empty());
    }

    #[test]
    fn a_damaged_file_breaks_the_response() {
        let mut file = gzip(&[7; 1_000]).to_vec();
        file[12] ^= 0xff;
        assert!(frames(ResponseBody::decompressed(file.into())).is_err());
    }
}
