//! The body of a response: bytes, or a large picture that is drawn while it is sent.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use effigy_service::{BrokenStream, PictureStream};
use hyper::body::{Body, Frame, SizeHint};

use super::image::Sending;

/// The body of a response.
#[derive(Debug)]
pub(crate) enum ResponseBody {
    /// The bytes, or nothing after they have been sent in one piece.
    Bytes(Option<Bytes>),
    /// A large picture, whose length is unknown; boxed because it is rare and large. The response to
    /// HEAD has none.
    Stream(Option<Box<LargePictureBody>>),
}

/// A large picture that is being sent.
#[derive(Debug)]
pub(crate) struct LargePictureBody {
    picture: PictureStream,
    _sending: Sending,
}

impl ResponseBody {
    pub(super) fn new(bytes: Bytes) -> Self {
        Self::Bytes(Some(bytes).filter(|bytes| !bytes.is_empty()))
    }

    pub(super) fn stream(picture: PictureStream, sending: Sending) -> Self {
        Self::Stream(Some(Box::new(LargePictureBody {
            picture,
            _sending: sending,
        })))
    }

    /// Returns the bytes that are not sent yet, of a large picture none.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes.as_deref().unwrap_or_default(),
            Self::Stream(_) => &[],
        }
    }
}

impl Default for ResponseBody {
    fn default() -> Self {
        Self::Bytes(None)
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = BrokenStream;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenStream>>> {
        match &mut *self {
            Self::Bytes(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Self::Stream(None) => Poll::Ready(None),
            Self::Stream(Some(body)) => {
                let next = body.picture.poll_next(context);
                next.map(|next| next.map(|chunk| chunk.map(Frame::data)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(*self, Self::Bytes(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Bytes(_) => SizeHint::with_exact(self.bytes().len() as u64),
            Self::Stream(_) => SizeHint::default(),
        }
    }
}
