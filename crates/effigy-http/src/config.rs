//! The settings of a server.

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use tokio::net::TcpListener;

use crate::{
    access_log::AccessLog, clients::ClientLimits, metrics::Metrics, site::landing::Showcase,
};

/// The settings of a server.
#[derive(Debug)]
pub struct Config {
    /// The number of connections that are served at once. For another one, the one that has been idle
    /// for the longest time is closed; if none is idle, it waits in the system's queue.
    pub max_connections: u32,
    /// The time that a connection may stay without a byte of a response while no request is being answered.
    pub idle_timeout: Duration,
    /// The time that a connection may stay without a byte of a response while a request is being answered.
    /// It must be longer than the slowest response takes.
    pub response_timeout: Duration,
    /// The largest size that may be requested. By default every size that a PNG can have.
    pub max_size: Option<NonZeroU32>,
    /// `false` if skin files may not be uploaded.
    pub previews: bool,
    /// The listener that alone answers requests for `/metrics`, and no others. By default they are
    /// answered like all others.
    pub metrics_listener: Option<TcpListener>,
    /// The log of requests, if any.
    pub access_log: Option<AccessLog>,
    /// The limits of each client.
    pub clients: ClientLimits,
    /// The players that the landing page shows.
    pub showcase: Showcase,
    /// The metrics that requests are counted in and that `/metrics` reports.
    pub metrics: Arc<Metrics>,
}
