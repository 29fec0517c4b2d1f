//! Several players at once.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use effigy_player::{PlayerId, Uuid};
use effigy_upstream::{NAMES_PER_CALL, SkinSource, Step, UpstreamError};
use futures_util::{StreamExt as _, stream};

use super::{appearance::ValidRequest, cached::is_refused, step::Flow};
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
    work: impl Iterator<Item: Future<Output = Shared<T>>>,
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

/// The accounts of Java names, in lower case, that were looked up together.
type Accounts = HashMap<String, Shared<Option<Uuid>>>;

/// Returns the player by the UUID, if the name was looked up.
///
/// # Errors
/// If no account has the name, or its look-up failed.
pub(super) fn by_account(player: PlayerId, accounts: &Accounts) -> Shared<PlayerId> {
    let PlayerId::JavaName(name) = &player else {
        return Ok(player);
    };
    let Some(found) = accounts.get(&name.to_ascii_lowercase()) else {
        return Ok(player);
    };
    let not_found = || UpstreamError::PlayerNotFound {
        step: Step::Identity,
        player: name.clone(),
    };
    let uuid = found.clone()?.ok_or_else(not_found);
    Ok(PlayerId::JavaUuid(uuid.map_err(ServiceError::from)?))
}

impl Flow<'_> {
    /// Looks all players up, a few at once.
    pub(super) async fn appearances(
        &self,
        params: PictureParams,
        inputs: &[String],
    ) -> Shared<Appearances> {
        let requests = inputs.iter().map(|input| {
            let request = params.of_player(input).reusing_player();
            self.validate(&request)
        });
        let requests: Vec<Shared<ValidRequest>> = requests.collect();
        let new = requests.iter().flatten();
        let new = new.filter_map(|request| self.new_player(request));
        let accounts = &self.look_up_names(new).await?;
        let look_up = |request: Shared<ValidRequest>| async move {
            let request = request?;
            let found = self.account_appearance(&request, accounts).await;
            found.inspect_err(|error| self.log_failure(&request.key, error))
        };
        run_in_order(requests.into_iter().map(look_up)).await
    }

    /// Returns the player of a request who has to be looked up.
    fn new_player<'a>(&self, request: &'a ValidRequest) -> Option<&'a PlayerId> {
        let is_known = || {
            self.state
                .players
                .get(&request.skin, self.state.now())
                .is_some()
        };
        match &request.skin {
            // A player with a revision is in the folder of skins.
            SkinId::Player(player, None) if !is_known() => Some(player),
            _ => None,
        }
    }

    /// Looks a player up whose account may be known.
    async fn account_appearance(
        &self,
        request: &ValidRequest,
        accounts: &Accounts,
    ) -> Shared<Appearance> {
        let SkinId::Player(player, revision) = &request.skin else {
            return self.appearance(request, false).await;
        };
        let account = SkinId::Player(by_account(player.clone(), accounts)?, *revision);
        let known = ValidRequest {
            skin: account,
            key: request.key.clone(),
            ..*request
        };
        let found = self.appearance(&known, false).await?;
        if known.skin != request.skin && self.state.is_current(&known.key) {
            // Other pictures are requested by the name.
            let now = self.state.now();
            self.state.players.insert(&request.skin, now, &found.skin);
        }
        Ok(found)
    }

    /// Looks up the Java names among these players, several in one call. It leaves a single name to the
    /// look-up of its player, which takes no more calls.
    ///
    /// # Errors
    /// If the client is refused.
    pub(super) async fn look_up_names<'a>(
        &self,
        players: impl Iterator<Item = &'a PlayerId>,
    ) -> Shared<Accounts> {
        let names = players.filter_map(|player| match player {
            PlayerId::JavaName(name) => Some(name.to_ascii_lowercase()),
            _ => None,
        });
        let names: Vec<String> = names.collect::<BTreeSet<_>>().into_iter().collect();
        let mut accounts = Accounts::default();
        if names.len() < 2 {
            return Ok(accounts);
        }
        let look_up = |names: &[String]| {
            let names = names.to_vec();
            let call = move |source: &dyn SkinSource| source.java_uuids(&names);
            async {
                Ok(self
                    .call_source(1, call)
                    .await?
                    .map_err(ServiceError::from)?)
            }
        };
        let calls = names.chunks(NAMES_PER_CALL);
        let found = run_in_order(calls.clone().map(look_up)).await?;
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
