//! Refusals of the gate.

use std::time::Duration;

use effigy_player::word_enum;

word_enum! {
    /// A thing that all clients share.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum SharedResource {
        /// Calls to upstreams.
        Lookups = "look-ups",
        /// Processor time.
        Work = "work",
        /// Memory of bytes that wait to be sent.
        Bytes = "bytes",
        /// Connections.
        Connections = "connections",
    }
}

/// The clients whose use has reached a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The client that is refused.
    Client,
    /// All clients together.
    AllClients,
}

/// A limit is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the limit of {} is reached ({})", resource.as_str(), match scope {
    Scope::Client => "of this client",
    Scope::AllClients => "of all clients",
})]
pub struct Refused {
    /// The thing that is used up.
    pub resource: SharedResource,
    /// The clients whose use has reached the limit.
    pub scope: Scope,
    /// The time until a new attempt may succeed.
    pub retry_after: Duration,
}

impl Refused {
    /// A refusal for lack of something that comes back whenever a request ends.
    pub(crate) const fn soon(resource: SharedResource, scope: Scope) -> Self {
        Self {
            resource,
            scope,
            retry_after: Duration::from_secs(1),
        }
    }
}
