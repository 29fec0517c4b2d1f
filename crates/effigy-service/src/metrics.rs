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

/// The state of a service in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// Pictures in memory, about.
    pub memory_entries: u64,
    /// The bytes that they take, about.
    pub memory_bytes: u64,
    /// Misses that are being served.
    pub misses_in_flight: usize,
    /// Players that are being looked up.
    pub look_ups_in_flight: usize,
    /// Pictures that are being drawn, or wait for a processor.
    pub renders_in_flight: usize,
    /// Pictures that are being drawn while they are sent.
    pub long_pictures_in_flight: usize,
    /// Whether the last read of pictures from the database failed.
    pub reads_are_down: bool,
    /// What waits to be written to the database.
    pub writes: WriteFigures,
}

/// What waits to be written to the database, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteFigures {
    /// Pictures that wait.
    pub waiting_images: usize,
    /// Their bytes.
    pub waiting_bytes: usize,
    /// Pictures that were not stored since the start: there was no room for them to wait, or the
    /// database refused them.
    pub dropped_images: u64,
    /// Whether the last write failed.
    pub is_down: bool,
}
