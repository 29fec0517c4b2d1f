//! An upstream that knows everybody: any gamertag has an XUID, and any XUID a skin.

use std::{
    io::Write,
    sync::atomic::{AtomicUsize, Ordering},
};

use bytes::Bytes;
use hyper::{Request, Response, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use crate::bare::Whole;

/// Players that nobody has asked for before.
#[derive(Debug)]
pub(crate) struct Strangers(AtomicUsize);

impl Strangers {
    /// Begins with this number.
    pub(crate) const fn from(number: usize) -> Self {
        Self(AtomicUsize::new(number))
    }

    /// Returns the next player as paths name it: an XUID.
    pub(crate) fn next(&self) -> String {
        format!("0000{:012}", self.number())
    }

    /// Returns the next number alone.
    pub(crate) fn number(&self) -> usize {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// Serves until it is killed, on one thread, to leave the server most of the processors.
pub(crate) fn serve() {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().unwrap();
    runtime.block_on(accept());
}

/// Returns the XUID of a gamertag: the number in it.
fn xuid(gamertag: &str) -> Bytes {
    let digits = gamertag.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    format!("{{\"xuid\":{digits}}}").into()
}

async fn accept() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    println!("{url}");
    std::io::stdout().flush().unwrap();
    let record = Bytes::from(format!("{{\"skin_url\":\"{url}/texture/knight\"}}"));
    let texture = Bytes::from_static(fixtures::skin("knight").png);
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        stream.set_nodelay(true).unwrap();
        let own_record = record.clone();
        let own_texture = texture.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let path = request.uri().path();
            let body = match path.strip_prefix("/v2/xbox/xuid/") {
                Some(gamertag) => xuid(gamertag),
                None if path.starts_with("/v2/skin/") => own_record.clone(),
                None => own_texture.clone(),
            };
            let answer = Response::new(Whole::new(body));
            async move { Ok::<_, std::convert::Infallible>(answer) }
        });
        tokio::spawn(async move {
            let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            // It ends with the client.
            let _ = connection.await;
        });
    }
}
