//! The state of an upstream for metrics.

use std::sync::Arc;
use std::time::Duration;

use super::{LimitReason, Upstream};

/// The state of the limits of one upstream at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpstreamState {
    /// The provider, by its kind and host. The texture service of the game, which several providers
    /// share, is `textures`.
    pub provider: Arc<str>,
    /// The upstream.
    pub upstream: Upstream,
    /// The number of calls in flight.
    pub calls: usize,
    /// The number of calls that the rate limit allows now, or `None` if there is no rate limit.
    pub rate_limit_left: Option<u32>,
    /// The time until the next call, while the upstream rejects or fails calls. It is zero if a
    /// probe is due.
    pub paused_for: Option<Duration>,
    /// The reason why calls for players fail now, if they do and no other upstream takes them over.
    pub limited: Option<LimitReason>,
}
