//! The server to compare with: hyper alone, with one answer to every request.

use std::{
    convert::Infallible,
    io::Write,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use hyper::{
    Request, Response,
    body::{Body, Frame, Incoming, SizeHint},
    header::{HeaderMap, HeaderName, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use crate::client::{self, Reply};

/// Bytes in one piece.
pub(crate) struct Whole(Option<Bytes>);

impl Whole {
    pub(crate) fn new(bytes: Bytes) -> Self {
        Self(Some(bytes))
    }
}

impl Body for Whole {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}

/// Serves the answer of a URL, with its headers, until it is killed.
pub(crate) async fn serve(url: &str) {
    let (address, path) = client::split(url);
    let reply = client::get(address, path).await;
    let headers = headers(&reply);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("http://{}", listener.local_addr().unwrap());
    std::io::stdout().flush().unwrap();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        stream.set_nodelay(true).unwrap();
        let own_headers = headers.clone();
        let body = reply.body.clone();
        let service = service_fn(move |_: Request<Incoming>| {
            let mut answer = Response::new(Whole::new(body.clone()));
            answer.headers_mut().clone_from(&own_headers);
            async move { Ok::<_, Infallible>(answer) }
        });
        tokio::spawn(async move {
            let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            // It ends with the client.
            let _ = connection.await;
        });
    }
}

/// Returns the headers, except for those that hyper adds itself.
fn headers(reply: &Reply) -> HeaderMap {
    let others = reply.headers.iter();
    others
        .filter(|(name, _)| name != "date" && name != "content-length")
        .map(|(name, value)| {
            let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
            (name, HeaderValue::from_str(value).unwrap())
        })
        .collect()
}
