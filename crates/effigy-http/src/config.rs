//! The settings of a server.

use std::{
    num::NonZeroU32,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use effigy_parameters::Family;
use ipnet::IpNet;

use crate::{access_log::AccessLog, metrics::Metrics};

/// The players that the landing page suggests by default.
#[rustfmt::skip]
const SAMPLES: [&str; 6] = [
    "MHF_Steve", "MHF_Alex", "MHF_Creeper", "MHF_Zombie", "MHF_Skeleton", "MHF_Enderman",
];

/// The settings of a server.
#[derive(Debug)]
pub struct Config {
    /// The number of connections that are served at once. To make room for a new connection, the
    /// server closes the one that has been idle for the longest time. If none is idle, the new one
    /// waits.
    pub max_connections: u32,
    /// The time in which the head of a request must arrive, and in which some bytes of a response
    /// must be sent.
    pub idle_timeout: Duration,
    /// The time that answering a request may take. It must be longer than the slowest response
    /// takes.
    pub response_timeout: Duration,
    /// The time for which clients may cache pictures beyond the specification. A minute by default.
    pub max_age: Duration,
    /// The largest size that may be requested. By default, only the limits of PNG apply.
    pub max_size: Option<NonZeroU32>,
    /// `false` to answer uploads of skin files with 404.
    pub previews: bool,
    /// The paths that are answered.
    pub paths: Paths,
    /// The names of hosts that have the URLs of a family at their root.
    pub family_hosts: Vec<(String, Family)>,
    /// The log of requests, if there is one.
    pub access_log: Option<AccessLog>,
    /// The proxies that are trusted to report their clients in `X-Forwarded-For`. With `None`,
    /// peers on loopback and private networks are trusted, and not limited if they report no
    /// client.
    pub trusted_proxies: Option<Vec<IpNet>>,
    /// The networks whose requests are answered with 403.
    pub denied: Vec<IpNet>,
    /// The players that the landing page suggests. It shows the first one to visitors who have not
    /// named a player, or Steve if the list is empty.
    pub players: Vec<String>,
    /// `true` to say on the landing page that only the suggested players work.
    pub demo: bool,
    /// The time for which requests are still answered after shutdown has begun, while `/readyz`
    /// fails.
    pub drain: Duration,
    /// `true` after [`serve`](crate::serve) has begun to shut down. Each response is the last one
    /// of its connection then. The listener of the metrics shares this flag.
    pub closing: Arc<AtomicBool>,
    /// The metrics that count requests and that `/metrics` reports.
    pub metrics: Arc<Metrics>,
}

impl Config {
    /// The default settings, with the metrics of the process.
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
            demo: false,
            drain: Duration::ZERO,
            closing: Arc::default(),
            metrics,
        }
    }

    /// Returns the family at the root of a host, whose name matches in any letter case.
    pub(crate) fn family_of_host(&self, host: &str) -> Option<Family> {
        let host = host.trim_end_matches('.');
        for (name, family) in &self.family_hosts {
            if name.eq_ignore_ascii_case(host) {
                return Some(*family);
            }
        }
        None
    }
}

/// The paths that a server answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paths {
    /// All paths.
    All,
    /// All paths but `/metrics`, which has a listener of its own
    /// ([`serve_metrics`](crate::serve_metrics)).
    AllButMetrics,
    /// Only `/metrics` and the probes.
    Metrics,
}
