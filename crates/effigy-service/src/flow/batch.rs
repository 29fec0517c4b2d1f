//! Several players at once.

use std::{collections::BTreeSet, sync::Arc};

use effigy_player::PlayerId;
use effigy_upstream::NAMES_PER_CALL;
use futures_util::{StreamExt as _, stream};

use super::{
    cached::is_refused,
    step::{Accounts, Flow},
};
use crate::{
    PictureParams, ServiceError,
    error::Shared,
    players::{Appearance, SkinId},
};

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
        let is_known = |player: &PlayerId, _: &str| {
            let id = SkinId::Player(player.clone(), None);
            self.state.players.get(&id, self.state.now()).is_some()
        };
        let accounts = &self.look_up_names(inputs, is_known).await?;
        let look_ups = inputs.iter().map(|input| async move {
            let flow = self.with_accounts(accounts);
            let request = flow.validate(&params.of_player(input).reusing_player())?;
            let found = flow.appearance(&request, false).await;
            found.inspect_err(|error| flow.log_failure(&request.key, error))
        });
        run_in_order(look_ups.collect()).await
    }

    /// Looks up the Java names among these players, several in one call, unless they are known. It leaves a
    /// single name to the look-up of its player, which takes no more calls.
    ///
    /// # Errors
    /// If the client is refused.
    pub(super) async fn look_up_names(
        &self,
        inputs: &[String],
        is_known: impl Fn(&PlayerId, &str) -> bool,
    ) -> Shared<Accounts> {
        // A player with a revision is in the folder of skins.
        let is_new = |player: &PlayerId, input: &str| {
            self.state.source.revision(input).is_none() && !is_known(player, input)
        };
        let names = inputs.iter().filter_map(|input| {
            let player = PlayerId::detect(input).ok();
            match player.filter(|player| is_new(player, input))? {
                PlayerId::JavaName(name) => Some(name.to_ascii_lowercase()),
                _ => None,
            }
        });
        let names: Vec<String> = names.collect::<BTreeSet<_>>().into_iter().collect();
        let mut accounts = Accounts::default();
        if names.len() < 2 {
            return Ok(accounts);
        }
        let look_up = |names: &[String]| {
            let names = names.to_vec();
            self.call_source(1, move |source| {
                Ok(source.java_uuids(&names).map_err(ServiceError::from)?)
            })
        };
        let calls = names.chunks(NAMES_PER_CALL);
        let found = run_in_order(calls.clone().map(look_up).collect()).await?;
        for (names, found) in calls.zip(found) {
            let uuid = |name: &String| match &found {
                Ok(found) => Some((name.clone(), Ok(*found.get(name)?))),
                Err(error) => Some((name.clone(), Err(Arc::clone(error)))),
            };
            accounts.extend(names.iter().filter_map(uuid));
        }
        Ok(accounts)
    }
}
