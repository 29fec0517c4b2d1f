//! The settings of a service.

use std::time::Duration;

use effigy_player::BedrockPrefixes;

use crate::ClientRates;

const DAY: Duration = Duration::from_secs(24 * 3600);

/// The settings of a [`Service`](crate::Service).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceConfig {
    /// The approximate bytes of pictures that are kept in memory, in front of the store.
    pub memory_cache_bytes: u64,
    /// The age up to which a player's record is used without a check. A minute by default.
    pub fresh: Duration,
    /// The age up to which a player's record is shown if checks fail. A day by default.
    pub stale_if_error: Duration,
    /// The age up to which a stored picture is used. A day by default.
    pub picture_age: Duration,
    /// `true` if other processes share the store.
    pub shared_store: bool,
    /// The time for which a health report is reused. A second by default.
    pub health_ttl: Duration,
    /// The rates of each client. There is no limit by default.
    pub client_rates: ClientRates,
    /// The prefixes of the gamertags of Bedrock players, except on the specified routes. Only a dot
    /// by default.
    pub bedrock_prefixes: BedrockPrefixes,
}

impl Default for ServiceConfig {
    fn default() -> Self {
        Self {
            memory_cache_bytes: 64 << 20,
            fresh: Duration::from_secs(60),
            stale_if_error: DAY,
            picture_age: DAY,
            shared_store: false,
            health_ttl: Duration::from_secs(1),
            client_rates: ClientRates::default(),
            bedrock_prefixes: BedrockPrefixes::default(),
        }
    }
}
