//! The settings of a server.

use std::{
    num::NonZeroU32,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use effigy_parameters::Family;
use ipnet::IpNet;

use crate::{access_log::AccessLog, metrics::Metrics};

/// The players to try on a public service.
#[rustfmt::skip]
const SAMPLES: [&str; 6] = [
    "MHF_Steve", "MHF_Alex", "MHF_Creeper", "MHF_Zombie", "MHF_Skeleton", "MHF_Enderman",
];

/// The settings of a server.
#[derive(Debug)]
pub struct Config {
    /// The number of connections that are served at once. For another one, the one that has been idle
    /// for the longest time is closed; if none is idle, it waits.
    pub max_connections: u32,
    /// The time in which the head of a request must arrive, and for which a response may stay without progress.
    pub idle_timeout: Duration,
    /// The time that a connection may stay without progress while a request is being answered. It must be
    /// longer than the slowest response takes.
    pub response_timeout: Duration,
    /// The time for which clients may cache pictures beyond the specification. A minute by default.
    pub max_age: Duration,
    /// The largest size that may be requested. By default every size that a PNG can have.
    pub max_size: Option<NonZeroU32>,
    /// `false` if skin files may not be uploaded.
    pub previews: bool,
    /// The paths that are answered.
    pub paths: Paths,
    /// The hosts at whose root a family of URLs is served, by their names.
    pub family_hosts: Vec<(String, Family)>,
    /// The log of requests, if any.
    pub access_log: Option<AccessLog>,
    /// The peers whose reports about their clients in `X-Forwarded-For` are believed. With `None` nobody knows
    /// whether there is a proxy, so peers on loopback or private networks are not limited.
    pub trusted_proxies: Option<Vec<IpNet>>,
    /// The networks whose requests are answered with 403.
    pub denied: Vec<IpNet>,
    /// The players to try, in a list on the landing page. A visitor who has named none sees the first one, or Steve if the
    /// list is empty.
    pub players: Vec<String>,
    /// `true` if there are few other players. The landing page says so.
    pub is_demo: bool,
    /// The time for which new requests are still answered after shutdown has begun, when `/readyz` fails.
    pub drain: Duration,
    /// `true` after [`serve`](crate::serve) has begun to shut down, when each response is the last one of its connection. The
    /// listener of the metrics shares it.
    pub closing: Arc<AtomicBool>,
    /// The metrics that requests are counted in and that `/metrics` reports.
    pub metrics: Arc<Metrics>,
}

impl Config {
    /// The settings of a server that answers all paths, and has the metrics of its process.
    #[must_use]
    pub fn new(metrics: Arc<Metrics>) -> Self {
        Self {
            max_connections: 10_000,
            idle_timeout: Duration::from_secs(30),
            response_timeout: Duration::from_secs(60),
            max_age: Duration::from_secs(60),
            max_size: None,
            previews: true,
            paths: Paths::All,
            family_hosts: Vec::new(),
            access_log: None,
            trusted_proxies: None,
            denied: Vec::new(),
            players: SAMPLES.map(str::to_owned).to_vec(),
            is_demo: false,
            drain: Duration::ZERO,
            closing: Arc::default(),
            metrics,
        }
    }
}

impl Config {
    /// Returns the family at the root of a host, whose name matches in any letter case.
    pub(crate) fn family_of_host(&self, host: &str) -> Option<Family> {
        let host = host.trim_end_matches('.');
        let mut hosts = self.family_hosts.iter();
        let found = hosts.find(|(name, _)| name.eq_ignore_ascii_case(host));
        found.map(|(_, family)| *family)
    }
}

/// The paths that a server answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paths {
    /// All of them.
    All,
    /// All but `/metrics`, for which [`serve_metrics`](crate::serve_metrics) has a listener of its own.
    AllButMetrics,
    /// Only `/metrics`, and the probes.
    Metrics,
}
