//! Several players at once.

use futures_util::{StreamExt as _, stream};

use super::{cached::is_refused, step::Flow};
use crate::{PictureParams, error::Shared, players::Appearance};

/// The players of a picture, or why one is missing.
pub(super) type Appearances = Vec<Shared<Appearance>>;

/// The players of one request that are looked up at once.
const MAX_LOOK_UPS: usize = 8;

/// Does all work, a few pieces at once, and returns the results in their order.
///
/// # Errors
/// The first refusal of the client. Nothing further begins then.
pub(super) async fn run_in_order<T>(
    work: Vec<impl Future<Output = Shared<T>>>,
) -> Shared<Vec<Shared<T>>> {
    let mut results = Vec::new();
    let mut stream = stream::iter(work).buffered(MAX_LOOK_UPS);
    while let Some(result) = stream.next().await {
        if is_refused(&result) {
            return result.map(|_| Vec::new());
        }
        results.push(result);
    }
    Ok(results)
}

impl Flow<'_> {
    /// Looks all players up, a few at once.
    pub(super) async fn appearances(
        &self,
        params: PictureParams,
        inputs: &[String],
    ) -> Shared<Appearances> {
        let look_ups = inputs.iter().map(|input| async move {
            let request = self.validate(&params.of_player(input).reusing_player())?;
            let found = self.appearance(&request, false).await;
            found.inspect_err(|error| self.log_failure(&request.key, error))
        });
        run_in_order(look_ups.collect()).await
    }
}
