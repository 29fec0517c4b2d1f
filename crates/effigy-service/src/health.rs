//! The rules of the health check, without its calls.

pub(crate) mod recent_checks;
pub(crate) mod report;
