//! How outages of the upstreams are noticed, and what is shown meanwhile.

use std::time::Duration;

use clap::Args;
use effigy_store::LIFETIME;

use super::duration;

#[derive(Debug, Args)]
pub(crate) struct StaleArgs {
    /// How much longer than its hour a picture is kept and shown where an outage keeps a newer one
    /// from us, as in 1d; 0 for not at all.
    #[arg(long, env = "STALE_IF_ERROR", default_value = "0s", value_parser = duration)]
    pub(crate) stale_if_error: Duration,
}

#[derive(Debug, Args)]
pub(crate) struct PingArgs {
    /// For how long one look at the identity service serves every health check, as in 30s; 0 for a
    /// look at each check.
    #[arg(long, env = "HEALTH_PING_EVERY", default_value = "0s", value_parser = duration)]
    pub(crate) health_ping_every: Duration,
}

impl StaleArgs {
    /// How old a picture may become before nobody needs it.
    pub(crate) fn lifetime(&self) -> Duration {
        LIFETIME.saturating_add(self.stale_if_error)
    }
}
