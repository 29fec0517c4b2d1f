//! All parts of a store in one trait.

use crate::{Counts, HealthLog, Maintenance, Pictures, Players, Textures, Writes};

/// Everything that a service needs, for use as `Arc<dyn Store>`.
///
/// Each type that implements the parts implements this trait.
pub trait Store: Pictures + Textures + Players + Counts + HealthLog + Maintenance + Writes {}

impl<T> Store for T where
    T: Pictures + Textures + Players + Counts + HealthLog + Maintenance + Writes
{
}
