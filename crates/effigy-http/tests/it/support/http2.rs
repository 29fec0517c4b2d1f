//! A client that speaks HTTP/2 with prior knowledge.

use std::{future::poll_fn, pin::Pin};

use hyper::{
    Request, Response,
    body::{Body, Incoming},
    client::conn::http2::{Builder, SendRequest},
};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::{net::TcpStream, task::JoinHandle};

use super::Server;

/// The window of clients that read what they get.
pub(crate) const WINDOW: u32 = 1 << 20;

/// An HTTP/2 connection. It is closed when this and all responses are dropped.
pub(crate) struct Http2 {
    sender: SendRequest<String>,
    url: String,
    pub(crate) connection: JoinHandle<hyper::Result<()>>,
}

impl Http2 {
    /// Opens a connection on whose streams the server may send `window` bytes that are not read.
    pub(crate) async fn open(server: &Server, window: u32) -> Self {
        let stream = TcpStream::connect(server.address()).await.unwrap();
        let mut builder = Builder::new(TokioExecutor::new());
        builder.initial_stream_window_size(window);
        let (sender, connection) = builder.handshake(TokioIo::new(stream)).await.unwrap();
        Self {
            sender,
            url: server.url.clone(),
            connection: tokio::spawn(connection),
        }
    }

    /// Sends a request. The response is that to its head.
    pub(crate) fn get(
        &mut self,
        path: &str,
        headers: &[(&str, &str)],
    ) -> impl Future<Output = hyper::Result<Response<Incoming>>> + Send + use<> {
        let mut request = Request::get(format!("{}{path}", self.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.sender
            .send_request(request.body(String::new()).unwrap())
    }
}

/// Reads a body.
pub(crate) async fn read(mut body: Incoming) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        bytes.extend_from_slice(frame.unwrap().data_ref().unwrap());
    }
    bytes
}
