//! The flow of a picture of several players, and how several are looked up.

use std::{slice, sync::Arc};

use effigy_player::PlayerId;
use futures_util::{StreamExt as _, stream};

use super::{
    cached::{Maker, is_refused},
    step::Flow,
};
use crate::{
    Client, Fault, GroupRequest, Image, Origin, PictureParams, Service,
    error::{ServiceError, Shared},
    players::{Appearance, Appearances},
};

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

impl Service {
    /// Returns a picture of several players, or their places. It is cached like a picture.
    ///
    /// A player who is not available leaves an empty place, or is shown as the substitute, or as the
    /// built-in player if an outage leaves no substitute. If that may be because of an outage, the file is
    /// not stored.
    ///
    /// # Errors
    /// If nobody can be shown, or the client is refused.
    pub async fn group(&self, client: &Client, request: GroupRequest) -> Shared<Image> {
        let (flow, key) = (self.flow(client), request.key());
        let key = key.current(&*self.state.source);
        let make = |maker: Maker, has_stale| async move {
            let (params, inputs) = (request.params(), &request.players);
            let found = flow.appearances(params, inputs).await?;
            if has_stale && let Some(outage) = outage(&found) {
                return Err(outage);
            }
            let missing: Vec<bool> = found.iter().map(Result::is_err).collect();
            let shown = flow.with_substitute(&request, found).await?;
            if let Some(Err(error)) = shown.first()
                && shown.iter().all(Result::is_err)
            {
                return Err(Arc::clone(error));
            }
            if !request.is_places {
                flow.count_shown(inputs, &missing);
            }
            maker.enter_queue();
            Ok(flow.draw_group(request, shown, missing).await?)
        };
        flow.cached_or(&key, make).await
    }
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

    /// Puts the substitute in the places of players who are not available.
    async fn with_substitute(
        &self,
        request: &GroupRequest,
        found: Appearances,
    ) -> Shared<Appearances> {
        let players = match &request.substitute {
            Some(player) if found.iter().any(Result::is_err) => slice::from_ref(player),
            _ => return Ok(found),
        };
        let mut substitutes = self.appearances(request.params(), players).await?;
        let substitute = match substitutes.pop() {
            Some(Ok(substitute)) => substitute,
            Some(Err(error)) if error.is_outage() => Appearance::built_in(),
            _ => return Ok(found),
        };
        let shown = |found: Shared<Appearance>| match found {
            Err(error) if error.is_outage() => Ok(Appearance {
                origin: Origin::OutageFallback,
                ..substitute.clone()
            }),
            Err(error) if error.fault() != Fault::Internal => Ok(substitute.clone()),
            found => found,
        };
        Ok(found.into_iter().map(shown).collect())
    }

    /// Counts a render of each player who is not missing.
    fn count_shown(&self, inputs: &[String], missing: &[bool]) {
        for (input, is_missing) in inputs.iter().zip(missing) {
            if let (false, Ok(player)) = (is_missing, PlayerId::detect(input)) {
                self.state.writer.count_render(player.edition());
            }
        }
    }
}

/// Returns why a player may be missing only for now.
fn outage(found: &Appearances) -> Option<Arc<ServiceError>> {
    let mut errors = found.iter().filter_map(|found| found.as_ref().err());
    errors.find(|error| error.is_outage()).cloned()
}
