//! One connection, from a request to its response.

use std::{convert::Infallible, sync::Arc};

use effigy_service::Permit;
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, sync::OwnedSemaphorePermit, time::Instant};

use super::{
    activity::{Activity, Socket},
    registry::{Connection, Registry},
};
use crate::{clients::Sender, handlers::Handlers};

/// The longest head of a request, its path included.
const MAX_HEAD_BYTES: usize = 16 << 10;

/// The connections of a listener.
pub(super) struct Connections {
    pub(super) handlers: Arc<Handlers>,
    pub(super) registry: Registry,
    protocol: http1::Builder,
}

impl Connections {
    pub(super) fn new(handlers: Handlers) -> Self {
        let mut protocol = http1::Builder::new();
        protocol
            // The registry has a cheaper timer.
            .header_read_timeout(None)
            .max_header_size(MAX_HEAD_BYTES)
            .max_buf_size(MAX_HEAD_BYTES);
        Self {
            handlers: Arc::new(handlers),
            registry: Registry::default(),
            protocol,
        }
    }

    /// Spawns the task of a peer's connection, which holds its permits until it is closed.
    pub(super) fn spawn(
        &self,
        stream: TcpStream,
        peer: Sender,
        permits: (Permit, OwnedSemaphorePermit),
    ) {
        // Responses are written in one piece; waiting for more only delays them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!("no TCP_NODELAY: {error}");
        }
        let activity = Activity::new(stream, Instant::now());
        let socket = Socket {
            activity: Arc::clone(&activity),
            is_blocked: false,
        };
        let (client, weak) = (peer.client.clone(), Arc::downgrade(&activity));
        let handlers = Arc::clone(&self.handlers);
        let service = service_fn(move |request: Request<Incoming>| {
            let started = Instant::now();
            let is_pipelined = activity.begin(started);
            let answer = handlers.handle(request, started, &peer, &activity.permits);
            let activity = Arc::clone(&activity);
            async move {
                if is_pipelined {
                    // Other connections have their turn first.
                    tokio::task::yield_now().await;
                }
                let answer = answer.await;
                activity.send(answer.ready_at);
                Ok::<_, Infallible>(answer.response)
            }
        });
        let served = self
            .protocol
            .serve_connection(TokioIo::new(socket), service);
        let open = Arc::clone(&self.handlers.config.metrics.connections);
        let task = tokio::spawn(async move {
            // Dropped when the connection has ended, or when the task is aborted.
            let _guards = (open, permits);
            if let Err(error) = served.await {
                tracing::debug!("a connection ended early: {error}");
            }
        });
        self.registry.add(Connection {
            peer: client,
            activity: weak,
            task: task.abort_handle(),
        });
    }
}
