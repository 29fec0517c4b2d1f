//! Tells whoever measures what the service does and how long it takes.

use std::{fmt, sync::Arc, time::Duration};

use crate::Endpoint;

/// Something that took its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// The database was asked for a picture, and said in this time whether it has it, or failed.
    Read {
        /// How long it took.
        took: Duration,
        /// Whether it answered.
        answered: bool,
    },
    /// A player was looked up, every upstream call included.
    Resolved {
        /// How long it took.
        took: Duration,
        /// Whether there is a skin, be it a stand-in.
        found: bool,
    },
    /// A picture was drawn and encoded, which is one pass over its rows.
    Drawn {
        /// The endpoint that it is for.
        endpoint: Endpoint,
        /// How long it took.
        took: Duration,
    },
    /// A request was refused because too much was in flight.
    Refused {
        /// The kind of work that there was too much of.
        pool: &'static str,
    },
}

/// Is told of every [`Event`]. Clones tell the same one.
#[derive(Clone, Default)]
pub struct Observer(Option<Arc<dyn Fn(Event) + Send + Sync>>);

impl Observer {
    /// Nobody.
    #[must_use]
    pub const fn nobody() -> Self {
        Self(None)
    }

    /// Calls `told` with each event. It must not block.
    pub fn new(told: impl Fn(Event) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(told)))
    }

    pub(crate) fn tell(&self, event: Event) {
        if let Some(told) = &self.0 {
            told(event);
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = if self.0.is_some() {
            "somebody"
        } else {
            "nobody"
        };
        f.debug_tuple("Observer").field(&who).finish()
    }
}
