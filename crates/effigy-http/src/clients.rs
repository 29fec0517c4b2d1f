//! Fair shares: the limits of one client's use of shared resources.
//!
//! `address` finds the client that a request is from, `bucket` bounds rates, `table` holds what each client
//! has used.

mod address;
mod bucket;
mod table;

use std::{
    net::IpAddr,
    sync::{Arc, Once},
    time::Duration,
};

use effigy_service::{MetricsSink as _, Observation};
use hyper::HeaderMap;
use ipnet::IpNet;
use tokio::time::Instant;

pub use address::AddressHeader;
pub(crate) use address::Client;
pub use bucket::Rate;
pub(crate) use bucket::TokenBucket;
pub(crate) use table::Place;
use table::{Bucket, Table};

use crate::metrics::Metrics;

/// The previews that one client may have in progress: a quarter of all. A browser asks for six at once.
const MAX_PREVIEWS: u32 = 16;

/// The time until a client that uses all of its places may try again. A place becomes free when a request
/// ends.
const PLACE_RETRY: Duration = Duration::from_secs(1);

/// The limits of each client, which is an address, or an IPv6 network of 64 bits. `None` is no limit.
///
/// Pictures from the cache are never limited. Neither are peers on loopback or private networks while
/// `trusted_proxies` is `None`, because a proxy would turn all visitors into one client.
#[derive(Debug, Clone, Default)]
pub struct ClientLimits {
    /// The peers whose reports about their clients are believed.
    pub trusted_proxies: Option<Vec<IpNet>>,
    /// The header of these reports.
    pub address_header: AddressHeader,
    /// Files that have to be made.
    pub misses: Option<Rate>,
    /// Pictures of uploaded skin files.
    pub previews: Option<Rate>,
    /// Large pictures at once.
    pub large_pictures: Option<u32>,
    /// Connections at once, of a peer that is no trusted proxy.
    pub connections: Option<u32>,
}

/// The clients and what they use.
#[derive(Debug)]
pub(crate) struct Clients {
    limits: ClientLimits,
    table: Arc<Table>,
    metrics: Arc<Metrics>,
    unlimited_peer: Once,
}

/// A client has used its share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limited {
    /// The time until a request may succeed.
    pub(crate) retry_after: Duration,
}

/// A miss that a client was charged for.
#[derive(Debug)]
pub(crate) struct Charge(Option<(Arc<Table>, IpAddr, Rate)>);

impl Clients {
    pub(crate) fn new(limits: ClientLimits, metrics: Arc<Metrics>) -> Self {
        Self {
            limits,
            table: Arc::default(),
            metrics,
            unlimited_peer: Once::new(),
        }
    }

    /// Returns the client of a request that `peer` sent.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> Client {
        self.limits.client(peer, headers)
    }

    /// Charges the client for a miss.
    ///
    /// # Errors
    /// If the client has used its share of misses.
    pub(crate) fn charge_miss(&self, client: &Client) -> Result<Charge, Limited> {
        let charged = self.charge(Bucket::Misses, client, self.limits.misses);
        Ok(Charge(charged?.map(|(address, rate)| {
            (Arc::clone(&self.table), address, rate)
        })))
    }

    /// Charges the client for this number of misses, or for none.
    ///
    /// # Errors
    /// If the client's share of misses has fewer left.
    pub(crate) fn charge_misses(
        &self,
        client: &Client,
        misses: usize,
    ) -> Result<Vec<Charge>, Limited> {
        let mut charges = Vec::with_capacity(misses);
        for _ in 0..misses {
            match self.charge_miss(client) {
                Ok(charge) => charges.push(charge),
                Err(limited) => {
                    charges.into_iter().for_each(Charge::refund);
                    return Err(limited);
                }
            }
        }
        Ok(charges)
    }

    /// Counts a preview of the client as in progress until the returned place is dropped.
    ///
    /// # Errors
    /// If the client has used its share of previews.
    pub(crate) fn begin_preview(&self, client: &Client) -> Result<Place, Limited> {
        self.charge(Bucket::Previews, client, self.limits.previews)?;
        let max = self.limits.previews.map(|_| MAX_PREVIEWS);
        self.enter(Bucket::Previews, client, 1, max)
    }

    /// Counts a large picture of the client as in progress until the returned place is dropped. A giant
    /// counts twice.
    ///
    /// # Errors
    /// If the client has used its share of large pictures.
    pub(crate) fn begin_large_picture(
        &self,
        client: &Client,
        is_giant: bool,
    ) -> Result<Place, Limited> {
        let max = self.limits.large_pictures;
        let places = 1 + u32::from(is_giant);
        let places = max.map_or(places, |max| places.min(max));
        self.enter(Bucket::LargePictures, client, places, max)
    }

    /// Counts a connection of the peer as open until the returned place is dropped.
    ///
    /// # Errors
    /// If the peer has used its share of connections.
    pub(crate) fn begin_connection(&self, peer: IpAddr) -> Result<Place, Limited> {
        let client = self.limits.peer(peer);
        self.enter(Bucket::Connections, &client, 1, self.limits.connections)
    }

    fn charge(
        &self,
        bucket: Bucket,
        client: &Client,
        rate: Option<Rate>,
    ) -> Result<Option<(IpAddr, Rate)>, Limited> {
        let Some((address, rate)) = self.limited(client).zip(rate) else {
            return Ok(None);
        };
        let charged = self.table.charge(bucket, address, rate, Instant::now());
        match charged {
            Ok(()) => Ok(Some((address, rate))),
            Err(retry_after) => Err(self.refuse(bucket, retry_after)),
        }
    }

    fn enter(
        &self,
        bucket: Bucket,
        client: &Client,
        places: u32,
        max: Option<u32>,
    ) -> Result<Place, Limited> {
        let Some((address, max)) = self.limited(client).zip(max) else {
            return Ok(Place::default());
        };
        let place = self
            .table
            .enter(bucket, address, places, max, Instant::now());
        place.ok_or_else(|| self.refuse(bucket, PLACE_RETRY))
    }

    /// Returns the address that a client is limited by, if it is.
    fn limited(&self, client: &Client) -> Option<IpAddr> {
        if client.is_unknown {
            self.unlimited_peer.call_once(|| {
                tracing::warn!(
                    peer = %client.address,
                    "the shares of clients are not limited, since they come from a private address; \
                     set --trusted-proxy to the address of the proxy, or to none if there is no proxy"
                );
            });
        }
        client.is_limited().then_some(client.network())
    }

    fn refuse(&self, bucket: Bucket, retry_after: Duration) -> Limited {
        let pool = bucket.pool();
        self.metrics.observe(Observation::Rejected { pool });
        Limited { retry_after }
    }
}

impl Charge {
    /// Gives a charge back, because the file was in the cache.
    pub(crate) fn refund(self) {
        if let Some((table, address, rate)) = self.0 {
            table.refund(Bucket::Misses, address, rate);
        }
    }
}
