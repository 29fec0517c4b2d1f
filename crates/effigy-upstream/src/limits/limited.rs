//! The limits that keep a call from being made.

use std::time::Duration;

effigy_player::word_enum! {
    /// The limit that keeps a call from being made.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum LimitReason {
        /// The upstream refused a call (403) a moment ago, or does not serve it any more.
        Refused = "it refused a call",
        /// The upstream rejected a call as one too many (429) a moment ago.
        TooManyRequests = "it was called too often",
        /// The rate limit is used up.
        RateLimit = "its rate limit is used up",
        /// The last calls failed, and the next probe is not due.
        NotAnswering = "it does not answer",
        /// The maximum number of concurrent calls is in flight.
        Concurrency = "too many calls are in flight",
    }
}

/// A limit that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limited {
    pub(crate) reason: LimitReason,
    /// The time until a call can be made, or zero if that is not known.
    pub(crate) retry_after: Duration,
}
