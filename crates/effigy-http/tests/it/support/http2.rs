//! A client that speaks HTTP/2 with prior knowledge.

use std::{
    future::poll_fn,
    net::{Shutdown, TcpStream},
    pin::Pin,
};

use hyper::{
    Request, Response,
    body::{Body, Incoming},
    client::conn::http2::{Builder, SendRequest},
};
use hyper_util::rt::{TokioExecutor, TokioIo};

use super::Server;

/// The window of clients that read what they get.
pub(crate) const WINDOW: u32 = 1 << 20;

/// An HTTP/2 connection. It is closed when this and all responses are dropped.
pub(crate) struct Http2 {
    sender: SendRequest<String>,
    url: String,
    stream: TcpStream,
}

impl Http2 {
    /// Opens a connection on whose streams the server may send `window` bytes that are not read.
    pub(crate) async fn open(server: &Server, window: u32) -> Self {
        let stream = TcpStream::connect(server.address()).unwrap();
        let socket = stream.try_clone().unwrap();
        socket.set_nonblocking(true).unwrap();
        let socket = TokioIo::new(tokio::net::TcpStream::from_std(socket).unwrap());
        let mut builder = Builder::new(TokioExecutor::new());
        builder.initial_stream_window_size(window);
        let (sender, connection) = builder.handshake(socket).await.unwrap();
        tokio::spawn(connection);
        Self {
            sender,
            url: server.url.clone(),
            stream,
        }
    }

    /// Closes the connection, whatever is under way on it.
    pub(crate) fn close(&self) {
        self.stream.shutdown(Shutdown::Both).unwrap();
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
