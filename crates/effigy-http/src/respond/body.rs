//! The body of an answer: one piece, none, or a picture that is drawn while it is sent.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use effigy_service::{BrokenStream, PictureStream};
use hyper::body::{Body, Frame, SizeHint};

/// What an answer sends.
#[derive(Debug)]
pub(crate) struct Payload(Parts);

#[derive(Debug)]
enum Parts {
    Whole(Option<Bytes>),
    // It is rare, and the other should be small. Nothing where only the head is wanted.
    Stream(Option<Box<PictureStream>>),
}

impl Payload {
    /// The bytes, sent in one piece.
    pub(crate) fn new(bytes: Bytes) -> Self {
        Self(Parts::Whole(Some(bytes).filter(|bytes| !bytes.is_empty())))
    }

    /// The picture, sent as it is drawn. Its length is not known beforehand.
    pub(crate) fn stream(picture: PictureStream) -> Self {
        Self(Parts::Stream(Some(Box::new(picture))))
    }

    /// What stands for such a picture in the answer to HEAD.
    pub(crate) fn stream_unsent() -> Self {
        Self(Parts::Stream(None))
    }

    /// What is still to be sent, as far as it is there.
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.0 {
            Parts::Whole(bytes) => bytes.as_deref().unwrap_or_default(),
            Parts::Stream(_) => &[],
        }
    }
}

impl Default for Payload {
    fn default() -> Self {
        Self(Parts::Whole(None))
    }
}

impl Body for Payload {
    type Data = Bytes;
    type Error = BrokenStream;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenStream>>> {
        match &mut self.0 {
            Parts::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Parts::Stream(None) => Poll::Ready(None),
            Parts::Stream(Some(picture)) => {
                let next = picture.poll_next(context);
                next.map(|next| next.map(|chunk| chunk.map(Frame::data)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.0, Parts::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Parts::Whole(_) => SizeHint::with_exact(self.bytes().len() as u64),
            Parts::Stream(_) => SizeHint::default(),
        }
    }
}
