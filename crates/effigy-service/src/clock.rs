//! The clock of a service.

use std::{sync::Arc, time::SystemTime};

/// A source of the current time, such as `SystemTime::now`.
pub type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;
