//! The runtime of asynchronous commands.

use anyhow::{Context, Result};

/// Runs the asynchronous part of a command to its end.
pub(crate) fn block_on(work: impl Future<Output = Result<()>>) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new().context("the operating system refused threads")?;
    let result = runtime.block_on(work);
    // No request needs the upstream calls that are still in flight.
    runtime.shutdown_background();
    result
}
