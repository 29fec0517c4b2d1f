//! Several pieces of work for one request.

use futures_util::{StreamExt as _, stream};
use tokio::task::yield_now;

use crate::{Fault, error::Result};

/// The players of one request that are looked up at once.
const MAX_LOOK_UPS: usize = 8;

/// Does all work, a few pieces at once, and returns the results in their order.
///
/// # Errors
/// The first refusal of the client. Nothing further begins then.
pub(crate) async fn run_in_order<T>(
    work: Vec<impl Future<Output = Result<T>>>,
) -> Result<Vec<Result<T>>> {
    let mut results = Vec::new();
    let mut stream = stream::iter(work).buffered(MAX_LOOK_UPS);
    while let Some(result) = stream.next().await {
        match result {
            Err(error) if error.fault() == Fault::Limited => return Err(error),
            result => results.push(result),
        }
        // If all players are known, nothing else lets other requests of this thread go first.
        if results.len().is_multiple_of(MAX_LOOK_UPS) {
            yield_now().await;
        }
    }
    Ok(results)
}
