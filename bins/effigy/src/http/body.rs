//! A body that is one piece, or none.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

/// The bytes of an answer, sent in one piece.
#[derive(Debug, Clone, Default)]
pub(crate) struct OneShot(Option<Bytes>);

impl OneShot {
    pub(crate) fn new(bytes: Bytes) -> Self {
        Self(Some(bytes).filter(|bytes| !bytes.is_empty()))
    }

    /// What is still to be sent.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl Body for OneShot {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes().len() as u64)
    }
}
