//! Connections: taking them, and letting them end well.

use std::{convert::Infallible, future::Future, io, sync::Arc, time::Duration};

use effigy_render::Skin;
use effigy_store::Store;
use effigy_upstream::SkinSource;
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::net::{TcpListener, TcpStream};

use super::app::App;

/// How long a client may take to send a request's head, and may keep an idle connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// How long requests in flight have when the service ends.
const GRACE: Duration = Duration::from_secs(10);

/// A pause when the system gives no more connections: they come back as others end.
const BREATHER: Duration = Duration::from_millis(50);

/// Serves `app` on `listener` until `stop` completes, then until the requests in flight are
/// answered or the time for that is over.
pub(crate) async fn serve<St, So>(
    listener: TcpListener,
    app: Arc<App<St, So>>,
    stop: impl Future<Output = ()>,
) where
    St: Store,
    So: SkinSource<Skin = Skin>,
{
    let connections = GracefulShutdown::new();
    tokio::select! {
        () = accept(&listener, &app, &connections) => {}
        () = stop => {}
    }
    drop(listener);
    if tokio::time::timeout(GRACE, connections.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("some requests were not answered in time to end well");
    }
}

async fn accept<St, So>(
    listener: &TcpListener,
    app: &Arc<App<St, So>>,
    connections: &GracefulShutdown,
) where
    St: Store,
    So: SkinSource<Skin = Skin>,
{
    loop {
        match listener.accept().await {
            Ok((stream, _)) => connect(stream, Arc::clone(app), connections),
            Err(error) if concerns_one_connection(&error) => {}
            Err(error) => {
                tracing::warn!("no connection was accepted: {error}");
                tokio::time::sleep(BREATHER).await;
            }
        }
    }
}

fn concerns_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

fn connect<St, So>(stream: TcpStream, app: Arc<App<St, So>>, connections: &GracefulShutdown)
where
    St: Store,
    So: SkinSource<Skin = Skin>,
{
    // Answers are written in one go; waiting for more only delays them.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!("no TCP_NODELAY: {error}");
    }
    let service = service_fn(move |request: Request<Incoming>| {
        let app = Arc::clone(&app);
        async move { Ok::<_, Infallible>(app.respond(&request.into_parts().0).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        // A client may close its own side after its request and still wait for the answer.
        .half_close(true)
        .serve_connection(TokioIo::new(stream), service);
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!("a connection ended early: {error}");
        }
    });
}
